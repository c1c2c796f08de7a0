# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# LOGISTIC of halves.


def logistic(x):
    return 1 / (1 + math.exp(-x))


numbers = [0.0, 1.0, -1.0, 2.5, -2.5, 10.0]
x = Input("x", ("TENSOR_FLOAT32", [2, 3]))
y = Output("y", ("TENSOR_FLOAT32", [2, 3]))
Model().Operation("LOGISTIC", x).To(y)
Example({x: numbers, y: [logistic(number) for number in numbers]}).AddVariations(
    "float16", includeDefault=False
)
