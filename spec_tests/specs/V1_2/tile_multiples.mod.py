# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# TILE along the first dimension, the last, one in between, and all; element [i, j, k] of the input
# is 100 i + 10 j + k.

DIMENSIONS = [2, 1, 3]
for multiples in [[1, 1, 1], [2, 1, 1], [1, 3, 1], [1, 1, 4], [3, 2, 2]]:
    x = Input("x", ("TENSOR_FLOAT32", DIMENSIONS))
    y = Output("y", ("TENSOR_FLOAT32", [d * m for d, m in zip(DIMENSIONS, multiples)]))
    times = Parameter("times", ("TENSOR_INT32", [3]), multiples)
    Model("by_%d_%d_%d" % tuple(multiples)).Operation("TILE", x, times).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 1.0, 5), y: ("TENSOR_QUANT8_ASYMM", 1.0, 5)}
    )
    indexes = [list(range(d)) for d in DIMENSIONS]
    tiled = [i * m for i, m in zip(indexes, multiples)]
    Example(
        {
            x: [100 * i + 10 * j + k for i, j, k in itertools.product(*indexes)],
            y: [100 * i + 10 * j + k for i, j, k in itertools.product(*tiled)],
        }
    ).AddVariations("relaxed", "float16", "int32", quant8).AddInput(times)
