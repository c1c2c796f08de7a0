# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# CONV_2D in both layouts and all types: two images of 2 x 3 pixels with two channels, a 2 x 2
# filter for each of three output channels.

layout = BoolScalar("layout", False)
x = Input("x", ("TENSOR_FLOAT32", [2, 2, 3, 2]))
w = Parameter(
    "w",
    ("TENSOR_FLOAT32", [3, 2, 2, 2]),
    [1, 0, 0, 0, 0, 0, 0, -1, 0, 2, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1],
)
b = Parameter("b", ("TENSOR_FLOAT32", [3]), [0, 4, -20])
act = Int32Scalar("act", 0)
y = Output("y", ("TENSOR_FLOAT32", [2, 1, 2, 3]))
Model().Operation("CONV_2D", x, w, b, 0, 0, 0, 0, 1, 1, act, layout).To(y)

image = [1, 7, 2, 8, 3, 9, 4, 1, 5, 2, 6, 3] + [0, 0, 1, -2, 3, 0, -1, 0, 0, 5, 2, 2]
# With a = (1 2 3 / 4 5 6) and c = (7 8 9 / 1 2 3) the channels of the first image, [row, column]
# counted from the window's corner, the filters are
#   a[0, 0] - c[1, 1];  2 c[0, 0] + c[0, 1] + a[1, 0] + 4;  all of both - 20.
golden = [1 - 2, 14 + 8 + 4 + 4, 12 + 18 - 20, 2 - 3, 16 + 9 + 5 + 4, 16 + 22 - 20]
# The second has (0 1 3 / -1 0 2) and (0 -2 0 / 0 5 2).
golden += [0 - 5, 0 - 2 - 1 + 4, 0 + 3 - 20, 1 - 2, -4 + 0 + 0 + 4, 6 + 5 - 20]

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
            SymmPerChannelQuantParams(channelDim=0, scales=[1.0, 0.5, 0.25]),
        ),
        b: (
            "TENSOR_INT32",
            0.0,
            0,
            SymmPerChannelQuantParams(channelDim=0, scales=[0.5, 0.25, 0.125], hide=True),
        ),
        y: ("TENSOR_QUANT8_ASYMM", 0.5, 60),
    }
)

Example(
    {
        x: image,
        y: golden,
    }
).AddNchw(x, y, layout).AddVariations(
    "relaxed", "float16", quant8, channel_quant8
).AddAllActivations(y, act).AddInput(w, b)

# The same by pixels alone, without any window to lay out.
x = Input("x", ("TENSOR_FLOAT32", [1, 1, 3, 2]))
w = Parameter("w", ("TENSOR_FLOAT32", [3, 1, 1, 2]), [1, 0, 0, 1, 0.5, -2])
b = Parameter("b", ("TENSOR_FLOAT32", [3]), [0, 0.25, 1])
y = Output("y", ("TENSOR_FLOAT32", [1, 1, 3, 3]))
Model("pixels").Operation("CONV_2D", x, w, b, 1, 1, 1, 0, layout).To(y)
Example(
    {
        x: [1, 2, 3, 4, 5, 6],
        y: [1, 2.25, -2.5, 3, 4.25, -5.5, 5, 6.25, -8.5],
    }
).AddNchw(
    x, y, layout
).AddVariations("relaxed", "float16")
