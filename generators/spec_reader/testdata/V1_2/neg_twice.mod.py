# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# Negation, in two data types.

x = Input("x", ("TENSOR_FLOAT32", [2, 2]))
y = Output("y", ("TENSOR_FLOAT32", [2, 2]))
Model().Operation("NEG", x).To(y)
Example({x: [1, -2, 3, 0.5], y: [-1, 2, -3, -0.5]}).AddVariations("float16")
