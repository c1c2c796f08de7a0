# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# ARGMAX of every type. No row has two greatest elements, of which either could be the answer.

x = Input("x", ("TENSOR_FLOAT32", [3, 4]))
y = Output("y", ("TENSOR_INT32", [3]))
Model().Operation("ARGMAX", x, 1).To(y)
quant8 = DataTypeConverter().Identify({x: ("TENSOR_QUANT8_ASYMM", 0.5, 127)})
Example({x: [1, 4, 3, 2, -9, -8, -7, -6, 60, -60, 0, 59], y: [1, 3, 0]}).AddVariations(
    "relaxed", "float16", "int32", quant8
)

# Neighbours that a binary32 number cannot tell apart.
n = Input("n", ("TENSOR_INT32", [2, 3]))
m = Output("m", ("TENSOR_INT32", [2]))
Model("large_integers").Operation("ARGMAX", n, -1).To(m)
Example({n: [16777216, 16777217, 16777215, -2147483648, -2147483647, -2147483646], m: [1, 2]})
