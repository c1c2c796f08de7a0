# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Convolutions, the fully connected layer, pooling, and resizing of images."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .elementwise import activation
from .movement import from_nhwc, to_nhwc, whole
from .operands import Array
from .registry import Result, formula

_SAME, _VALID = 1, 2
# No PaddingCode, and not said to be invalid: Android pads nothing.
_UNKNOWN = 0


@dataclass(frozen=True)
class Line:
    """How windows lie along the height or the width of an image."""

    stride: int
    padding_before: int
    output_size: int
    dilation: int = 1

    def place(self, window: int, offset: int) -> int:
        """Where element `offset` of a window lies in the image, maybe outside of it."""
        return window * self.stride - self.padding_before + offset * self.dilation


def explicit_line(
    size: int, window: int, before: int, after: int, stride: int, dilation: int = 1
) -> Line:
    """With padding in front and behind: as many windows as fit."""
    extent = (window - 1) * dilation + 1
    return Line(stride, before, (size + before + after - extent) // stride + 1, dilation)


def implicit_line(size: int, window: int, scheme: int, stride: int, dilation: int = 1) -> Line:
    """With padding by a scheme: VALID is none, SAME as much as makes the output ceil(size / stride)
    long, the half of it, rounded down, in front (NeuralNetworks.h, PaddingCode)."""
    if scheme in (_UNKNOWN, _VALID):
        return explicit_line(size, window, 0, 0, stride, dilation)
    assert scheme == _SAME
    output_size = -(-size // stride)
    extent = (window - 1) * dilation + 1
    total = max(0, (output_size - 1) * stride + extent - size)
    return Line(stride, total // 2, output_size, dilation)


def lines(
    image: Array, window: Sequence[int], parameters: Sequence[int], dilations: tuple[int, int]
) -> tuple[Line, Line]:
    """The lines of the height and the width of an image in NHWC. `window` is a height and a width.
    `parameters` are those of the operation: left, right, top, bottom, stride of the width, stride
    of the height; or scheme, stride of the width, stride of the height. `dilations` are of the
    width and of the height."""
    height, width = image.shape[1:3]
    if len(parameters) == 6:
        left, right, top, bottom, stride_width, stride_height = parameters
        return (
            explicit_line(height, window[0], top, bottom, stride_height, dilations[1]),
            explicit_line(width, window[1], left, right, stride_width, dilations[0]),
        )
    scheme, stride_width, stride_height = parameters
    return (
        implicit_line(height, window[0], scheme, stride_height, dilations[1]),
        implicit_line(width, window[1], scheme, stride_width, dilations[0]),
    )


def convolve(image: Array, weights: Array, rows: Line, columns: Line) -> Array:
    """output[b, i, j, o] = sum over di, dj, k of image[b, row, column, k] * weights[o, di, dj, k],
    with zeros outside of the image."""
    batches, height, width, _ = image.shape
    depth_out, window_height, window_width, _ = weights.shape
    result = np.zeros((batches, rows.output_size, columns.output_size, depth_out))
    for i in range(rows.output_size):
        for j in range(columns.output_size):
            for di in range(window_height):
                for dj in range(window_width):
                    row, column = rows.place(i, di), columns.place(j, dj)
                    if 0 <= row < height and 0 <= column < width:
                        result[:, i, j] += image[:, row, column] @ weights[:, di, dj].T
    return result


def _layer(result: Array, magnitudes: Array, bias: Array, code: int, is_nchw: bool) -> Result:
    """What a convolution makes of its sums."""
    return Result(
        from_nhwc(activation(code, result + bias), is_nchw),
        from_nhwc(magnitudes + np.abs(bias), is_nchw),
    )


def _options(options: Sequence[Any]) -> tuple[bool, tuple[int, int]]:
    """Layout, and the dilations of width and height, of operations where they may be left out."""
    is_nchw = bool(options[0]) if options else False
    return is_nchw, (options[1], options[2]) if len(options) == 3 else (1, 1)


def _parameter_count(operands: Sequence[Any], explicit_count: int) -> int:
    """How many operands say where windows lie: 6 with explicit padding, 3 with implicit.

    With explicit padding, `explicit_count` operands come before the layout, which is the one BOOL.
    """
    before_layout = next(
        (place for place, value in enumerate(operands) if isinstance(value, bool)), len(operands)
    )
    return 6 if before_layout == explicit_count else 3


@formula("CONV_2D")
def _conv_2d(values: Array, weights: Array, bias: Array, *others: Any) -> Result:
    # Six or three parameters, the activation; then, if they are given, layout and dilations.
    count = _parameter_count(others, 7)
    parameters, code, options = others[:count], others[count], others[count + 1 :]
    is_nchw, dilations = _options(options)
    image = to_nhwc(values, is_nchw)
    rows, columns = lines(image, weights.shape[1:3], parameters, dilations)
    return _layer(
        convolve(image, weights, rows, columns),
        convolve(np.abs(image), np.abs(weights), rows, columns),
        bias,
        code,
        is_nchw,
    )


def _depthwise_weights(weights: Array, depth_in: int, multiplier: int) -> Array:
    """Depthwise weights [1, h, w, depth_in * multiplier] as those of a convolution: the filter of
    output channel k * multiplier + q is zero but for input channel k."""
    _, height, width, depth_out = weights.shape
    full = np.zeros((depth_out, height, width, depth_in))
    for k in range(depth_in):
        for q in range(multiplier):
            channel = k * multiplier + q
            full[channel, :, :, k] = weights[0, :, :, channel]
    return full


@formula("DEPTHWISE_CONV_2D")
def _depthwise_conv_2d(values: Array, weights: Array, bias: Array, *others: Any) -> Result:
    # Six or three parameters, multiplier, activation; then, if they are given, layout and dilations.
    count = _parameter_count(others, 8)
    parameters, options = others[:count], others[count + 2 :]
    multiplier, code = others[count : count + 2]
    is_nchw, dilations = _options(options)
    image = to_nhwc(values, is_nchw)
    full = _depthwise_weights(weights, image.shape[3], multiplier)
    rows, columns = lines(image, weights.shape[1:3], parameters, dilations)
    return _layer(
        convolve(image, full, rows, columns),
        convolve(np.abs(image), np.abs(full), rows, columns),
        bias,
        code,
        is_nchw,
    )


def _grouped_weights(weights: Array, groups: int) -> Array:
    """Weights [depth_out, h, w, depth_in / groups] as those of a convolution: output channels of a
    group see the input channels of the same group alone."""
    depth_out, height, width, group_depth = weights.shape
    full = np.zeros((depth_out, height, width, group_depth * groups))
    for channel in range(depth_out):
        group = channel // (depth_out // groups)
        full[channel, :, :, group * group_depth : (group + 1) * group_depth] = weights[channel]
    return full


@formula("GROUPED_CONV_2D")
def _grouped_conv_2d(values: Array, weights: Array, bias: Array, *others: Any) -> Result:
    # Six or three parameters, the number of groups, activation, layout.
    *parameters, groups, code, is_nchw = others
    image = to_nhwc(values, is_nchw)
    full = _grouped_weights(weights, groups)
    rows, columns = lines(image, weights.shape[1:3], parameters, (1, 1))
    return _layer(
        convolve(image, full, rows, columns),
        convolve(np.abs(image), np.abs(full), rows, columns),
        bias,
        code,
        is_nchw,
    )


def _scatter(image: Array, weights: Array, rows: Line, columns: Line, size: Sequence[int]) -> Array:
    """The transpose of a convolution of `rows` and `columns`: what goes from a place to a window
    there, comes back here."""
    batches, height, width, _ = image.shape
    depth_out, window_height, window_width, _ = weights.shape
    result = np.zeros((batches, size[0], size[1], depth_out))
    for i in range(height):
        for j in range(width):
            for di in range(window_height):
                for dj in range(window_width):
                    row, column = rows.place(i, di), columns.place(j, dj)
                    if 0 <= row < size[0] and 0 <= column < size[1]:
                        result[:, row, column] += image[:, i, j] @ weights[:, di, dj].T
    return result


@formula("TRANSPOSE_CONV_2D")
def _transpose_conv_2d(values: Array, weights: Array, bias: Array, *others: Any) -> Result:
    *parameters, code, is_nchw = others
    image = to_nhwc(values, is_nchw)
    height, width = image.shape[1:3]
    window_height, window_width = weights.shape[1:3]
    if len(parameters) == 6:
        left, right, top, bottom, stride_width, stride_height = parameters
        # The image of which a convolution would make the input.
        size = [
            (height - 1) * stride_height + window_height - top - bottom,
            (width - 1) * stride_width + window_width - left - right,
        ]
        rows = Line(stride_height, top, height)
        columns = Line(stride_width, left, width)
    else:
        shape, scheme, stride_width, stride_height = parameters
        output_shape = whole(shape)
        size = output_shape[2:4] if is_nchw else output_shape[1:3]
        rows = implicit_line(size[0], window_height, scheme, stride_height)
        columns = implicit_line(size[1], window_width, scheme, stride_width)
    return _layer(
        _scatter(image, weights, rows, columns, size),
        _scatter(np.abs(image), np.abs(weights), rows, columns, size),
        bias,
        code,
        is_nchw,
    )


@formula("FULLY_CONNECTED")
def _fully_connected(values: Array, weights: Array, bias: Array, code: int) -> Result:
    rows = values.reshape(-1, weights.shape[1])
    return Result(
        activation(code, rows @ weights.T + bias),
        np.abs(rows) @ np.abs(weights).T + np.abs(bias),
    )


def _pool(values: Array, others: Sequence[Any], pooled: Any) -> Array:
    """`pooled` of the elements of each window that lie in the image, for each channel."""
    # Six or three parameters, width and height of the window, activation, and maybe the layout.
    count = _parameter_count(others, 9)
    parameters = others[:count]
    window_width, window_height, code = others[count : count + 3]
    is_nchw = bool(others[count + 3]) if len(others) > count + 3 else False
    image = to_nhwc(values, is_nchw)
    rows, columns = lines(image, (window_height, window_width), parameters, (1, 1))
    batches, height, width, depth = image.shape
    result = np.zeros((batches, rows.output_size, columns.output_size, depth))
    for i in range(rows.output_size):
        for j in range(columns.output_size):
            top, left = rows.place(i, 0), columns.place(j, 0)
            window = image[
                :,
                max(0, top) : max(0, min(height, top + window_height)),
                max(0, left) : max(0, min(width, left + window_width)),
            ]
            result[:, i, j] = pooled(window)
    return from_nhwc(activation(code, result), is_nchw)


@formula("AVERAGE_POOL_2D")
def _average_pool_2d(values: Array, *others: Any) -> Result:
    def mean(window: Array) -> Any:
        return window.mean((1, 2))

    no_activation = _without_activation(others)
    return Result(_pool(values, others, mean), _pool(np.abs(values), no_activation, mean))


def _without_activation(others: Sequence[Any]) -> list[Any]:
    count = _parameter_count(others, 9)
    changed = list(others)
    changed[count + 2] = 0
    return changed


@formula("L2_POOL_2D")
def _l2_pool_2d(values: Array, *others: Any) -> Array:
    return _pool(values, others, lambda window: np.sqrt((window**2).mean((1, 2))))


@formula("MAX_POOL_2D")
def _max_pool_2d(values: Array, *others: Any) -> Array:
    return _pool(values, others, lambda window: window.max((1, 2)))


def _resized(size: int, wanted: Any) -> int:
    """The size that an image gets: a number of pixels, or a factor."""
    return wanted if isinstance(wanted, int) else math.floor(size * float(wanted))


@formula("RESIZE_BILINEAR")
def _resize_bilinear(values: Array, width: Any, height: Any, is_nchw: bool = False) -> Result:
    # The documentation leaves open where pixels lie. Android's implementation and TensorFlow's, of
    # the time, take output pixel i from place i * (input size / output size), so that the first
    # pixels agree; beyond the last one there is the last one.
    image = to_nhwc(values, is_nchw)
    new_height = _resized(image.shape[1], height)
    new_width = _resized(image.shape[2], width)

    def interpolation(size: int, new_size: int) -> Array:
        matrix = np.zeros((new_size, size))
        for i in range(new_size):
            low, rest = divmod(i * size, new_size)
            high = min(low + 1, size - 1)
            matrix[i, low] += 1 - rest / new_size
            matrix[i, high] += rest / new_size
        return matrix

    rows = interpolation(image.shape[1], new_height)
    columns = interpolation(image.shape[2], new_width)
    result = np.einsum("ih,jw,bhwc->bijc", rows, columns, image)
    magnitudes = np.einsum("ih,jw,bhwc->bijc", rows, columns, np.abs(image))
    return Result(from_nhwc(result, is_nchw), from_nhwc(magnitudes, is_nchw))


@formula("RESIZE_NEAREST_NEIGHBOR")
def _resize_nearest_neighbor(values: Array, width: Any, height: Any, is_nchw: bool) -> Array:
    # Output pixel i is input pixel floor(i * input size / output size), as in Android's
    # implementation; the documentation leaves open which pixel is the nearest.
    image = to_nhwc(values, is_nchw)
    new_height = _resized(image.shape[1], height)
    new_width = _resized(image.shape[2], width)
    rows = [i * image.shape[1] // new_height for i in range(new_height)]
    columns = [j * image.shape[2] // new_width for j in range(new_width)]
    return from_nhwc(image[:, rows][:, :, columns], is_nchw)
