# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# AXIS_ALIGNED_BBOX_TRANSFORM: boxes of 4 x 8 around (6, 10) in an image of 30 x 20 (height x width)
# and of 10 x 10 around (15, 15) in one of 18 x 40.

boxes = Input("boxes", ("TENSOR_FLOAT32", [2, 4]))
deltas = Input("deltas", ("TENSOR_FLOAT32", [2, 8]))
batches = Input("batches", ("TENSOR_INT32", [2]))
sizes = Input("sizes", ("TENSOR_FLOAT32", [2, 2]))
y = Output("y", ("TENSOR_FLOAT32", [2, 8]))
Model().Operation("AXIS_ALIGNED_BBOX_TRANSFORM", boxes, deltas, batches, sizes).To(y)

quant8 = DataTypeConverter().Identify(
    {
        boxes: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
        deltas: ("TENSOR_QUANT8_ASYMM", 0.125, 100),
        sizes: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
        y: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
    }
)
wide = 5 * math.exp(0.25)
Example(
    {
        boxes: [4, 6, 8, 14, 10, 10, 20, 20],
        deltas: [
            0.5,
            -0.25,
            0,
            0,
            -2,
            3,
            0,
            1,  # by 2 and -2; out of the image at the left and below
            0,
            0,
            0.25,
            0,
            -1,
            1,
            0,
            0,  # wider and cut off below; over two edges
        ],
        batches: [0, 1],
        sizes: [30, 20, 18, 40],
        y: [
            6,
            4,
            10,
            12,
            0,
            34 - 4 * math.e,
            0,
            30,
            15 - wide,
            10,
            15 + wide,
            18,
            0,
            18,
            10,
            18,
        ],
    }
).AddVariations("relaxed", "float16", quant8)
