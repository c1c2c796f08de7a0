# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# A quantized mean is rounded to the nearest step, and sums of many large bytes do not overflow.

x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 1, 6, 2], 0.5, 100))
y = Output("y", ("TENSOR_QUANT8_ASYMM", [1, 1, 2, 2], 0.5, 100))
Model().Operation("AVERAGE_POOL_2D", x, 2, 3, 1, 3, 1, 0).To(y)
# Means 3 2/3, 254 2/3, 100 1/3, 0 1/3.
Example(
    {
        x: [3, 254, 3, 255, 5, 255, 100, 0, 100, 1, 101, 0],
        y: [4, 255, 100, 0],
    }
)

x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 64, 64, 1], 0.5, 0))
y = Output("y", ("TENSOR_QUANT8_ASYMM", [1, 1, 1, 1], 0.5, 0))
Model("large").Operation("AVERAGE_POOL_2D", x, 2, 1, 1, 64, 64, 0).To(y)
Example({x: [255] * 3072 + [251] * 1024, y: [254]})
