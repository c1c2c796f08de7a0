# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# ADD of floats: every activation, relaxed, and broadcasting of both inputs and of the lower rank.

a = Input("a", ("TENSOR_FLOAT32", [2, 3]))
b = Input("b", ("TENSOR_FLOAT32", [2, 3]))
activation = Int32Scalar("activation", 0)
total = Output("total", ("TENSOR_FLOAT32", [2, 3]))
Model("activations").Operation("ADD", a, b, activation).To(total)
Example(
    {
        a: [-4.5, -0.5, 0.25, 2.0, 5.0, 8.0],
        b: [-4.5, 0.25, 0.5, 2.5, 1.0, 0.5],
        total: [-9.0, -0.25, 0.75, 4.5, 6.0, 8.5],
    }
).AddAllActivations(total, activation).AddRelaxed()

row = Input("row", ("TENSOR_FLOAT32", [1, 3]))
column = Input("column", ("TENSOR_FLOAT32", [2, 1]))
table = Output("table", ("TENSOR_FLOAT32", [2, 3]))
Model("both_repeat").Operation("ADD", row, column, 0).To(table)
Example({row: [1, 2, 3], column: [10, 20], table: [11, 12, 13, 21, 22, 23]})

image = Input("image", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
bias = Parameter("bias", ("TENSOR_FLOAT32", [2]), [100, -100])
biased = Output("biased", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
Model("lower_rank").Operation("ADD", image, bias, 0).To(biased)
Example(
    {
        image: [1, 2, 3, 4, 5, 6, 7, 8],
        biased: [101, -98, 103, -96, 105, -94, 107, -92],
    }
).AddInput(bias)
