# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# MEAN over one axis and over several; element [i, j, k] of the input is 100 i + 10 j + k.

values = [100 * i + 10 * j + k for i in range(2) for j in range(3) for k in range(2)]


def mean(name, axes, keep_dims, dimensions, output):
    x = Input("x", ("TENSOR_FLOAT32", [2, 3, 2]))
    y = Output("y", ("TENSOR_FLOAT32", dimensions))
    Model(name).Operation("MEAN", x, Int32Vector("axes", axes), keep_dims).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 5),
            y: ("TENSOR_QUANT8_ASYMM", 0.5, 5),
        }
    )
    Example({x: values, y: output}).AddVariations("relaxed", quant8)


mean("first", [0], 0, [3, 2], [50, 51, 60, 61, 70, 71])
mean("middle", [1], 0, [2, 2], [10, 11, 110, 111])
mean("last", [-1], 0, [2, 3], [0.5, 10.5, 20.5, 100.5, 110.5, 120.5])
mean("outer", [2, 0], 0, [3], [50.5, 60.5, 70.5])
mean("repeated", [0, -3, -1, 2, 0], 0, [3], [50.5, 60.5, 70.5])
mean("kept", [0, 2], 1, [1, 3, 1], [50.5, 60.5, 70.5])
mean("kept_by_seven", [1], 7, [2, 1, 2], [10, 11, 110, 111])
mean("dropped_by_minus_one", [1], -1, [2, 2], [10, 11, 110, 111])
mean("everything_kept", [0, 1, 2], 1, [1, 1, 1], [60.5])
