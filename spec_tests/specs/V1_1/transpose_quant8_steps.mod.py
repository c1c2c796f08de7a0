# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# TRANSPOSE of quantized elements, which keep their steps.

x = Input("x", ("TENSOR_QUANT8_ASYMM", [2, 3], 0.3, 77))
y = Output("y", ("TENSOR_QUANT8_ASYMM", [3, 2], 0.3, 77))
permutation = Parameter("permutation", ("TENSOR_INT32", [2]), [1, 0])
Model().Operation("TRANSPOSE", x, permutation).To(y)
Example({x: [0, 1, 2, 255, 254, 77], y: [0, 255, 1, 254, 2, 77]}).AddInput(permutation)
