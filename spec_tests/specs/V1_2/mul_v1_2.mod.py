# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# MUL of halves.

a = Input("a", ("TENSOR_FLOAT32", [2, 2]))
b = Input("b", ("TENSOR_FLOAT32", [2, 1]))
activation = Int32Scalar("activation", 0)
product = Output("product", ("TENSOR_FLOAT32", [2, 2]))
Model().Operation("MUL", a, b, activation).To(product)
Example(
    {a: [1.5, -2.0, 100.0, 0.25], b: [0.5, 3.0], product: [0.75, -1.0, 300.0, 0.75]}
).AddAllActivations(product, activation).AddVariations("float16", includeDefault=False)
