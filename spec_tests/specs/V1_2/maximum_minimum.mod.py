# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# MAXIMUM and MINIMUM of every type, broadcast; each quantized tensor with steps of its own.

for name, expected in [
    ("MAXIMUM", [3, 1, 5, 3, -2, 5]),
    ("MINIMUM", [1, -2, 1, -4, -4, -4]),
]:
    a = Input("a", ("TENSOR_FLOAT32", [2, 1]))
    b = Input("b", ("TENSOR_FLOAT32", [3]))
    c = Output("c", ("TENSOR_FLOAT32", [2, 3]))
    Model(name).Operation(name, a, b).To(c)
    quant8 = DataTypeConverter().Identify(
        {
            a: ("TENSOR_QUANT8_ASYMM", 0.5, 128),
            b: ("TENSOR_QUANT8_ASYMM", 0.25, 30),
            c: ("TENSOR_QUANT8_ASYMM", 1.0, 90),
        }
    )
    Example({a: [1, -4], b: [3, -2, 5], c: expected}).AddVariations(
        "relaxed", "float16", "int32", quant8
    )

# The output's steps of 0.25 from 20 reach from -5 to 58.75.
s = Input("s", ("TENSOR_QUANT8_ASYMM", [3], 0.5, 0))
t = Input("t", ("TENSOR_QUANT8_ASYMM", [3], 1.0, 128))
u = Output("u", ("TENSOR_QUANT8_ASYMM", [3], 0.25, 20))
Model("saturating").Operation("MAXIMUM", s, t).To(u)
Example({s: [255, 0, 20], t: [0, 88, 188], u: [255, 20, 255]})
v = Output("v", ("TENSOR_QUANT8_ASYMM", [3], 0.25, 20))
Model("saturating_below").Operation("MINIMUM", s, t).To(v)
Example({s: [255, 0, 20], t: [0, 88, 188], v: [0, 0, 60]})
