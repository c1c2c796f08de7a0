# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# ABS, EXP, LOG, NEG, RSQRT, SIN and SQRT of floats, relaxed floats and halves, of six dimensions.

for name, function, numbers in [
    ("ABS", abs, [-1000.0, -0.25, 0.0, 3.5]),
    ("EXP", math.exp, [-6.0, -0.5, 0.0, 2.5]),
    ("LOG", math.log, [0.125, 0.75, 1.0, 200.0]),
    ("NEG", lambda x: -x, [-1000.0, -0.25, 0.5, 3.5]),
    ("RSQRT", lambda x: 1 / math.sqrt(x), [0.0625, 0.5, 1.0, 300.0]),
    ("SIN", math.sin, [-3.0, -0.5, 0.25, 1.5]),
    ("SQRT", math.sqrt, [0.0, 0.0625, 2.0, 300.0]),
]:
    x = Input("x", ("TENSOR_FLOAT32", [1, 2, 1, 1, 2, 1]))
    y = Output("y", ("TENSOR_FLOAT32", [1, 2, 1, 1, 2, 1]))
    Model(name).Operation(name, x).To(y)
    Example({x: numbers, y: [function(number) for number in numbers]}).AddVariations(
        "relaxed", "float16"
    )

i = Input("i", ("TENSOR_INT32", [5]))
j = Output("j", ("TENSOR_INT32", [5]))
Model("neg_int32").Operation("NEG", i).To(j)
Example(
    {
        i: [0, 1, -7, 2147483647, -2147483647],
        j: [0, -1, 7, -2147483647, 2147483647],
    }
)
