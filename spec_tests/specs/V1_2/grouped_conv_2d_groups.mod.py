# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# GROUPED_CONV_2D: two groups of two channels under pixels, and one channel each under windows.

layout = BoolScalar("layout", False)
x = Input("x", ("TENSOR_FLOAT32", [1, 1, 2, 4]))
w = Parameter("w", ("TENSOR_FLOAT32", [4, 1, 1, 2]), [1, 2, 3, 4, 5, 6, 7, 8])
b = Parameter("b", ("TENSOR_FLOAT32", [4]), [0, -1, 0, 10])
act = Int32Scalar("act", 0)
y = Output("y", ("TENSOR_FLOAT32", [1, 1, 2, 4]))
Model().Operation("GROUPED_CONV_2D", x, w, b, 2, 1, 1, 2, act, layout).To(y)

quant8 = DataTypeConverter().Identify(
    {
        x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        w: ("TENSOR_QUANT8_ASYMM", 0.25, 30),
        b: ("TENSOR_INT32", 0.125, 0),
        y: ("TENSOR_QUANT8_ASYMM", 0.5, 60),
    }
)
channel_quant8 = DataTypeConverter().Identify(
    {
        x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        w: (
            "TENSOR_QUANT8_SYMM_PER_CHANNEL",
            0,
            0,
            SymmPerChannelQuantParams(channelDim=0, scales=[1.0, 0.5, 0.25, 1.0]),
        ),
        b: (
            "TENSOR_INT32",
            0.0,
            0,
            SymmPerChannelQuantParams(channelDim=0, scales=[0.5, 0.25, 0.125, 0.5], hide=True),
        ),
        y: ("TENSOR_QUANT8_ASYMM", 0.5, 60),
    }
)
Example(
    {
        x: [1, 2, 3, 4, -1, 1, 0, 2],
        # 1 + 4, 3 + 8 - 1, 15 + 24, 21 + 32 + 10; -1 + 2, -3 + 4 - 1, 12, 16 + 10
        y: [5, 10, 39, 63, 1, 0, 12, 26],
    }
).AddNchw(x, y, layout).AddVariations(
    "relaxed", "float16", quant8, channel_quant8
).AddAllActivations(
    y, act
).AddInput(
    w, b
)

# Columns 0 and 2 of the first channel, each with its lower neighbours; the second channel as it is.
x = Input("x", ("TENSOR_FLOAT32", [1, 2, 3, 2]))
w = Parameter("w", ("TENSOR_FLOAT32", [2, 2, 2, 1]), [1, 2, 10, 20, 1, 0, 0, 0])
b = Parameter("b", ("TENSOR_FLOAT32", [2]), [0, 0])
y = Output("y", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
Model("windows").Operation("GROUPED_CONV_2D", x, w, b, 0, 1, 0, 1, 2, 1, 2, 0, layout).To(y)
Example(
    {
        x: [1, 7, 2, 8, 3, 9, 4, 1, 5, 2, 6, 3],
        # 1 + 4 + 40 + 100, 3 + 0 + 60 + 0; 4 + 10, 6
        y: [145, 7, 63, 9, 14, 1, 6, 3],
    }
).AddNchw(x, y, layout).AddVariations("relaxed", "float16")
