# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# ROI_ALIGN on a map where the element in row y and column x is 10 y + x, so that a sample is too.

layout = BoolScalar("layout", False)


def align(name, boxes, size, ratios, samples, golden):
    """All boxes are of the second of two images; the first one is nothing but 99."""
    count = len(boxes)
    x = Input("x", ("TENSOR_FLOAT32", [2, 4, 4, 1]))
    rois = Input("rois", ("TENSOR_FLOAT32", [count, 4]))
    y = Output("y", ("TENSOR_FLOAT32", [count, size[0], size[1], 1]))
    Model(name).Operation("ROI_ALIGN", x, rois, [1] * count, *size, *ratios, *samples, layout).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 20),
            rois: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
            y: ("TENSOR_QUANT8_ASYMM", 0.25, 10),
        }
    )
    Example(
        {
            x: [99] * 16 + [10 * row + column for row in range(4) for column in range(4)],
            rois: sum(boxes, []),
            y: golden,
        }
    ).AddNchw(x, y, layout).AddVariations("relaxed", "float16", quant8)


# Cells of one element, and of three by one and a half.
align(
    "cells",
    [[1, 0, 3, 2], [0, 0, 3, 3]],
    [2, 2],
    [1.0, 1.0],
    [1, 1],
    [6.5, 7.5, 16.5, 17.5] + [8.25, 9.75, 23.25, 24.75],
)
# Ratios; and less than one element, which counts as one.
align(
    "ratios",
    [[4, 0, 12, 4], [4, 4, 5, 4]],
    [1, 2],
    [2.0, 4.0],
    [2, 3],
    [11.5, 12.5] + [26.25, 26.75],
)
# As many samples as there are elements; beyond the last element they are like it: columns 2.5 and
# 3.5, rows 0.5 and 1.5.
align("adaptive", [[2, 0, 4, 2]], [1, 1], [1.0, 1.0], [0, 0], [12.75])
