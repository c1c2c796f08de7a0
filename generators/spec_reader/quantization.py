# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Conversion of values between operand types, by way of the real numbers that they stand for.

The arithmetic is Android's, in single precision, so that converted values are the same to the
last digit. A sum, difference, product or quotient of two single precision numbers that is computed
in double precision and then rounded is the correctly rounded one (double has more than twice the
digits), so plain Python does it.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator

from .errors import SpecError
from .operands import OperandType
from .storage import Number, Values


def convert(values: Values, source: OperandType, target: OperandType) -> list[Number]:
    """`values` of the type `source` as the nearest of the type `target`.

    real = (value - zeroPoint) * scale * channelScale, and back: real / scale / channelScale +
    zeroPoint, rounded to the nearest, ties to even, and saturated where ElementType.clamp says so.
    A scale of 0 counts as 1. `values` has as many elements as the dimensions ask for.
    """
    return _quantize(_dequantize(values, source), target)


def quantize_bound(bound: float, type_: OperandType) -> Number:
    """The bound of an activation function as a value of the type `type_`."""
    real = bound / type_.scale if type_.scale else bound
    real += type_.zeroPoint
    return real if type_.element.is_float else _round_and_clamp(real, type_)


def _dequantize(values: Values, type_: OperandType) -> list[float]:
    reals = _single(float(value) for value in values)
    if type_.zeroPoint:
        reals = _single(value - type_.zeroPoint for value in reals)
    if type_.scale:
        scale = _scale_factor(type_)
        reals = _single(value * scale for value in reals)
    if type_.extraParams is not None:
        reals = _single(value * scale for value, scale in zip(reals, _channel_scales(type_)))
    return reals


def _quantize(reals: list[float], type_: OperandType) -> list[Number]:
    if type_.scale:
        scale = _scale_factor(type_)
        reals = _single(value / scale for value in reals)
    if type_.extraParams is not None:
        # From here on Android's arithmetic is in double precision.
        reals = [value / scale for value, scale in zip(reals, _channel_scales(type_))]
        reals = [value + type_.zeroPoint for value in reals]
    else:
        # Added even if it is 0, like Android does: it makes a negative zero a positive one.
        reals = _single(value + type_.zeroPoint for value in reals)
    if type_.element.is_float:
        return list(reals)
    return [_round_and_clamp(value, type_) for value in reals]


def _round_and_clamp(value: float, type_: OperandType) -> int:
    if not math.isfinite(value):
        raise SpecError(f"{value} cannot be converted to {type_.type}", "finite numbers")
    rounded = round(value)
    if type_.element.clamp is not None:
        lowest, highest = type_.element.clamp
        rounded = max(rounded, lowest)
        if highest is not None:
            rounded = min(rounded, highest)
    return rounded


def _single(values: Iterable[float]) -> list[float]:
    """Each value rounded to single precision."""
    return array("f", values).tolist()


def _scale_factor(type_: OperandType) -> float:
    # Tensors are scaled in single precision; of a scalar Android rounds the product alone.
    return _single([type_.scale])[0] if type_.dimensions else type_.scale


def _channel_scales(type_: OperandType) -> Iterator[float]:
    """The scale of each element, row-major."""
    parameters = type_.extraParams
    assert parameters is not None
    dimension, scales = parameters.channelDim, parameters.scales
    if dimension >= len(type_.dimensions) or len(scales) not in (1, type_.dimensions[dimension]):
        raise SpecError(
            f"{len(scales)} scales along dimension {dimension} of {list(type_.dimensions)}",
            "one scale for each index along channelDim",
        )
    if len(scales) == 1:
        scales = scales * type_.dimensions[dimension]
    inner = math.prod(type_.dimensions[dimension + 1 :])
    for _ in range(math.prod(type_.dimensions[:dimension])):
        for scale in scales:
            for _ in range(inner):
                yield scale
