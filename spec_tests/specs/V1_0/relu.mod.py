# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# RELU and RELU1 of floats and of quantized elements, whose limits may lie on steps or between them.

numbers = [-100.0, -1.5, -1.0, -0.25, 0.0, 0.75, 1.0, 50.0]
rectified = {
    "RELU": [0.0, 0.0, 0.0, 0.0, 0.0, 0.75, 1.0, 50.0],
    "RELU1": [-1.0, -1.0, -1.0, -0.25, 0.0, 0.75, 1.0, 1.0],
}
for name, expected in rectified.items():
    x = Input("x", ("TENSOR_FLOAT32", [2, 1, 4]))
    y = Output("y", ("TENSOR_FLOAT32", [2, 1, 4]))
    Model(name + "_float").Operation(name, x).To(y)
    Example({x: numbers, y: expected}).AddRelaxed()

# In steps of 0.25 from 60, zero is step 60, one step 64 and minus one step 56. In steps of 0.3 from
# 60, one is 3.33 steps.
on_steps = [0, 55, 57, 60, 61, 64, 65, 255]
for name, scale, expected in [
    ("RELU", 0.25, [60, 60, 60, 60, 61, 64, 65, 255]),
    ("RELU", 0.3, [60, 60, 60, 60, 61, 64, 65, 255]),
    ("RELU1", 0.25, [56, 56, 57, 60, 61, 64, 64, 64]),
    ("RELU1", 0.3, [57, 57, 57, 60, 61, 63, 63, 63]),
]:
    a = Input("a", ("TENSOR_QUANT8_ASYMM", [8], scale, 60))
    b = Output("b", ("TENSOR_QUANT8_ASYMM", [8], scale, 60))
    Model(name + ("_quant8" if scale == 0.25 else "_between_steps")).Operation(name, a).To(b)
    Example({a: on_steps, b: expected})
