# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# LOG_SOFTMAX along every axis, and of logits whose exponentials neither overflow nor vanish only
# after their maximum is subtracted.

# Logarithms of numbers that add up to 8.
numbers = [1, 3, 4, 4, 1, 3, 3, 3, 2, 2, 5, 1]
x = Input("x", ("TENSOR_FLOAT32", [2, 1, 2, 3]))
axis = Int32Scalar("axis", -1)
y = Output("y", ("TENSOR_FLOAT32", [2, 1, 2, 3]))
Model("axes").Operation("LOG_SOFTMAX", x, 1.0, axis).To(y)
Example(
    {x: [math.log(n) for n in numbers], y: [math.log(n / 8) for n in numbers]}
).AddAllDimsAndAxis(x, y, axis).AddVariations("relaxed", "float16")

x = Input("x", ("TENSOR_FLOAT32", [2, 2]))
y = Output("y", ("TENSOR_FLOAT32", [2, 2]))
Model("large").Operation("LOG_SOFTMAX", x, 0.5, 1).To(y)
Example(
    {
        x: [600, 600, -600, -604],
        y: [-math.log(2)] * 2 + [-math.log(1 + math.exp(-2)), -2 - math.log(1 + math.exp(-2))],
    }
)
