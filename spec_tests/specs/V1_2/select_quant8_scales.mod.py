# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SELECT of tensors that are quantized differently: what is selected is quantized with the scale and
# zeroPoint of the output.

c = Input("c", ("TENSOR_BOOL8", [4]))
x = Input("x", ("TENSOR_QUANT8_ASYMM", [4], 0.25, 128))
y = Input("y", ("TENSOR_QUANT8_ASYMM", [4], 2.0, 3))
z = Output("z", ("TENSOR_QUANT8_ASYMM", [4], 0.5, 20))
Model().Operation("SELECT", c, x, y).To(z)
# x is 5, -32; y is 4, 100. In steps of 0.5 from 20: 30, -44, 28, 220.
Example({c: [True, False, True, False], x: [148, 0, 0, 0], y: [0, 5, 0, 53], z: [30, 28, 0, 220]})
