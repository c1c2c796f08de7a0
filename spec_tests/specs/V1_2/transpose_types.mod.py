# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# TRANSPOSE of halves and in relaxed models, and of an empty tensor.

x = Input("x", ("TENSOR_FLOAT32", [1, 2, 3]))
y = Output("y", ("TENSOR_FLOAT32", [3, 1, 2]))
Model().Operation("TRANSPOSE", x, [2, 0, 1]).To(y)
Example({x: [1.5, 2.5, 3.5, -1.5, -2.5, -3.5], y: [1.5, -1.5, 2.5, -2.5, 3.5, -3.5]}).AddVariations(
    "relaxed", "float16", includeDefault=False
)

whole = Input("whole", ("TENSOR_FLOAT32", [2, 3]))
nothing = Internal("nothing", ("TENSOR_FLOAT32", [0, 3]))
empty = Output("empty", ("TENSOR_FLOAT32", [3, 0]))
model = Model("empty").Operation("SLICE", whole, [2, 0], [-1, 3]).To(nothing)
model.Operation("TRANSPOSE", nothing, [1, 0]).To(empty)
Example({whole: [1, 2, 3, 4, 5, 6], empty: []})
