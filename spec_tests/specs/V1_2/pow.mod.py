# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# POW: broadcasting, fractions, and integer exponents of negative bases.

base = Input("base", ("TENSOR_FLOAT32", [2, 1]))
exponent = Input("exponent", ("TENSOR_FLOAT32", [5]))
power = Output("power", ("TENSOR_FLOAT32", [2, 5]))
Model("broadcast").Operation("POW", base, exponent).To(power)
Example(
    {
        base: [4.0, 0.25],
        exponent: [-1.0, 0.0, 0.5, 1.5, 3.0],
        power: [0.25, 1.0, 2.0, 8.0, 64.0, 4.0, 1.0, 0.5, 0.125, 0.015625],
    }
).AddVariations("relaxed", "float16")

b = Input("b", ("TENSOR_FLOAT32", [1, 1, 1, 1, 4]))
e = Input("e", ("TENSOR_FLOAT32", [4]))
p = Output("p", ("TENSOR_FLOAT32", [1, 1, 1, 1, 4]))
Model("negative_bases").Operation("POW", b, e).To(p)
Example({b: [-2.0, -2.0, -4.0, 0.0], e: [3.0, 2.0, -1.0, 2.5], p: [-8.0, 4.0, -0.25, 0.0]})
