# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SPACE_TO_DEPTH and DEPTH_TO_SPACE of two images in both layouts, and of halves.

images = range(2 * 4 * 6 * 2)


def element(n, y, x, c):
    return ((n * 4 + y) * 6 + x) * 2 + c


def blocks():
    return [
        element(n, y + dy, x + dx, c)
        for n in range(2)
        for y in range(0, 4, 2)
        for x in range(0, 6, 2)
        for dy in range(2)
        for dx in range(2)
        for c in range(2)
    ]


for operation, x_dimensions, y_dimensions, x_elements, y_elements in [
    ("SPACE_TO_DEPTH", [2, 4, 6, 2], [2, 2, 3, 8], list(images), blocks()),
    ("DEPTH_TO_SPACE", [2, 2, 3, 8], [2, 4, 6, 2], blocks(), list(images)),
]:
    layout = BoolScalar("layout", False)
    x = Input("x", ("TENSOR_FLOAT32", x_dimensions))
    y = Output("y", ("TENSOR_FLOAT32", y_dimensions))
    Model(operation.lower()).Operation(operation, x, 2, layout).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 0.5, 9), y: ("TENSOR_QUANT8_ASYMM", 0.5, 9)}
    )
    Example({x: x_elements, y: y_elements}).AddNchw(x, y, layout).AddVariations(
        "relaxed", "float16", quant8
    )
