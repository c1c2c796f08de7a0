# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# FULLY_CONNECTED of half precision, and with a quantized output whose scale is finer than that of
# the products, which HAL 1.2 allows.

x = Input("x", ("TENSOR_FLOAT32", [2, 3]))
w = Parameter("w", ("TENSOR_FLOAT32", [2, 3]), [1, 2, 3, -1, 0, 0.5])
b = Parameter("b", ("TENSOR_FLOAT32", [2]), [-10, 20])
act = Int32Scalar("act", 0)
y = Output("y", ("TENSOR_FLOAT32", [2, 2]))
Model().Operation("FULLY_CONNECTED", x, w, b, act).To(y)
fine = DataTypeConverter().Identify(
    {
        x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        w: ("TENSOR_QUANT8_ASYMM", 0.5, 30),
        b: ("TENSOR_INT32", 0.25, 0),
        y: ("TENSOR_QUANT8_ASYMM", 0.1875, 100),
    }
)
# 1 + 4 + 9 - 10, -1 + 1.5 + 20; 4 - 6 - 10, -4 - 1 + 20
Example(
    {
        x: [1, 2, 3, 4, 0, -2],
        y: [4, 20.5, -12, 15],
    }
).AddVariations(
    "float16", fine
).AddAllActivations(y, act).AddInput(w, b)
