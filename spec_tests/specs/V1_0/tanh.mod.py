# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# TANH of floats: near zero, in between, and where it saturates.

numbers = [0.0, 0.001, -0.5, 0.5, 1.0, -2.0, 8.0, -90.0]
x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
y = Output("y", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
Model().Operation("TANH", x).To(y)
Example({x: numbers, y: [math.tanh(number) for number in numbers]}).AddRelaxed()
