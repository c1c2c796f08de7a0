# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Operations that move, repeat, select and look up elements, and compute nothing."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .operands import Array
from .registry import formula


def whole(values: Array) -> list[int]:
    """The values of a parameter such as axes, as ints."""
    return [int(value) for value in values.ravel()]


def to_nhwc(values: Array, is_nchw: bool) -> Array:
    """An image in the layout NHWC."""
    return values.transpose(0, 2, 3, 1) if is_nchw else values


def from_nhwc(values: Array, is_nchw: bool) -> Array:
    """An image in the layout that was asked for."""
    return values.transpose(0, 3, 1, 2) if is_nchw else values


@formula("CONCATENATION")
def _concatenate(*operands: Array) -> Array:
    return np.concatenate(operands[:-1], int(operands[-1]))


@formula("RESHAPE")
def _reshape(values: Array, shape: Array) -> Array:
    return values.reshape(whole(shape))


@formula("SQUEEZE")
def _squeeze(values: Array, axes: Optional[Array] = None) -> Array:
    # The documentation does not speak of negative axes; Android counts them from the end.
    chosen = range(values.ndim) if axes is None else [axis % values.ndim for axis in whole(axes)]
    shape = [size for axis, size in enumerate(values.shape) if axes is None or axis not in chosen]
    return values.reshape([size for size in shape if size != 1 or axes is not None])


@formula("EXPAND_DIMS")
def _expand(values: Array, axis: int) -> Array:
    return np.expand_dims(values, axis)


@formula("TRANSPOSE")
def _transpose(values: Array, permutation: Optional[Array] = None) -> Array:
    if permutation is None:
        return values.transpose()
    return values.transpose(whole(permutation))


@formula("SLICE")
def _slice(values: Array, begin: Array, size: Array) -> Array:
    slices = tuple(
        slice(first, None if count == -1 else first + count)
        for first, count in zip(whole(begin), whole(size))
    )
    return values[slices]


@formula("STRIDED_SLICE")
def _strided_slice(
    values: Array,
    begin: Array,
    end: Array,
    strides: Array,
    begin_mask: int,
    end_mask: int,
    shrink_mask: int,
) -> Array:
    # What negative places and places beyond the end mean the documentation leaves to its example,
    # TensorFlow, where it is what it means in Python's slices.
    indexes: list[Any] = []
    for axis, (first, last, step) in enumerate(zip(whole(begin), whole(end), whole(strides))):
        bit = 1 << axis
        if shrink_mask & bit:
            # Where begin is not to count, or lies outside, the documentation is silent; Android
            # takes the place that a slice would begin at.
            if begin_mask & bit:
                first = 0 if step > 0 else -1
            size = values.shape[axis]
            indexes.append(min(max(first if first >= 0 else first + size, 0), size - 1))
        else:
            indexes.append(
                slice(None if begin_mask & bit else first, None if end_mask & bit else last, step)
            )
    return np.asarray(values[tuple(indexes)])


@formula("SPLIT")
def _split(values: Array, axis: int, count: int) -> list[Array]:
    return list(np.split(values, count, axis))


@formula("TILE")
def _tile(values: Array, multiples: Array) -> Array:
    return np.tile(values, whole(multiples))


@formula("GATHER")
def _gather(values: Array, axis: int, indices: Array) -> Array:
    return np.take(values, indices.astype(np.int64), axis)


def _padded(values: Array, paddings: Array, value: float) -> Array:
    widths = [(int(before), int(after)) for before, after in paddings]
    return np.pad(values, widths, constant_values=value)


@formula("PAD")
def _pad(values: Array, paddings: Array) -> Array:
    # With zero points other than 0 the padding is the zero point, "the logical zero".
    return _padded(values, paddings, 0.0)


@formula("PAD_V2")
def _pad_v2(values: Array, paddings: Array, value: float) -> Array:
    return _padded(values, paddings, value)


@formula("DEPTH_TO_SPACE")
def _depth_to_space(values: Array, block: int, is_nchw: bool = False) -> Array:
    # The documentation does not say which part of the depth a place in the block takes; in
    # TensorFlow, and in Android, depth is (row in block, column in block, channel).
    image = to_nhwc(values, is_nchw)
    batches, height, width, depth = image.shape
    channels = depth // (block * block)
    parts = image.reshape(batches, height, width, block, block, channels)
    result = parts.transpose(0, 1, 3, 2, 4, 5)
    return from_nhwc(result.reshape(batches, height * block, width * block, channels), is_nchw)


@formula("SPACE_TO_DEPTH")
def _space_to_depth(values: Array, block: int, is_nchw: bool = False) -> Array:
    # The order within the depth: see DEPTH_TO_SPACE, whose inverse this is.
    image = to_nhwc(values, is_nchw)
    batches, height, width, channels = image.shape
    rows, columns = height // block, width // block
    parts = image.reshape(batches, rows, block, columns, block, channels)
    result = parts.transpose(0, 1, 3, 2, 4, 5)
    return from_nhwc(result.reshape(batches, rows, columns, block * block * channels), is_nchw)


@formula("BATCH_TO_SPACE_ND")
def _batch_to_space(values: Array, blocks: Array, is_nchw: bool = False) -> Array:
    image = to_nhwc(values, is_nchw)
    block_height, block_width = whole(blocks)
    batches, height, width, depth = image.shape
    # The batch dimension is block_shape + [batch].
    count = batches // (block_height * block_width)
    parts = image.reshape(block_height, block_width, count, height, width, depth)
    result = parts.transpose(2, 3, 0, 4, 1, 5)
    return from_nhwc(
        result.reshape(count, height * block_height, width * block_width, depth), is_nchw
    )


@formula("SPACE_TO_BATCH_ND")
def _space_to_batch(values: Array, blocks: Array, paddings: Array, is_nchw: bool = False) -> Array:
    image = to_nhwc(values, is_nchw)
    block_height, block_width = whole(blocks)
    no_padding = np.zeros((1, 2))
    image = _padded(image, np.concatenate([no_padding, paddings, no_padding]), 0.0)
    batches, height, width, depth = image.shape
    rows, columns = height // block_height, width // block_width
    parts = image.reshape(batches, rows, block_height, columns, block_width, depth)
    result = parts.transpose(2, 4, 0, 1, 3, 5)
    return from_nhwc(
        result.reshape(block_height * block_width * batches, rows, columns, depth), is_nchw
    )


@formula("CHANNEL_SHUFFLE")
def _channel_shuffle(values: Array, groups: int, axis: int) -> Array:
    # output_channel[k * groups + g] = input_channel[g * group_size + k]
    channels = values.shape[axis]
    group_size = channels // groups
    order = [g * group_size + k for k in range(group_size) for g in range(groups)]
    return np.take(values, order, axis)


@formula("EMBEDDING_LOOKUP")
def _embedding_lookup(lookups: Array, values: Array) -> Array:
    return values[whole(lookups)]


@formula("HASHTABLE_LOOKUP")
def _hashtable_lookup(lookups: Array, keys: Array, values: Array) -> list[Array]:
    rows, hits = [], []
    for wanted in lookups:
        found = np.flatnonzero(keys == wanted)
        hits.append(float(found.size > 0))
        rows.append(values[found[0]] if found.size else np.zeros(values.shape[1:]))
    return [np.array(rows), np.array(hits)]


@formula("TOPK_V2")
def _top_k(values: Array, count: int) -> list[Array]:
    # In descending order; of two that are equal, the one with the larger index comes first.
    ascending = np.argsort(values, axis=-1, kind="stable")
    order = np.flip(ascending, -1)[..., :count]
    return [np.take_along_axis(values, order, -1), order.astype(np.float64)]


@formula("ARGMAX")
def _argument_of_maximum(values: Array, axis: int) -> Array:
    # Which of several greatest elements is meant is left open: cases have only one.
    return np.asarray(np.argmax(values, axis), np.float64)


@formula("ARGMIN")
def _argument_of_minimum(values: Array, axis: int) -> Array:
    return np.asarray(np.argmin(values, axis), np.float64)
