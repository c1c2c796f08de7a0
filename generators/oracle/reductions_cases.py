# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases of the operations of reductions.py."""

from __future__ import annotations

from typing import Final

import numpy as np

from .layouts import STATED_LAYOUTS
from .operands import (
    BOOL8,
    FLOATS,
    FLOATS_AND_QUANT8,
    QUANT8,
    Kind,
    Operand,
    Output,
    Role,
    boolean,
    int32,
    int32s,
    integers,
    quantization,
)
from .registry import Cases, cases

_QUANTIZATION: Final = quantization(0.25, 100)

_REDUCTIONS: Final = {
    "first": ((2, 3, 4), [0]),
    "last": ((2, 3, 4), [-1]),
    "inner": ((2, 3, 4, 2), [1, 2]),
    "outer": ((2, 3, 4), [0, 2]),
    "twice": ((2, 3, 4), [1, -2, 1]),
    "vector": ((5,), [0]),
    "everything": ((2, 3), [0, 1]),
    "long": ((2, 500), [1]),
}


def _operand(made: Cases, kind: Kind, *dimensions: int) -> Operand:
    if kind is QUANT8:
        return integers(kind.tensor, made.integers(0, 255, *dimensions), _QUANTIZATION)
    if kind is BOOL8:
        return kind.make(made.integers(0, 1, *dimensions))
    return kind.make(made.uniform(-4, 4, *dimensions))


_KINDS: Final = {
    "MEAN": FLOATS_AND_QUANT8,
    "REDUCE_ALL": (BOOL8,),
    "REDUCE_ANY": (BOOL8,),
    "REDUCE_MAX": FLOATS_AND_QUANT8,
    "REDUCE_MIN": FLOATS_AND_QUANT8,
    "REDUCE_PROD": FLOATS,
    "REDUCE_SUM": FLOATS,
}


@cases(*_KINDS)
def _reduction(made: Cases) -> None:
    for kind in _KINDS[made.operation]:
        output = kind.output(_QUANTIZATION if kind is QUANT8 else None)
        for name, (shape, axes) in _REDUCTIONS.items():
            for is_kept in (False, True):
                for role in (Role.CONSTANT, Role.INPUT):
                    operand = _operand(made, kind, *shape)
                    if made.operation == "REDUCE_PROD" and name == "long":
                        # The product neither vanishes nor grows out of range.
                        operand = kind.make(made.uniform(0.9, 1.1, *shape))
                    keep = int32(is_kept) if made.operation == "MEAN" else boolean(is_kept)
                    made.add(
                        f"{kind.name}_{name}_{'kept' if is_kept else 'dropped'}"
                        f"_{role.name.lower()}",
                        [operand, int32s(axes, role), keep],
                        [output],
                    )
    if made.operation == "MEAN":
        # keep_dims counts only if it is above 0.
        operand = _operand(made, FLOATS[0], 2, 3)
        for value in (-1, 7):
            name = f"float32_keep_dims{value}".replace("-", "minus")
            made.add(name, [operand, int32s([1]), int32(value)], [FLOATS[0].output()])


@cases("SOFTMAX")
def _softmax(made: Cases) -> None:
    for kind in FLOATS_AND_QUANT8:
        output = kind.output(quantization(1 / 256, 0) if kind is QUANT8 else None)
        for rank in range(1, 5):
            shape = (5, 2, 3, 4)[:rank]
            for name, beta in {"plain": 1.0, "scaled": 0.3}.items():
                operand = kind.make(made.uniform(-6, 6, *shape))
                made.add(f"{kind.name}_rank{rank}_{name}", [operand, kind.real(beta)], [output])
            for axis in range(-rank, rank):
                name = f"{kind.name}_rank{rank}_axis{axis}".replace("-", "minus")
                operand = kind.make(made.uniform(-6, 6, *shape))
                made.add(name, [operand, kind.real(1.7), int32(axis)], [output])
        empty = kind.make(np.zeros((0, 3)))
        made.add(f"{kind.name}_empty", [empty, kind.real(1)], [output])
    # Exponentials of what is not shifted first would be infinite.
    large = FLOATS[0].make([[1000.0, 999.0, -1000.0], [-5e4, -5e4, -6e4]])
    made.add("float32_large", [large, FLOATS[0].real(1)], [FLOATS[0].output()])


@cases("LOG_SOFTMAX")
def _log_softmax(made: Cases) -> None:
    for kind in FLOATS:
        for rank in range(1, 6):
            shape = (3, 2, 3, 4, 2)[:rank]
            for axis in range(-rank, rank):
                name = f"{kind.name}_rank{rank}_axis{axis}".replace("-", "minus")
                operand = kind.make(made.uniform(-6, 6, *shape))
                beta = kind.real(1.7 if axis % 2 else 0.4)
                made.add(name, [operand, beta, int32(axis)], [kind.output()])
    large = FLOATS[0].make([[1000.0, 999.0, -1000.0], [-5e4, -5e4, -6e4]])
    made.add("float32_large", [large, FLOATS[0].real(1), int32(-1)], [FLOATS[0].output()])


@cases("L2_NORMALIZATION")
def _l2_normalization(made: Cases) -> None:
    for kind in FLOATS_AND_QUANT8:
        output = kind.output(quantization(1 / 128, 128) if kind is QUANT8 else None)
        for rank in range(1, 5):
            shape = (3, 2, 4, 3)[:rank]
            operand = kind.make(made.uniform(-6, 6, *shape))
            made.add(f"{kind.name}_rank{rank}", [operand], [output])
            for axis in range(-rank, rank):
                name = f"{kind.name}_rank{rank}_axis{axis}".replace("-", "minus")
                operand = kind.make(made.uniform(-6, 6, *shape))
                made.add(name, [operand, int32(axis)], [output])


@cases("LOCAL_RESPONSE_NORMALIZATION")
def _local_response_normalization(made: Cases) -> None:
    for kind in FLOATS:
        for rank in range(1, 5):
            shape = (4, 2, 3, 6)[:rank]
            for radius in (0, 2, 20):
                scalars = [kind.real(value) for value in (1.5, 0.25, 0.75)]
                operand = kind.make(made.uniform(-4, 4, *shape))
                made.add(
                    f"{kind.name}_rank{rank}_radius{radius}",
                    [operand, int32(radius), *scalars],
                    [kind.output()],
                )
            for axis in range(-rank, rank):
                name = f"{kind.name}_rank{rank}_axis{axis}".replace("-", "minus")
                scalars = [kind.real(value) for value in (4.0, 1.0, 0.5)]
                operand = kind.make(made.uniform(-4, 4, *shape))
                made.add(name, [operand, int32(1), *scalars, int32(axis)], [kind.output()])


@cases("INSTANCE_NORMALIZATION")
def _instance_normalization(made: Cases) -> None:
    for kind in FLOATS:
        for layout in STATED_LAYOUTS:
            for name, (gamma, beta, epsilon) in {
                "plain": (1.0, 0.0, 2.0**-10),
                "scaled": (-1.5, 0.75, 0.25),
            }.items():
                # A mean far from zero tells the variance from the mean of squares.
                image = made.uniform(-1, 5, 2, 3, 4, 3)
                scalars = [kind.real(value) for value in (gamma, beta, epsilon)]
                made.add(
                    f"{kind.name}_{name}_{layout.name}",
                    [kind.make(layout.image(image)), *scalars, *layout.operands],
                    [Output(kind.tensor)],
                )
