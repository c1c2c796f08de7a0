# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# CONCATENATION of halves and in relaxed models, and of empty tensors.

a = Input("a", ("TENSOR_FLOAT32", [2, 1]))
b = Input("b", ("TENSOR_FLOAT32", [2, 2]))
c = Output("c", ("TENSOR_FLOAT32", [2, 3]))
Model("types").Operation("CONCATENATION", a, b, 1).To(c)
Example(
    {a: [1.5, -2.5], b: [0.25, 1000.0, 0.0, 3.0], c: [1.5, 0.25, 1000.0, -2.5, 0.0, 3.0]}
).AddVariations("relaxed", "float16", includeDefault=False)

# A slice of nothing adds nothing; two of them together are as empty.
whole = Input("whole", ("TENSOR_FLOAT32", [2, 2]))
for name, shape, tensors, golden in [
    ("one_empty", [2, 2], lambda x, nothing: [nothing, x], [1, 2, 3, 4]),
    ("all_empty", [0, 2], lambda x, nothing: [nothing, nothing], []),
]:
    nothing = Internal("nothing", ("TENSOR_FLOAT32", [0, 2]))
    out = Output("out", ("TENSOR_FLOAT32", shape))
    model = Model(name).Operation("SLICE", whole, [2, 0], [-1, 2]).To(nothing)
    model.Operation("CONCATENATION", *tensors(whole, nothing), 0).To(out)
    Example({whole: [1, 2, 3, 4], out: golden})
