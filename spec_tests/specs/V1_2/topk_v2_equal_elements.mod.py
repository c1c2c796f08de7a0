# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# TOPK_V2 of rows with equal elements: types.hal has the one with the greater index first.

x = Input("x", ("TENSOR_FLOAT32", [2, 5]))
values = Output("values", ("TENSOR_FLOAT32", [2, 3]))
indices = Output("indices", ("TENSOR_INT32", [2, 3]))
Model().Operation("TOPK_V2", x, 3).To(values, indices)
quant8 = DataTypeConverter().Identify(
    {operand: ("TENSOR_QUANT8_ASYMM", 0.5, 100) for operand in (x, values)}
)
Example(
    {
        x: [7, 3, 7, 3, 7, 1, 2, 2, 1, 2],
        values: [7, 7, 7, 2, 2, 2],
        indices: [4, 2, 0, 4, 2, 1],
    }
).AddVariations("float16", "int32", quant8)
