# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Operations that compute each element from the elements at the same place.

Operands of different dimensions are broadcast, innermost dimensions aligned, which is NumPy's rule
as well (types.hal 1.0, ADD).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .operands import Array
from .registry import Result, formula


def activation(code: int, values: Array) -> Array:
    """A fused activation: none, RELU, RELU1 or RELU6 (types.hal 1.0, FusedActivationFunc)."""
    lowest, highest = {
        0: (-np.inf, np.inf),
        1: (0.0, np.inf),
        2: (-1.0, 1.0),
        3: (0.0, 6.0),
    }[code]
    return np.minimum(highest, np.maximum(lowest, values))


def logistic(values: Array) -> Array:
    """1 / (1 + exp(-x))."""
    return np.asarray(1 / (1 + np.exp(-values)))


# ---- Of one operand ----


@formula("ABS")
def _absolute(values: Array) -> Array:
    return np.abs(values)


@formula("EXP")
def _exponential(values: Array) -> Array:
    return np.exp(values)


@formula("FLOOR")
def _floor(values: Array) -> Array:
    return np.floor(values)


@formula("LOG")
def _logarithm(values: Array) -> Array:
    return np.log(values)


@formula("LOGICAL_NOT")
def _not(values: Array) -> Array:
    return np.asarray(values == 0, np.float64)


@formula("LOGISTIC")
def _logistic(values: Array) -> Array:
    return logistic(values)


@formula("NEG")
def _negative(values: Array) -> Array:
    return -values


def _rectified(code: int, values: Array) -> Result:
    # Of a NaN max and min may give either operand.
    magnitudes = np.where(np.isnan(values), np.inf, np.abs(values))
    return Result(activation(code, values), magnitudes)


@formula("RELU")
def _relu(values: Array) -> Result:
    return _rectified(1, values)


@formula("RELU1")
def _relu1(values: Array) -> Result:
    return _rectified(2, values)


@formula("RELU6")
def _relu6(values: Array) -> Result:
    return _rectified(3, values)


@formula("RSQRT")
def _reciprocal_square_root(values: Array) -> Array:
    return 1 / np.sqrt(values)


@formula("SIN")
def _sine(values: Array) -> Array:
    return np.sin(values)


@formula("SQRT")
def _square_root(values: Array) -> Array:
    return np.sqrt(values)


@formula("TANH")
def _hyperbolic_tangent(values: Array) -> Array:
    return np.tanh(values)


@formula("DEQUANTIZE")
def _dequantize(values: Array) -> Array:
    # The operand already stands for (input - zeroPoint) * scale.
    return values


@formula("QUANTIZE")
def _quantize(values: Array) -> Result:
    # Storing the result does what the formula says: it rounds and saturates. What a NaN becomes the
    # formula leaves open.
    return Result(values, np.where(np.isnan(values), np.inf, np.abs(values)))


def cast(values: Array, target: str) -> Result:
    """CAST to the type `target`, which the operation knows from its output.

    The documentation does not say how a number with a fraction becomes an integer; Android's
    implementation casts as C++ does, towards zero. What is out of range saturates in
    TENSOR_QUANT8_ASYMM there; of what is out of the range of INT32, C++ says nothing.
    """
    if target in ("TENSOR_FLOAT32", "TENSOR_FLOAT16"):
        return Result(values)
    lowest, highest = (0, 255) if target == "TENSOR_QUANT8_ASYMM" else (-(2**31), 2**31 - 1)
    whole = np.trunc(values)
    is_open = np.isnan(values)
    if target == "TENSOR_INT32":
        is_open |= (whole < lowest) | (whole > highest)
    whole = np.clip(np.nan_to_num(whole, nan=0.0), lowest, highest)
    return Result(whole, np.where(is_open, np.inf, np.abs(whole)))


@formula("CAST", takes_integers=True)
def _cast(values: Array, target: str) -> Result:
    return cast(values, target)


# ---- Of two operands ----


@formula("ADD")
def _add(a: Array, b: Array, code: int) -> Result:
    return Result(activation(code, a + b), np.abs(a) + np.abs(b))


@formula("SUB")
def _subtract(a: Array, b: Array, code: int) -> Result:
    return Result(activation(code, a - b), np.abs(a) + np.abs(b))


@formula("MUL")
def _multiply(a: Array, b: Array, code: int) -> Result:
    return Result(activation(code, a * b), np.abs(a * b))


@formula("DIV")
def _divide(a: Array, b: Array, code: int) -> Result:
    return Result(activation(code, a / b), np.abs(a / b))


@formula("POW")
def _power(base: Array, exponent: Array) -> Array:
    return np.power(base, exponent)


@formula("PRELU")
def _prelu(values: Array, alpha: Array) -> Array:
    return np.where(values >= 0, values, alpha * values)


@formula("MAXIMUM")
def _maximum(a: Array, b: Array) -> Array:
    return np.maximum(a, b)


@formula("MINIMUM")
def _minimum(a: Array, b: Array) -> Array:
    return np.minimum(a, b)


def _truth(values: Any) -> Array:
    return np.asarray(values, np.float64)


@formula("EQUAL")
def _equal(a: Array, b: Array) -> Array:
    return _truth(a == b)


@formula("NOT_EQUAL")
def _not_equal(a: Array, b: Array) -> Array:
    return _truth(a != b)


@formula("LESS")
def _less(a: Array, b: Array) -> Array:
    return _truth(a < b)


@formula("LESS_EQUAL")
def _less_equal(a: Array, b: Array) -> Array:
    return _truth(a <= b)


@formula("GREATER")
def _greater(a: Array, b: Array) -> Array:
    return _truth(a > b)


@formula("GREATER_EQUAL")
def _greater_equal(a: Array, b: Array) -> Array:
    return _truth(a >= b)


@formula("LOGICAL_AND")
def _and(a: Array, b: Array) -> Array:
    return _truth((a != 0) & (b != 0))


@formula("LOGICAL_OR")
def _or(a: Array, b: Array) -> Array:
    return _truth((a != 0) | (b != 0))


@formula("SELECT")
def _select(mask: Array, chosen: Array, otherwise: Array) -> Array:
    return np.where(mask != 0, chosen, otherwise)
