# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# FULLY_CONNECTED reads its input as [batches, inputSize], whatever its rank.

for dimensions in [[2, 3], [6, 1], [1, 6], [3, 1, 2], [1, 2, 3, 1]]:
    x = Input("x", ("TENSOR_FLOAT32", dimensions))
    w = Parameter("w", ("TENSOR_FLOAT32", [2, 3]), [1, 2, 3, -1, 0, 0.5])
    b = Parameter("b", ("TENSOR_FLOAT32", [2]), [-10, -20])
    act = Int32Scalar("act", 0)
    y = Output("y", ("TENSOR_FLOAT32", [2, 2]))
    name = "x".join(str(size) for size in dimensions)
    Model(name).Operation("FULLY_CONNECTED", x, w, b, act).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
            w: ("TENSOR_QUANT8_ASYMM", 0.25, 30),
            b: ("TENSOR_INT32", 0.125, 0),
            y: ("TENSOR_QUANT8_ASYMM", 0.5, 128),
        }
    )
    # 1 + 4 + 9 - 10, -1 + 1.5 - 20; 4 - 6 - 10, -4 - 1 - 20
    Example(
        {
            x: [1, 2, 3, 4, 0, -2],
            y: [4, -19.5, -12, -25],
        }
    ).AddVariations(
        "relaxed", quant8
    ).AddAllActivations(y, act).AddInput(w, b)
