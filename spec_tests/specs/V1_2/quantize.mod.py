# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# QUANTIZE of floats and halves: several scales and zero points, and both ends of the range.


def quantized(real, scale, zero_point):
    return max(0, min(255, math.floor(real / scale + 0.5) + zero_point))


# Halves hold all of these.
numbers = [-1000.0, -8.125, -1.75, -0.25, 0.0, 0.375, 1.0, 3.3125, 42.0, 1000.0]
x = Input("x", ("TENSOR_FLOAT32", [2, 5]))
for name, scale, zero_point in [("coarse", 1.0, 128), ("fine", 0.03125, 5), ("other", 0.3, 255)]:
    y = Output("y", ("TENSOR_QUANT8_ASYMM", [2, 5], scale, zero_point))
    Model(name).Operation("QUANTIZE", x).To(y)
    Example({x: numbers, y: [quantized(n, scale, zero_point) for n in numbers]}).AddVariations(
        "relaxed", "float16"
    )
