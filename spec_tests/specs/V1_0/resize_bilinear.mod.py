# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# RESIZE_BILINEAR by shape: the width comes first; positions are index * input / output.

x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 1]))
y = Output("y", ("TENSOR_FLOAT32", [1, 2, 4, 1]))
Model("wider").Operation("RESIZE_BILINEAR", x, 4, 2).To(y)
Example({x: [1, 3, 5, 11], y: [1, 2, 3, 3, 5, 8, 11, 11]}).AddRelaxed()

y = Output("y", ("TENSOR_FLOAT32", [1, 3, 1, 1]))
Model("higher").Operation("RESIZE_BILINEAR", x, 1, 3).To(y)
Example({x: [0, 3, 6, 9], y: [0, 4, 6]}).AddRelaxed()

x = Input("x", ("TENSOR_FLOAT32", [2, 3, 3, 1]))
y = Output("y", ("TENSOR_FLOAT32", [2, 2, 2, 1]))
Model("smaller").Operation("RESIZE_BILINEAR", x, 2, 2).To(y)
Example(
    {
        x: [1, 2, 3, 4, 5, 6, 7, 8, 9] + [0, 8, 0, 4, 0, 4, 0, 8, 0],
        y: [1, 2.5, 5.5, 7] + [0, 4, 2, 3],
    }
).AddRelaxed()
