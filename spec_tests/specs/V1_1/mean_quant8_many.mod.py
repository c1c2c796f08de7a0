# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# MEAN of many quantized elements: the sum does not overflow, and the mean is off by less than a
# step.

x = Input("x", ("TENSOR_QUANT8_ASYMM", [3, 40, 50], 0.8, 5))
y = Output("y", ("TENSOR_QUANT8_ASYMM", [3], 0.8, 5))
Model().Operation("MEAN", x, Int32Vector("axes", [1, 2]), 0).To(y)
Example(
    {
        x: [255] * 2000 + [0] * 1500 + [4] * 500 + [k % 256 for k in range(2000)],
        y: [255, 1, round(sum(k % 256 for k in range(2000)) / 2000)],
    }
)
