# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# L2_POOL_2D takes the root of the mean square of what is inside the image: padding is not counted.

x = Input("x", ("TENSOR_FLOAT32", [1, 1, 2, 2]))
act = Int32Scalar("act", 0)
y = Output("y", ("TENSOR_FLOAT32", [1, 2, 3, 2]))
Model("explicit").Operation("L2_POOL_2D", x, 1, 1, 1, 1, 1, 1, 2, 2, act).To(y)
# sqrt((1 + 49) / 2) = 5, sqrt((0.49 + 2.89) / 2) = 1.3.
row = [1, 0.7, 5, 1.3, 7, 1.7]
Example({x: [1, -0.7, -7, 1.7], y: row + row}).AddRelaxed().AddAllActivations(y, act)

x = Input("x", ("TENSOR_FLOAT32", [1, 2, 3, 1]))
y = Output("y", ("TENSOR_FLOAT32", [1, 1, 2, 1]))
Model("valid").Operation("L2_POOL_2D", x, 2, 1, 1, 2, 2, 0).To(y)
# (1 + 9 + 9 + 81) / 4 and (9 + 1 + 81 + 9) / 4.
Example({x: [-1, 3, 1, 3, 9, 3], y: [5, 5]}).AddRelaxed()
