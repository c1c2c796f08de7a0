# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# ROI_POOLING on a map that counts from 1 to 16, in the second of two images.

layout = BoolScalar("layout", False)


def pool(name, boxes, size, ratios, golden):
    count = len(boxes)
    x = Input("x", ("TENSOR_FLOAT32", [2, 4, 4, 1]))
    rois = Input("rois", ("TENSOR_FLOAT32", [count, 4]))
    y = Output("y", ("TENSOR_FLOAT32", [count, size[0], size[1], 1]))
    Model(name).Operation("ROI_POOLING", x, rois, [1] * count, *size, *ratios, layout).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 20),
            rois: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
            y: ("TENSOR_QUANT8_ASYMM", 0.5, 20),
        }
    )
    Example(
        {
            x: [99] * 16 + list(range(1, 17)),
            rois: sum(boxes, []),
            y: golden,
        }
    ).AddNchw(
        x, y, layout
    ).AddVariations("relaxed", "float16", quant8)


# Two by two elements a cell; then three cells of which neighbours share elements.
pool("even", [[0, 0, 3, 3]], [2, 2], [1.0, 1.0], [6, 8, 14, 16])
pool("shared", [[0, 0, 3, 3]], [3, 3], [1.0, 1.0], [6, 7, 8, 10, 11, 12, 14, 15, 16])
# Columns 1 to 2 of rows 0 to 2, and one element; corners are rounded after they are divided.
pool("rounded", [[5, 0.75, 19, 3.25], [24, 4, 25, 4]], [1, 1], [2.0, 8.0], [11, 12])
# At the very edge there is no element.
pool("nothing", [[4, 4, 4, 4]], [1, 2], [1.0, 1.0], [0, 0])
