# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# Quantized CONV_2D: rounding to the nearest step, saturation at both ends, activations on reals,
# and zero points other than the middle.

x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 2, 2, 2], 0.5, 3))
w = Parameter("w", ("TENSOR_QUANT8_ASYMM", [3, 1, 1, 2], 0.25, 250), [254, 250, 250, 246, 255, 240])
b = Parameter("b", ("TENSOR_INT32", [3], 0.125, 0), [0, 80, -8])
act = Int32Scalar("act", 0)
y = Output("y", ("TENSOR_QUANT8_ASYMM", [1, 2, 2, 3], 0.75, 100))
Model().Operation("CONV_2D", x, w, b, 2, 1, 1, act).To(y)

image = [3, 3, 255, 0, 0, 255, 13, 8]


# In integers: sums at the scale 0.5 * 0.25 = 0.125, six of which are an output step.
def convolve(pixel):
    filters = [(4, 0, 0), (0, -4, 80), (5, -10, -8)]
    return [
        min(255, max(0, math.floor((a * (pixel[0] - 3) + c * (pixel[1] - 3) + e) / 6 + 0.5) + 100))
        for a, c, e in filters
    ]


golden = []
for i in range(0, len(image), 2):
    golden += convolve(image[i : i + 2])
assert golden[:6] == [100, 113, 99, 255, 115, 255]

Example({x: image, y: golden}).AddAllActivations(y, act)

# The image is zero, so the sum is the bias alone: the greatest and the least that there are.
x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 1, 1, 1], 1.0, 255))
w = Parameter("w", ("TENSOR_QUANT8_ASYMM", [2, 1, 1, 1], 1.0, 0), [255, 255])
b = Parameter("b", ("TENSOR_INT32", [2], 1.0, 0), [2147483647, -2147483648])
y = Output("y", ("TENSOR_QUANT8_ASYMM", [1, 1, 1, 2], 16777216.0, 128))
Model("greatest_bias").Operation("CONV_2D", x, w, b, 2, 1, 1, 0).To(y)
Example({x: [255], y: [255, 0]})
