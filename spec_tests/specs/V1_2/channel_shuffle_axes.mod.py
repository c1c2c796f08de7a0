# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# CHANNEL_SHUFFLE in several groups, along every axis and in every rank.

for groups, shuffled in [
    (1, [0, 1, 2, 3, 4, 5]),
    (2, [0, 3, 1, 4, 2, 5]),
    (3, [0, 2, 4, 1, 3, 5]),
    (6, [0, 1, 2, 3, 4, 5]),
]:
    x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 6]))
    y = Output("y", ("TENSOR_FLOAT32", [1, 2, 2, 6]))
    axis = Int32Scalar("axis", -1)
    Model("groups%d" % groups).Operation("CHANNEL_SHUFFLE", x, groups, axis).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 0.5, 7), y: ("TENSOR_QUANT8_ASYMM", 0.5, 7)}
    )
    Example(
        {
            x: [10 * pixel + channel for pixel in range(4) for channel in range(6)],
            y: [10 * pixel + channel for pixel in range(4) for channel in shuffled],
        }
    ).AddVariations("relaxed", "float16", quant8).AddAllDimsAndAxis(x, y, axis)
