# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# FLOOR of floats of either sign, of integers, and of numbers beyond the fractions.

x = Input("x", ("TENSOR_FLOAT32", [2, 2, 1, 2]))
y = Output("y", ("TENSOR_FLOAT32", [2, 2, 1, 2]))
Model().Operation("FLOOR", x).To(y)
Example(
    {
        x: [-2.5, -2.0, -0.125, 0.0, 0.875, 3.0, 7.5, 16777216.0],
        y: [-3.0, -2.0, -1.0, 0.0, 0.0, 3.0, 7.0, 16777216.0],
    }
)

# Halves hold each of these, so a relaxed model has no choice either.
u = Input("u", ("TENSOR_FLOAT32", [4]))
v = Output("v", ("TENSOR_FLOAT32", [4]))
Model("relaxed").Operation("FLOOR", u).To(v).RelaxedExecution(True)
Example({u: [-1.25, -0.5, 1.5, 1000.5], v: [-2.0, -1.0, 1.0, 1000.0]})
