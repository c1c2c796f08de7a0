# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# ADD of halves, and of empty tensors.

a = Input("a", ("TENSOR_FLOAT32", [2, 2]))
b = Input("b", ("TENSOR_FLOAT32", [2]))
total = Output("total", ("TENSOR_FLOAT32", [2, 2]))
Model("halves").Operation("ADD", a, b, 0).To(total)
Example(
    {a: [1.5, -2.0, 1000.0, 0.25], b: [0.5, 3.0], total: [2.0, 1.0, 1000.5, 3.25]}
).AddVariations("float16", includeDefault=False)

# A slice of nothing is empty, and broadcasts to nothing.
whole = Input("whole", ("TENSOR_FLOAT32", [2, 3]))
nothing = Internal("nothing", ("TENSOR_FLOAT32", [0, 3]))
row = Input("row", ("TENSOR_FLOAT32", [1, 3]))
empty = Output("empty", ("TENSOR_FLOAT32", [0, 3]))
model = Model("empty").Operation("SLICE", whole, [2, 0], [-1, 3]).To(nothing)
model.Operation("ADD", nothing, row, 0).To(empty)
Example({whole: [1, 2, 3, 4, 5, 6], row: [1, 2, 3], empty: []})
