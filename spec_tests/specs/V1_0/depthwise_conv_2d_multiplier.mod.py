# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# DEPTHWISE_CONV_2D: every input channel has filters of its own, and output channel k * multiplier
# + q is filter q of channel k.

x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
w = Parameter("w", ("TENSOR_FLOAT32", [1, 2, 1, 6]), [1, 0, 1, 1, 2, 0, 0, 1, 1, -1, 0, 0.5])
b = Parameter("b", ("TENSOR_FLOAT32", [6]), [0, 0, 0, 0, 0, 1])
act = Int32Scalar("act", 0)
y = Output("y", ("TENSOR_FLOAT32", [1, 1, 2, 6]))
Model().Operation("DEPTHWISE_CONV_2D", x, w, b, 2, 1, 1, 3, act).To(y)

quant8 = DataTypeConverter().Identify(
    {
        x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        w: ("TENSOR_QUANT8_ASYMM", 0.25, 30),
        b: ("TENSOR_INT32", 0.125, 0),
        y: ("TENSOR_QUANT8_ASYMM", 0.5, 60),
    }
)

# Upper and lower element of the filters: 1 0, 0 1, 1 1 for the first channel, 1 -1, 2 0, 0 0.5 for
# the second.
Example(
    {
        x: [1, 10, 2, 20, 3, 30, 4, 40],
        y: [1, 3, 4, -20, 20, 16, 2, 4, 6, -20, 40, 21],
    }
).AddVariations("relaxed", quant8).AddAllActivations(y, act).AddInput(w, b)
