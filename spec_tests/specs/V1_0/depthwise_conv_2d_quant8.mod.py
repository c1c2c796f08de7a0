# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# Quantized DEPTHWISE_CONV_2D: padding is the real zero of the image, results are rounded to the
# nearest step and saturate.

x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 2, 1, 2], 0.5, 200))
w = Parameter("w", ("TENSOR_QUANT8_ASYMM", [1, 2, 1, 2], 0.25, 10), [14, 6, 18, 255])
b = Parameter("b", ("TENSOR_INT32", [2], 0.125, 0), [8, 0])
y = Output("y", ("TENSOR_QUANT8_ASYMM", [1, 2, 1, 2], 1.0, 10))
Model().Operation("DEPTHWISE_CONV_2D", x, w, b, 1, 1, 1, 1, 0).To(y)

# Filters 1 2 and -1 61.25, upper and lower. The lower ones are below the image in the last row.
Example(
    {
        x: [204, 202, 195, 206],
        #  2 - 5 + 1, -1 + 183.75; -2.5 + 1, -3
        y: [8, 193, 8, 7],
    },
    {
        x: [204, 0, 204, 255],
        #  2 + 4 + 1, 100 + 1684.375; 2 + 1, -27.5
        y: [17, 255, 13, 0],
    },
)
