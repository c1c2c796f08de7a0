# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Operations along some dimensions of a tensor: reductions and normalizations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .movement import from_nhwc, to_nhwc, whole
from .operands import Array
from .registry import Result, formula

_Reduction = Callable[..., Any]


def reduce(reduction: _Reduction, values: Array, axes: Array, keep_dimensions: bool) -> Array:
    """`values` reduced along `axes`, some of which may be negative or named twice. A tensor that is
    reduced along all its dimensions and keeps none has one element in one dimension: in the HAL,
    no dimensions at all would mean an unknown rank."""
    chosen = tuple({axis % values.ndim for axis in whole(axes)})
    reduced = np.asarray(reduction(values, axis=chosen, keepdims=keep_dimensions), np.float64)
    return reduced if reduced.ndim else reduced.reshape(1)


@formula("MEAN")
def _mean(values: Array, axes: Array, keep_dimensions: int) -> Result:
    is_kept = keep_dimensions > 0
    return Result(
        reduce(np.mean, values, axes, is_kept), reduce(np.mean, np.abs(values), axes, is_kept)
    )


@formula("REDUCE_SUM")
def _sum(values: Array, axes: Array, is_kept: bool) -> Result:
    return Result(
        reduce(np.sum, values, axes, is_kept), reduce(np.sum, np.abs(values), axes, is_kept)
    )


@formula("REDUCE_PROD")
def _product(values: Array, axes: Array, is_kept: bool) -> Array:
    return reduce(np.prod, values, axes, is_kept)


@formula("REDUCE_MAX")
def _maximum(values: Array, axes: Array, is_kept: bool) -> Array:
    return reduce(np.max, values, axes, is_kept)


@formula("REDUCE_MIN")
def _minimum(values: Array, axes: Array, is_kept: bool) -> Array:
    return reduce(np.min, values, axes, is_kept)


@formula("REDUCE_ALL")
def _all(values: Array, axes: Array, is_kept: bool) -> Array:
    return reduce(np.all, values, axes, is_kept)


@formula("REDUCE_ANY")
def _any(values: Array, axes: Array, is_kept: bool) -> Array:
    return reduce(np.any, values, axes, is_kept)


@formula("SOFTMAX")
def _softmax(values: Array, beta: float, axis: int = -1) -> Array:
    if values.size == 0:
        return values
    exponentials = np.exp((values - values.max(axis, keepdims=True)) * beta)
    return np.asarray(exponentials / exponentials.sum(axis, keepdims=True))


@formula("LOG_SOFTMAX")
def _log_softmax(values: Array, beta: float, axis: int) -> Result:
    # logits * beta - log(reduce_sum(exp(logits * beta), axis)), with the greatest logit taken out
    # of the logarithm, where its exponential could be too large.
    logits = values * beta
    greatest = logits.max(axis, keepdims=True)
    logarithm = np.log(np.exp(logits - greatest).sum(axis, keepdims=True))
    return Result(
        logits - (greatest + logarithm), np.abs(logits) + np.abs(greatest) + np.abs(logarithm)
    )


@formula("L2_NORMALIZATION")
def _l2_normalization(values: Array, axis: int = -1) -> Array:
    return np.asarray(values / np.sqrt((values**2).sum(axis, keepdims=True)))


@formula("LOCAL_RESPONSE_NORMALIZATION")
def _local_response_normalization(
    values: Array, radius: int, bias: float, alpha: float, beta: float, axis: int = -1
) -> Array:
    depth_last = np.moveaxis(values, axis, -1)
    depth = depth_last.shape[-1]
    sums = np.empty_like(depth_last)
    for d in range(depth):
        window = depth_last[..., max(0, d - radius) : d + radius + 1]
        sums[..., d] = (window**2).sum(-1)
    return np.moveaxis(depth_last / np.power(bias + alpha * sums, beta), -1, axis)


@formula("INSTANCE_NORMALIZATION")
def _instance_normalization(
    values: Array, gamma: float, beta: float, epsilon: float, is_nchw: bool
) -> Result:
    image = to_nhwc(values, is_nchw)
    mean = image.mean((1, 2), keepdims=True)
    variance = ((image - mean) ** 2).mean((1, 2), keepdims=True)
    root = np.sqrt(variance + epsilon)
    result = (image - mean) * gamma / root + beta
    # What the mean and the variance lose counts for as much as what they are computed from.
    spread = np.abs(image).max((1, 2), keepdims=True) ** 2 / (variance + epsilon)
    magnitudes = (np.abs(image) + np.abs(mean)) * abs(gamma) / root * (1 + spread) + abs(beta)
    return Result(from_nhwc(result, is_nchw), from_nhwc(magnitudes, is_nchw))
