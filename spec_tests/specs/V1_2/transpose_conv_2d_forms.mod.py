# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# TRANSPOSE_CONV_2D in both forms: explicit paddings, and the dimensions of the output.

layout = BoolScalar("layout", False)


def spread(name, arguments, shape, golden):
    """Two by two pixels 1 2 3 4 of one channel, a filter of 1 10 100 -5 and one of its double."""
    x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 1]))
    w = Parameter("w", ("TENSOR_FLOAT32", [2, 2, 2, 1]), [1, 10, 12, -5, 2, 20, 24, -10])
    b = Parameter("b", ("TENSOR_FLOAT32", [2]), [0, 0])
    y = Output("y", ("TENSOR_FLOAT32", shape))
    act = Int32Scalar("act", 0)
    operands = [x, y]
    if arguments is None:
        dimensions = Int32Vector("dimensions", shape)
        operands.append(dimensions)
        inputs = [dimensions, 1, 2, 2]
    else:
        inputs = arguments
    Model(name).Operation("TRANSPOSE_CONV_2D", x, w, b, *inputs, act, layout).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
            w: ("TENSOR_QUANT8_ASYMM", 0.5, 30),
            b: ("TENSOR_INT32", 0.25, 0),
            y: ("TENSOR_QUANT8_ASYMM", 1.0, 100),
        }
    )
    channel_quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
            w: (
                "TENSOR_QUANT8_SYMM_PER_CHANNEL",
                0,
                0,
                SymmPerChannelQuantParams(channelDim=0, scales=[0.5, 1.0]),
            ),
            b: (
                "TENSOR_INT32",
                0.0,
                0,
                SymmPerChannelQuantParams(channelDim=0, scales=[0.25, 0.5], hide=True),
            ),
            y: ("TENSOR_QUANT8_ASYMM", 1.0, 100),
        }
    )
    Example(
        {
            x: [1, 2, 3, 4],
            y: [value * channel for value in golden for channel in (1, 2)],
        }
    ).AddNchw(*operands, layout).AddVariations(
        "relaxed", "float16", quant8, channel_quant8
    ).AddAllActivations(
        y, act
    ).AddInput(
        w, b
    )


# Strides of 2: four copies of the filter side by side.
apart = [
    [1, 10, 2, 20],
    [12, -5, 24, -10],
    [3, 30, 4, 40],
    [36, -15, 48, -20],
]
spread("whole", [0, 0, 0, 0, 2, 2], [1, 4, 4, 2], sum(apart, []))
# One column off at the left, two at the right, none at the top, and a row that only the bias is in.
spread(
    "cut",
    [1, 2, 0, -1, 2, 2],
    [1, 5, 1, 2],
    [row[1] for row in apart] + [0],
)
# Under SAME the dimensions decide: with three columns, the last one is cut off.
spread("shape", None, [1, 4, 3, 2], sum([row[:3] for row in apart], []))
# Strides of 1: they overlap. 10 + 2, 12 + 3, -5 + 24 + 30 + 4, -10 + 40, 36, -15 + 48, -20.
spread("overlap", [0, 0, 0, 0, 1, 1], [1, 3, 3, 2], [1, 12, 20, 15, 53, 30, 36, 33, -20])
