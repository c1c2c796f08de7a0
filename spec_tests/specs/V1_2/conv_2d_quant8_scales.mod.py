# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# CONV_2D with a scale for each output channel: weights and bias of a channel are at its scale. And
# a quantized output whose scale is finer than that of the products, which HAL 1.2 allows.

x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 1, 2, 2], 0.5, 128))
w = Parameter(
    "w",
    ("TENSOR_QUANT8_SYMM_PER_CHANNEL", [3, 1, 1, 2]),
    [1, 2, -127, 127, 1, -2],
    extraParams=SymmPerChannelQuantParams(channelDim=0, scales=[0.5, 0.015625, 4.0]),
)
b = Parameter("b", ("TENSOR_INT32", [3]), [4, 64, -1])
act = Int32Scalar("act", 0)
y = Output("y", ("TENSOR_QUANT8_ASYMM", [1, 1, 2, 3], 0.5, 50))
Model().Operation("CONV_2D", x, w, b, 2, 1, 1, act).To(y)
# Pixels 5 -1 and 0 4:
#   (5 - 2 + 2) * 0.5 = 2.5, (-635 - 127 + 32) / 64 = -11.40625, (5 + 2 - 0.5) * 4 = 26
#   (8 + 2) * 0.5 = 5, (508 + 32) / 64 = 8.4375, (-8 - 0.5) * 4 = -34
Example(
    {
        x: [138, 126, 128, 136],
        y: [55, 27, 102, 60, 67, 0],
    }
).AddAllActivations(
    y, act
).AddInput(w, b)

x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 1, 2, 1], 1.0, 100))
w = Parameter("w", ("TENSOR_QUANT8_ASYMM", [1, 1, 1, 1], 1.0, 0), [3])
b = Parameter("b", ("TENSOR_INT32", [1], 1.0, 0), [1])
y = Output("y", ("TENSOR_QUANT8_ASYMM", [1, 1, 2, 1], 0.125, 100))
Model("fine_output").Operation("CONV_2D", x, w, b, 2, 1, 1, 0).To(y)
# 3 * 2 + 1 = 7 is 56 steps; 3 * -1 + 1 = -2.
Example({x: [102, 99], y: [156, 84]})
