# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# SUB of floats: every activation, relaxed, and broadcasting of both inputs.

a = Input("a", ("TENSOR_FLOAT32", [2, 3]))
b = Input("b", ("TENSOR_FLOAT32", [2, 3]))
activation = Int32Scalar("activation", 0)
difference = Output("difference", ("TENSOR_FLOAT32", [2, 3]))
Model("activations").Operation("SUB", a, b, activation).To(difference)
Example(
    {
        a: [-4.5, 0.5, 0.25, 2.0, 5.0, 8.0],
        b: [4.5, 0.75, -0.5, -2.5, -1.0, -0.5],
        difference: [-9.0, -0.25, 0.75, 4.5, 6.0, 8.5],
    }
).AddAllActivations(difference, activation).AddRelaxed()

row = Input("row", ("TENSOR_FLOAT32", [1, 3]))
column = Input("column", ("TENSOR_FLOAT32", [2, 1]))
table = Output("table", ("TENSOR_FLOAT32", [2, 3]))
Model("both_repeat").Operation("SUB", row, column, 0).To(table)
Example({row: [1, 2, 3], column: [10, 20], table: [-9, -8, -7, -19, -18, -17]})
