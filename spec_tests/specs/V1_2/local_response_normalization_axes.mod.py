# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# LOCAL_RESPONSE_NORMALIZATION along every axis of one to four dimensions, in floats and halves: one
# divided by one and the squares of the neighbours.

x = Input("x", ("TENSOR_FLOAT32", [1, 2, 1, 4]))
axis = Int32Scalar("axis", -1)
y = Output("y", ("TENSOR_FLOAT32", [1, 2, 1, 4]))
Model().Operation("LOCAL_RESPONSE_NORMALIZATION", x, 1, 1.0, 1.0, 1.0, axis).To(y)
Example(
    {
        x: [1, -2, 3, 4, 0, 1, 0, -1],
        y: [1 / 6, -2 / 15, 3 / 30, 4 / 26, 0, 1 / 2, 0, -1 / 2],
    }
).AddAllDimsAndAxis(x, y, axis).AddVariations("relaxed", "float16")
