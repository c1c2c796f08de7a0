# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# RELU6 of halves.

x = Input("x", ("TENSOR_FLOAT32", [6]))
y = Output("y", ("TENSOR_FLOAT32", [6]))
Model().Operation("RELU6", x).To(y)
Example(
    {x: [-100.0, -0.5, 0.0, 5.5, 6.0, 60000.0], y: [0.0, 0.0, 0.0, 5.5, 6.0, 6.0]}
).AddVariations("float16", includeDefault=False)
