# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases of the operations of elementwise.py."""

from __future__ import annotations

import itertools
from typing import Final, Optional

import numpy as np

from .operands import (
    BOOL8,
    EVERYTHING,
    FLOAT16,
    FLOAT32,
    FLOATS,
    INT32,
    NUMBERS,
    QUANT8,
    Kind,
    Operand,
    Output,
    Quantization,
    Stored,
    channel_quantization,
    int32,
    integers,
    quantization,
)
from .registry import Cases, cases

# Pairs of dimensions that are broadcast.
_BROADCASTS: Final = {
    "same": ((2, 3), (2, 3)),
    "documented": ((4, 1, 2), (5, 4, 3, 1)),
    "single": ((1,), (2, 1, 3)),
    "vector": ((2, 2, 3, 4), (4,)),
}

_UNARY_KINDS: Final = {
    "ABS": FLOATS,
    "EXP": FLOATS,
    "FLOOR": FLOATS,
    "LOG": FLOATS,
    "LOGICAL_NOT": (BOOL8,),
    "LOGISTIC": (FLOAT32, FLOAT16, QUANT8),
    "NEG": (FLOAT32, FLOAT16, INT32),
    "RELU": (FLOAT32, FLOAT16, QUANT8),
    "RELU1": (FLOAT32, FLOAT16, QUANT8),
    "RELU6": (FLOAT32, FLOAT16, QUANT8),
    "RSQRT": FLOATS,
    "SIN": FLOATS,
    "SQRT": FLOATS,
    "TANH": (FLOAT32, FLOAT16, QUANT8),
}

# Scale and zero point that the documentation prescribes for outputs.
_PRESCRIBED: Final = {"LOGISTIC": quantization(1 / 256, 0), "TANH": quantization(1 / 128, 128)}

_ACCEPT_EMPTY: Final = ("LOGISTIC", "RELU", "RELU1", "RELU6", "TANH")

# Quantizations that put zero in the middle, near an end, and at an end of the range.
_QUANTIZATIONS: Final = (quantization(0.0625, 128), quantization(0.1, 77), quantization(1.7, 0))


def every_element(kind: Kind) -> Stored:
    """Every value of an element of at most 16 bits, signalling NaNs apart, which reading a number
    may turn into quiet ones."""
    if kind is BOOL8:
        return np.array([False, True])
    if kind is QUANT8:
        return np.arange(256, dtype=np.uint8)
    return np.arange(65536, dtype=np.uint16).view("<f2")


@cases(*_UNARY_KINDS)
def _unary(made: Cases) -> None:
    for kind in _UNARY_KINDS[made.operation]:
        for rank in range(1, 5):
            shape = (3, 2, 1, 2)[:rank]
            values = made.uniform(-8, 8, *shape)
            if kind is INT32:
                values = made.integers(-(2**31) + 1, 2**31 - 1, *shape)
            if kind is BOOL8:
                values = made.integers(0, 1, *shape)
            if made.operation in ("LOG", "RSQRT", "SQRT"):
                values = np.abs(values) + 2.0**-10
            _add_unary(made, f"{kind.name}_rank{rank}", kind.make(values))
        if kind in (QUANT8, FLOAT16, BOOL8):
            parameters = _QUANTIZATIONS if kind is QUANT8 else (Quantization(),)
            for number, each in enumerate(parameters):
                operand = integers(kind.tensor, every_element(kind), each)
                _add_unary(made, f"{kind.name}_every_value_{number}", operand)
        if made.operation in _ACCEPT_EMPTY:
            _add_unary(made, f"{kind.name}_empty", kind.make(np.zeros((2, 0, 3))))
    if FLOAT32 in _UNARY_KINDS[made.operation]:
        special = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            6.0,
            1e-30,
            1e-5,
            80.0,
            -80.0,
            3e4,
            np.inf,
            -np.inf,
            np.nan,
        ]
        _add_unary(made, "float32_special", FLOAT32.make(special))


def _add_unary(made: Cases, name: str, operand: Operand) -> None:
    parameters: Optional[Quantization] = None
    if operand.type == QUANT8.tensor:
        # The others keep scale and zero point.
        parameters = _PRESCRIBED.get(made.operation, operand.quantization)
    made.add(name, [operand], [Output(operand.type, parameters)])


@cases("DEQUANTIZE")
def _dequantize(made: Cases) -> None:
    every = np.arange(256).reshape(4, 64)
    every_signed = np.arange(-128, 128).reshape(4, 64)
    # The least integer is none of a per-channel weight.
    every_weight = np.maximum(every_signed, -127)
    scales = (0.5, 0.1, 3.0, 0.7)
    sources = {
        "quant8_asymm_0": integers("TENSOR_QUANT8_ASYMM", every, quantization(0.1, 77)),
        "quant8_asymm_1": integers("TENSOR_QUANT8_ASYMM", every, quantization(2.0, 0)),
        "quant8_asymm_rank1": integers("TENSOR_QUANT8_ASYMM", [0, 1, 255], quantization(0.3, 1)),
        "quant8_asymm_rank3": integers(
            "TENSOR_QUANT8_ASYMM", made.integers(0, 255, 2, 3, 1), quantization(0.3, 9)
        ),
        "quant8_asymm_empty": integers(
            "TENSOR_QUANT8_ASYMM", np.zeros((2, 0)), quantization(0.5, 3)
        ),
        "quant8_asymm_rank4": integers(
            "TENSOR_QUANT8_ASYMM", made.integers(0, 255, 2, 1, 3, 2), quantization(0.01, 200)
        ),
        "quant8_symm": integers("TENSOR_QUANT8_SYMM", every_signed, quantization(0.1)),
        "channels_outer": integers(
            "TENSOR_QUANT8_SYMM_PER_CHANNEL", every_weight, channel_quantization(scales, 0)
        ),
        "channels_inner": integers(
            "TENSOR_QUANT8_SYMM_PER_CHANNEL",
            every_weight.reshape(2, 32, 4),
            channel_quantization(scales, 2),
        ),
    }
    for name, source in sources.items():
        for kind in FLOATS:
            made.add(f"{name}_to_{kind.name}", [source], [kind.output()])


@cases("QUANTIZE")
def _quantize(made: Cases) -> None:
    for kind in FLOATS:
        for number, parameters in enumerate(_QUANTIZATIONS):
            # Some are beyond the range of the integers.
            values = made.uniform(-30, 30, 5, 7)
            made.add(f"{kind.name}_{number}", [kind.make(values)], [QUANT8.output(parameters)])
        made.add(
            f"{kind.name}_rank5",
            [kind.make(made.uniform(-3, 3, 2, 1, 2, 1, 3))],
            [QUANT8.output(quantization(0.02, 128))],
        )
        special = [0.0, -0.0, np.inf, -np.inf, 1e4, -1e4, 1e-7]
        made.add(
            f"{kind.name}_special", [kind.make(special)], [QUANT8.output(quantization(0.5, 7))]
        )
        made.add(
            f"{kind.name}_empty",
            [kind.make(np.zeros((0, 3)))],
            [QUANT8.output(quantization(0.5, 7))],
        )
    every = integers(FLOAT16.tensor, every_element(FLOAT16))
    made.add("float16_every_value", [every], [QUANT8.output(quantization(0.1, 100))])


@cases("CAST")
def _cast(made: Cases) -> None:
    for source, target in itertools.product(NUMBERS, NUMBERS):
        values = made.uniform(-300, 600, 4, 5)
        if source in (INT32, QUANT8):
            values = np.floor(values)
        # The scale does not count, and is not the same on both sides.
        operand = integers(source.tensor, np.clip(values, 0, 255), quantization(0.3, 9))
        if source is not QUANT8:
            operand = source.make(values)
        sources = {"": operand}
        if source in (QUANT8, FLOAT16):
            parameters = quantization(0.5, 3) if source is QUANT8 else Quantization()
            sources["_every_value"] = integers(source.tensor, every_element(source), parameters)
        if source is FLOAT32:
            special = [0.0, -0.5, 0.5, 1.5, -1.5, 254.5, 255.5, -2.0, 2.0**30, -(2.0**31), 1e5]
            sources["_special"] = source.make(special)
        if source is INT32:
            sources["_special"] = source.make(
                [0, -1, 1, 255, 256, 2**31 - 1, -(2**31), 16777217]
            )
        for name, each in sources.items():
            parameters = quantization(2.0, 50) if target is QUANT8 else Quantization()
            made.add(
                f"{source.name}_to_{target.name}{name}",
                [each],
                [Output(target.tensor, parameters, holds_integers=True)],
                [each.integers, target.tensor],
            )


@cases("ADD", "SUB", "MUL", "DIV")
def _arithmetic(made: Cases) -> None:
    for kind in FLOATS if made.operation == "DIV" else (FLOAT32, FLOAT16, QUANT8):
        for name, (a_shape, b_shape) in _BROADCASTS.items():
            for code in range(4) if name == "documented" else (0,):
                a = made.uniform(-4, 4, *a_shape)
                b = made.uniform(-3, 3, *b_shape)
                if made.operation == "DIV":
                    b = np.where(b < 0, b - 0.25, b + 0.25)
                made.add(
                    f"{kind.name}_{name}_activation{code}",
                    [kind.make(a), kind.make(b), int32(code)],
                    [kind.output()],
                )
        for name, (a_shape, b_shape) in {
            "empty": ((0, 2), (1, 2)),
            "empty_both": ((2, 0), (2, 0)),
        }.items():
            a_operand = kind.make(np.zeros(a_shape))
            b_operand = kind.make(np.zeros(b_shape))
            output = kind.output(quantization(0.5, 3) if kind.is_quantized else None)
            made.add(f"{kind.name}_{name}", [a_operand, b_operand, int32(0)], [output])
    if made.operation != "DIV":
        # Every integer with several others, and results beyond the range of the output.
        a_operand = integers(QUANT8.tensor, np.arange(256).reshape(256, 1), quantization(0.25, 30))
        b_operand = integers(QUANT8.tensor, [[0, 3, 100, 255]], quantization(0.11, 90))
        output = QUANT8.output(quantization(0.2, 120))
        made.add("quant8_saturating", [a_operand, b_operand, int32(0)], [output])
    large = FLOAT32.make([1e30, -1e30, 1e-30, 1.0, 16777216.0])
    small = FLOAT32.make([1e30, 1e30, 1e-30, 1e-20, 1.0])
    made.add("float32_magnitudes", [large, small, int32(0)], [FLOAT32.output()])


@cases("POW")
def _power(made: Cases) -> None:
    for kind in FLOATS:
        for name, (a_shape, b_shape) in _BROADCASTS.items():
            base, exponent = made.uniform(0.1, 4, *a_shape), made.uniform(-2, 3, *b_shape)
            made.add(f"{kind.name}_{name}", [kind.make(base), kind.make(exponent)], [kind.output()])
        # Negative numbers have powers with whole exponents.
        base, exponent = made.uniform(-3, 3, 4, 3), made.integers(-2, 3, 3)
        made.add(f"{kind.name}_whole", [kind.make(base), kind.make(exponent)], [kind.output()])


@cases("PRELU")
def _prelu(made: Cases) -> None:
    for kind in (FLOAT32, FLOAT16, QUANT8):
        for name, (a_shape, b_shape) in _BROADCASTS.items():
            values, slopes = made.uniform(-4, 4, *a_shape), made.uniform(-1, 2, *b_shape)
            made.add(f"{kind.name}_{name}", [kind.make(values), kind.make(slopes)], [kind.output()])
    operand = integers(QUANT8.tensor, np.arange(256).reshape(256, 1), quantization(0.25, 128))
    alpha = QUANT8.make([0.1, 0.5, -0.25, 1.0])
    made.add("quant8_every_value", [operand, alpha], [QUANT8.output(quantization(0.2, 100))])


def _comparable(made: Cases, kind: Kind, *dimensions: int) -> Operand:
    """An operand of few different values, so that some are equal."""
    if kind is BOOL8:
        return kind.make(made.integers(0, 1, *dimensions))
    if kind is QUANT8:
        return integers(kind.tensor, made.integers(100, 106, *dimensions), quantization(0.5, 103))
    return kind.make(made.integers(-3, 3, *dimensions) * (1 if kind is INT32 else 0.5))


@cases("EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL")
def _comparison(made: Cases) -> None:
    for kind in EVERYTHING:
        for name, (a_shape, b_shape) in _BROADCASTS.items():
            a, b = _comparable(made, kind, *a_shape), _comparable(made, kind, *b_shape)
            made.add(f"{kind.name}_{name}", [a, b], [BOOL8.output()])
    # The real numbers are compared, whatever integers stand for them.
    a = integers(QUANT8.tensor, np.arange(0, 256, 5).reshape(-1, 1), quantization(0.5, 128))
    b = integers(QUANT8.tensor, np.arange(0, 256, 5), quantization(0.25, 40))
    made.add("quant8_scales", [a, b], [BOOL8.output()])
    extremes = INT32.make([-(2**31), -1, 0, 1, 2**31 - 1])
    others = INT32.make([[-(2**31)], [2**31 - 1], [2**31 - 2]])
    made.add("int32_extremes", [extremes, others], [BOOL8.output()])
    a = FLOAT32.make([0.0, -0.0, 1.0, np.inf, -np.inf, 1e-38])
    b = FLOAT32.make([[0.0], [np.inf], [-np.inf], [1.0]])
    made.add("float32_special", [a, b], [BOOL8.output()])


@cases("LOGICAL_AND", "LOGICAL_OR")
def _logical(made: Cases) -> None:
    for name, (a_shape, b_shape) in _BROADCASTS.items():
        a, b = _comparable(made, BOOL8, *a_shape), _comparable(made, BOOL8, *b_shape)
        made.add(name, [a, b], [BOOL8.output()])


@cases("MAXIMUM", "MINIMUM")
def _extremum(made: Cases) -> None:
    for kind in NUMBERS:
        for name, (a_shape, b_shape) in _BROADCASTS.items():
            a = kind.make(made.uniform(-9, 9, *a_shape))
            b = kind.make(made.uniform(-9, 9, *b_shape))
            made.add(f"{kind.name}_{name}", [a, b], [kind.output()])
    a = integers(QUANT8.tensor, np.arange(256).reshape(256, 1), quantization(0.5, 128))
    b = integers(QUANT8.tensor, [0, 60, 255], quantization(0.3, 40))
    made.add("quant8_scales", [a, b], [QUANT8.output(quantization(0.4, 110))])
    extremes = INT32.make([-(2**31), -1, 0, 1, 2**31 - 1])
    made.add("int32_extremes", [extremes, INT32.make([[0], [-(2**31)]])], [INT32.output()])


@cases("SELECT")
def _select(made: Cases) -> None:
    for kind in NUMBERS:
        for rank in range(1, 6):
            shape = (3, 2, 1, 2, 2)[:rank]
            mask = BOOL8.make(made.integers(0, 1, *shape))
            if kind is QUANT8:
                a = integers(kind.tensor, made.integers(0, 255, *shape), quantization(0.5, 128))
                b = integers(kind.tensor, made.integers(0, 255, *shape), quantization(0.5, 128))
                output = kind.output(quantization(0.5, 128))
            else:
                a, b = (kind.make(made.uniform(-9, 9, *shape)) for _ in range(2))
                output = kind.output()
            made.add(f"{kind.name}_rank{rank}", [mask, a, b], [output])
