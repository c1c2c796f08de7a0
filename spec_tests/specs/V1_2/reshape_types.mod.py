# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# RESHAPE of halves, and in relaxed models.

x = Input("x", ("TENSOR_FLOAT32", [3, 2]))
y = Output("y", ("TENSOR_FLOAT32", [2, 3]))
elements = [1.5, -2.5, 1000.0, 0.0, 0.0009765625, 60000.0]
Model().Operation("RESHAPE", x, [2, -1]).To(y)
Example({x: elements, y: elements}).AddVariations("relaxed", "float16", includeDefault=False)
