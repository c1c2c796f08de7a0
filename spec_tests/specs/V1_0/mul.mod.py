# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# MUL of floats: every activation, relaxed, and broadcasting.

a = Input("a", ("TENSOR_FLOAT32", [2, 3]))
b = Input("b", ("TENSOR_FLOAT32", [2, 3]))
activation = Int32Scalar("activation", 0)
product = Output("product", ("TENSOR_FLOAT32", [2, 3]))
Model("activations").Operation("MUL", a, b, activation).To(product)
Example(
    {
        a: [-4.0, -0.5, 0.25, 1.5, 3.0, 2.5],
        b: [2.0, 0.5, 2.0, 3.0, 2.0, 4.0],
        product: [-8.0, -0.25, 0.5, 4.5, 6.0, 10.0],
    }
).AddAllActivations(product, activation).AddRelaxed()

row = Input("row", ("TENSOR_FLOAT32", [3]))
column = Input("column", ("TENSOR_FLOAT32", [2, 1, 1]))
table = Output("table", ("TENSOR_FLOAT32", [2, 1, 3]))
Model("broadcast").Operation("MUL", row, column, 0).To(table)
Example({row: [1, 2, 3], column: [10, -20], table: [10, 20, 30, -20, -40, -60]})
