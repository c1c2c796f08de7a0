# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases of the operations of convolution.py."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from .layouts import LAYOUTS, NCHW, NHWC, STATED_LAYOUTS, Layout
from .operands import (
    FLOAT16,
    FLOAT32,
    FLOATS,
    FLOATS_AND_QUANT8,
    QUANT8,
    Array,
    Kind,
    Operand,
    Output,
    Quantization,
    Role,
    channel_quantization,
    int32,
    int32s,
    integers,
    quantization,
    tensor,
)
from .registry import Cases, cases


@dataclass(frozen=True)
class _Padding:
    """What says how windows lie along an image."""

    name: str
    numbers: tuple[int, ...]

    @property
    def operands(self) -> list[Operand]:
        """Left, right, top, bottom, or a scheme; then the strides of width and height."""
        return [int32(number) for number in self.numbers]


_PADDINGS: Final = (
    _Padding("explicit", (1, 0, 0, 1, 1, 1)),
    _Padding("explicit_strides", (1, 1, 1, 0, 2, 1)),
    _Padding("explicit_none", (0, 0, 0, 0, 1, 2)),
    _Padding("same", (1, 1, 1)),
    _Padding("same_strides", (1, 2, 3)),
    _Padding("valid", (2, 1, 1)),
    _Padding("valid_strides", (2, 3, 2)),
)

_CONV_TYPES: Final = ("float32", "float16", "quant8", "per_channel")


@dataclass(frozen=True)
class _Filter:
    """The filter and the bias of a convolution, and what goes with them."""

    kind: Kind
    image_quantization: Quantization | None
    weights: Operand
    bias: Operand

    def image(self, values: Array) -> Operand:
        """An image to apply the filter to."""
        return self.kind.make(values, self.image_quantization)

    @property
    def output(self) -> Output:
        """The output of the convolution."""
        return self.kind.output()


def _filter(made: Cases, type_: str, weights: Array, channel_axis: int) -> _Filter:
    """A filter with these weights and a bias for each index of `channel_axis`, which is that of the
    output channels."""
    depth = weights.shape[channel_axis]
    bias = made.uniform(-1, 1, depth)
    if type_ in ("float32", "float16"):
        kind = {"float32": FLOAT32, "float16": FLOAT16}[type_]
        return _Filter(kind, None, kind.make(weights), kind.make(bias))
    # The scale is a power of two, so that its product with another one, the scale of the bias, is
    # the same number in single precision as in double.
    image = quantization(1 / 32, 120)
    if type_ == "quant8":
        parameters = quantization(0.013, 100)
        stored = tensor(QUANT8.tensor, weights, parameters)
        bias_parameters = quantization(image.scale * parameters.scale)
    else:
        scales = [0.01 + 0.003 * channel for channel in range(depth)]
        parameters = channel_quantization(scales, channel_axis)
        per_channel = "TENSOR_QUANT8_SYMM_PER_CHANNEL"
        stored = tensor(per_channel, weights, parameters, Role.CONSTANT)
        bias_scales = [image.scale * scale for scale in parameters.channel_scales]
        bias_parameters = channel_quantization(bias_scales, 0, stated=False)
    return _Filter(QUANT8, image, stored, tensor("TENSOR_INT32", bias, bias_parameters))


def _dilations(width: int, height: int) -> list[Operand]:
    return [int32(width), int32(height)]


def _convolution_options() -> list[tuple[str, Layout, list[Operand]]]:
    """Layout and dilations, as far as they are stated."""
    options: list[tuple[str, Layout, list[Operand]]] = [
        (layout.name, layout, [*layout.operands]) for layout in LAYOUTS
    ]
    for layout in (NHWC, NCHW):
        for width, height in ((1, 1), (2, 1), (2, 3)):
            name = f"{layout.name}_dilation{width}{height}"
            options.append((name, layout, [*layout.operands, *_dilations(width, height)]))
    return options


@cases("CONV_2D", "DEPTHWISE_CONV_2D")
def _convolution(made: Cases) -> None:
    is_depthwise = made.operation == "DEPTHWISE_CONV_2D"
    for type_, padding, (name, layout, options) in itertools.product(
        _CONV_TYPES, _PADDINGS, _convolution_options()
    ):
        code = _PADDINGS.index(padding) % 4
        # Depthwise, three channels become six.
        shape = (1, 2, 3, 6) if is_depthwise else (4, 2, 3, 3)
        weights = made.uniform(-1, 1, *shape)
        layer = _filter(made, type_, weights, 3 if is_depthwise else 0)
        image = layer.image(layout.image(made.uniform(-3, 3, 2, 6, 7, 3)))
        made.add(
            f"{type_}_{padding.name}_{name}_activation{code}",
            [
                image,
                layer.weights,
                layer.bias,
                *padding.operands,
                *([int32(2)] if is_depthwise else []),
                int32(code),
                *options,
            ],
            [layer.output],
        )
    if not is_depthwise:
        for type_ in _CONV_TYPES:
            _add_empty_convolution(made, type_)
    _add_long_convolution(made, is_depthwise)


def _add_empty_convolution(made: Cases, type_: str) -> None:
    """A batch without images."""
    layer = _filter(made, type_, made.uniform(-1, 1, 2, 1, 1, 3), 0)
    image = layer.image(np.zeros((0, 2, 3, 3)))
    inputs = [image, layer.weights, layer.bias, int32(2), int32(1), int32(1), int32(0)]
    made.add(f"{type_}_empty", [*inputs, *NHWC.operands], [layer.output])


def _add_long_convolution(made: Cases, is_depthwise: bool) -> None:
    """Sums of many terms, and channels that a matrix product would tile."""
    shape = (1, 5, 5, 33) if is_depthwise else (17, 5, 5, 33)
    layer = _filter(made, "float32", made.uniform(-1, 1, *shape), 3 if is_depthwise else 0)
    image = layer.image(made.uniform(-3, 3, 1, 7, 7, 33))
    inputs = [image, layer.weights, layer.bias, int32(1), int32(2), int32(2)]
    inputs += [int32(1)] if is_depthwise else []
    made.add("float32_long", [*inputs, int32(0)], [layer.output])


@cases("GROUPED_CONV_2D")
def _grouped_convolution(made: Cases) -> None:
    for type_, padding, layout, groups in itertools.product(
        _CONV_TYPES, _PADDINGS, STATED_LAYOUTS, (1, 2)
    ):
        code = (_PADDINGS.index(padding) + groups) % 4
        layer = _filter(made, type_, made.uniform(-1, 1, 6, 2, 3, 4 // groups), 0)
        image = layer.image(layout.image(made.uniform(-3, 3, 2, 6, 7, 4)))
        made.add(
            f"{type_}_{padding.name}_groups{groups}_{layout.name}_activation{code}",
            [
                image,
                layer.weights,
                layer.bias,
                *padding.operands,
                int32(groups),
                int32(code),
                *layout.operands,
            ],
            [layer.output],
        )


_TRANSPOSE_PADDINGS: Final = (
    _Padding("explicit_none", (0, 0, 0, 0, 1, 1)),
    _Padding("explicit_strides", (0, 0, 0, 0, 2, 3)),
    _Padding("explicit", (1, 0, 0, 1, 2, 1)),
)


@cases("TRANSPOSE_CONV_2D")
def _transpose_convolution(made: Cases) -> None:
    for type_, layout in itertools.product(_CONV_TYPES, STATED_LAYOUTS):
        for number, padding in enumerate(_TRANSPOSE_PADDINGS):
            layer, image = _transpose_operands(made, type_, layout)
            made.add(
                f"{type_}_{padding.name}_{layout.name}",
                [
                    image,
                    layer.weights,
                    layer.bias,
                    *padding.operands,
                    int32(number),
                    *layout.operands,
                ],
                [layer.output],
            )
        # Scheme, strides of width and height, and what size of which these make 4 by 3.
        implicit = {
            "same": (1, 1, 1, (4, 3)),
            "same_strides": (1, 3, 2, (8, 9)),
            "same_cut": (1, 3, 2, (7, 7)),
            "valid": (2, 1, 1, (5, 5)),
            "valid_strides": (2, 3, 2, (8, 9)),
        }
        for number, (name, (scheme, width, height, size)) in enumerate(implicit.items()):
            layer, image = _transpose_operands(made, type_, layout)
            shape = layout.image(np.zeros((2, *size, 4))).shape
            made.add(
                f"{type_}_{name}_{layout.name}",
                [
                    image,
                    layer.weights,
                    layer.bias,
                    int32s(shape, Role.INPUT if number % 2 else Role.CONSTANT),
                    *(int32(value) for value in (scheme, width, height)),
                    int32(number % 4),
                    *layout.operands,
                ],
                [layer.output],
            )
    for type_ in _CONV_TYPES:
        layer = _filter(made, type_, made.uniform(-1, 1, 4, 2, 3, 3), 0)
        inputs = [layer.image(np.zeros((0, 2, 3, 3))), layer.weights, layer.bias]
        parameters = [int32(number) for number in (0, 0, 0, 0, 1, 1, 0)]
        made.add(f"{type_}_empty", [*inputs, *parameters, *NHWC.operands], [layer.output])


def _transpose_operands(made: Cases, type_: str, layout: Layout) -> tuple[_Filter, Operand]:
    layer = _filter(made, type_, made.uniform(-1, 1, 4, 2, 3, 3), 0)
    return layer, layer.image(layout.image(made.uniform(-3, 3, 2, 4, 3, 3)))


@cases("FULLY_CONNECTED")
def _fully_connected(made: Cases) -> None:
    shapes = {
        "matrix": ((2, 5), (3, 5)),
        "rank3": ((2, 3, 4), (5, 4)),
        "rank4": ((2, 1, 3, 2), (4, 6)),
        "regrouped": ((3, 4), (2, 6)),
        "long": ((3, 300), (7, 300)),
    }
    for type_ in ("float32", "float16", "quant8"):
        for number, (name, (input_shape, weight_shape)) in enumerate(shapes.items()):
            for code in range(4) if name == "matrix" else (number % 4,):
                layer = _filter(made, type_, made.uniform(-1, 1, *weight_shape), 0)
                values = layer.image(made.uniform(-3, 3, *input_shape))
                made.add(
                    f"{type_}_{name}_activation{code}",
                    [values, layer.weights, layer.bias, int32(code)],
                    [layer.output],
                )
        layer = _filter(made, type_, made.uniform(-1, 1, 2, 3), 0)
        empty = layer.image(np.zeros((0, 3)))
        made.add(f"{type_}_empty", [empty, layer.weights, layer.bias, int32(0)], [layer.output])
    # Results far beyond the range of the output saturate.
    layer = _filter(made, "quant8", made.uniform(-1, 1, 6, 8), 0)
    values = layer.image(made.uniform(-3, 3, 4, 8))
    made.add(
        "quant8_saturating",
        [values, layer.weights, layer.bias, int32(0)],
        [QUANT8.output(quantization(0.01, 128))],
    )


_POOL_WINDOWS: Final = ((3, 2), (2, 2))
"""Widths and heights."""


@cases("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D")
def _pool(made: Cases) -> None:
    kinds: Sequence[Kind] = FLOATS if made.operation == "L2_POOL_2D" else FLOATS_AND_QUANT8
    for kind, padding, layout, (width, height) in itertools.product(
        kinds, _PADDINGS, LAYOUTS, _POOL_WINDOWS
    ):
        code = (_PADDINGS.index(padding) + width) % 4
        image = _image(made, kind, layout, 2, 6, 7, 3)
        made.add(
            f"{kind.name}_{padding.name}_{width}x{height}_{layout.name}_activation{code}",
            [
                image,
                *padding.operands,
                int32(width),
                int32(height),
                int32(code),
                *layout.operands,
            ],
            [_same_output(kind, image)],
        )
    for kind in kinds:
        empty = kind.make(np.zeros((0, 4, 4, 2)))
        numbers = [int32(number) for number in (2, 1, 1, 2, 2, 0)]
        made.add(f"{kind.name}_empty", [empty, *numbers], [_same_output(kind, empty)])


def _image(made: Cases, kind: Kind, layout: Layout, *dimensions: int) -> Operand:
    if kind is QUANT8:
        stored = made.integers(0, 255, *dimensions)
        return integers(kind.tensor, layout.image(stored), quantization(1 / 32, 120))
    return kind.make(layout.image(made.uniform(-4, 8, *dimensions)))


def _same_output(kind: Kind, image: Operand) -> Output:
    return kind.output(image.quantization if kind is QUANT8 else None)


@cases("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def _resize(made: Cases) -> None:
    layouts = LAYOUTS if made.operation == "RESIZE_BILINEAR" else STATED_LAYOUTS
    # Widths and heights that an image of 4 by 5 gets, and factors.
    sizes = {"larger": (8, 7), "smaller": (3, 2), "same": (5, 4), "mixed": (11, 1), "one": (1, 1)}
    factors = {"larger": (1.5, 2.25), "smaller": (0.625, 0.5), "mixed": (3.0, 0.75)}
    for kind, layout in itertools.product(FLOATS_AND_QUANT8, layouts):
        wanted = {
            f"size_{name}": [int32(width), int32(height)] for name, (width, height) in sizes.items()
        }
        wanted |= {
            f"factor_{name}": [kind.real(width), kind.real(height)]
            for name, (width, height) in factors.items()
        }
        for name, operands in wanted.items():
            image = _image(made, kind, layout, 2, 4, 5, 3)
            made.add(
                f"{kind.name}_{name}_{layout.name}",
                [image, *operands, *layout.operands],
                [_same_output(kind, image)],
            )
    for kind in FLOATS_AND_QUANT8:
        empty = kind.make(np.zeros((0, 2, 3, 2)))
        inputs = [empty, int32(4), int32(5), *NHWC.operands]
        made.add(f"{kind.name}_empty", inputs, [_same_output(kind, empty)])
