# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# SOFTMAX along every axis of one to four dimensions, in floats, halves and quantized elements.

# All slices along the last axis are the logarithms of 1, 3 and 4 in some order, so that the shares
# are 1/8, 3/8 and 4/8.
orders = [[1, 3, 4], [4, 1, 3], [3, 3, 2], [1, 3, 4], [4, 3, 1], [2, 2, 4]]
numbers = sum(orders, [])

x = Input("x", ("TENSOR_FLOAT32", [2, 1, 3, 3]))
axis = Int32Scalar("axis", -1)
y = Output("y", ("TENSOR_FLOAT32", [2, 1, 3, 3]))
Model("axes").Operation("SOFTMAX", x, 1.0, axis).To(y)
Example({x: [math.log(n) for n in numbers], y: [n / 8 for n in numbers]}).AddAllDimsAndAxis(
    x, y, axis
).AddVariations("relaxed", "float16")

steps_in = Input("steps_in", ("TENSOR_QUANT8_ASYMM", [2, 3], 1.0, 0))
steps_out = Output("steps_out", ("TENSOR_QUANT8_ASYMM", [2, 3], 1 / 256, 0))
Model("quant8_first_axis").Operation("SOFTMAX", steps_in, math.log(3), 0).To(steps_out)
# With beta = log 3, one step more is three times as much: 3/4 and 1/4, 1/2 and 1/2, 1/10 and 9/10.
Example({steps_in: [5, 9, 10, 4, 9, 12], steps_out: [192, 128, 26, 64, 128, 230]})
