# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# EQUAL of every type, broadcast, and of quantized inputs with different scales and zero points.

for name, type_ in [
    ("float32", "TENSOR_FLOAT32"),
    ("float16", "TENSOR_FLOAT16"),
    ("int32", "TENSOR_INT32"),
]:
    a = Input("a", (type_, [2, 2]))
    b = Input("b", (type_, [2]))
    c = Output("c", ("TENSOR_BOOL8", [2, 2]))
    Model(name).Operation("EQUAL", a, b).To(c)
    Example({a: [1, -2, 1, 0], b: [1, 0], c: [True, False, True, True]})

p = Input("p", ("TENSOR_BOOL8", [4]))
q = Input("q", ("TENSOR_BOOL8", [4]))
r = Output("r", ("TENSOR_BOOL8", [4]))
Model("bool8").Operation("EQUAL", p, q).To(r)
Example(
    {
        p: [False, False, True, True],
        q: [False, True, False, True],
        r: [True, False, False, True],
    }
)

# The largest integers are told apart, though they are the same float.
i = Input("i", ("TENSOR_INT32", [2]))
j = Input("j", ("TENSOR_INT32", [2]))
k = Output("k", ("TENSOR_BOOL8", [2]))
Model("large_integers").Operation("EQUAL", i, j).To(k)
Example({i: [2147483647, 16777217], j: [2147483646, 16777217], k: [False, True]})

# Steps 130 and 14 both stand for 2, steps 128 and 10 for 0.
s = Input("s", ("TENSOR_QUANT8_ASYMM", [2, 1], 1.0, 128))
t = Input("t", ("TENSOR_QUANT8_ASYMM", [3], 0.5, 10))
u = Output("u", ("TENSOR_BOOL8", [2, 3]))
Model("quant8").Operation("EQUAL", s, t).To(u)
Example({s: [130, 128], t: [14, 10, 130], u: [True, False, False, False, True, False]})
