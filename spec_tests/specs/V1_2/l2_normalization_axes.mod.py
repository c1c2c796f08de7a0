# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# L2_NORMALIZATION along every axis of one to four dimensions, in floats, halves and quantized
# elements.

rows = [[3, -4, 12], [2, 3, 6], [0, -1, 0], [1, 4, 8]]
lengths = [13, 7, 1, 9]

x = Input("x", ("TENSOR_FLOAT32", [2, 1, 2, 3]))
axis = Int32Scalar("axis", -1)
y = Output("y", ("TENSOR_FLOAT32", [2, 1, 2, 3]))
Model("axes").Operation("L2_NORMALIZATION", x, axis).To(y)
quant8 = DataTypeConverter().Identify(
    {x: ("TENSOR_QUANT8_ASYMM", 0.5, 30), y: ("TENSOR_QUANT8_ASYMM", 1 / 128, 128)}
)
Example(
    {
        x: sum(rows, []),
        y: [element / length for row, length in zip(rows, lengths) for element in row],
    }
).AddAllDimsAndAxis(x, y, axis).AddVariations("relaxed", "float16", quant8)

v = Input("v", ("TENSOR_FLOAT32", [2]))
w = Output("w", ("TENSOR_FLOAT32", [2]))
Model("vector").Operation("L2_NORMALIZATION", v).To(w)
Example({v: [-0.03, 0.04], w: [-0.6, 0.8]})
