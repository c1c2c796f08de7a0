# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# L2_NORMALIZATION along the last of four dimensions: lengths 5, 13, 25 and 17.

x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
y = Output("y", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
Model().Operation("L2_NORMALIZATION", x).To(y)
Example(
    {
        x: [3, -4, 5, 12, -7, 24, 8, 15],
        y: [0.6, -0.8, 5 / 13, 12 / 13, -0.28, 0.96, 8 / 17, 15 / 17],
    }
).AddRelaxed()
