# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# RELU6 of floats and of quantized elements, whose 0 and 6 may lie on steps or between them.

x = Input("x", ("TENSOR_FLOAT32", [2, 4]))
y = Output("y", ("TENSOR_FLOAT32", [2, 4]))
Model("float").Operation("RELU6", x).To(y)
Example(
    {
        x: [-100.0, -0.001, 0.0, 0.001, 5.999, 6.0, 6.001, 100.0],
        y: [0.0, 0.0, 0.0, 0.001, 5.999, 6.0, 6.0, 6.0],
    }
).AddRelaxed()

# Zero is step 100, six is step 112.
a = Input("a", ("TENSOR_QUANT8_ASYMM", [6], 0.5, 100))
b = Output("b", ("TENSOR_QUANT8_ASYMM", [6], 0.5, 100))
Model("quant8").Operation("RELU6", a).To(b)
Example({a: [0, 99, 100, 111, 112, 255], b: [100, 100, 100, 111, 112, 112]})

# In steps of 0.07, six is 85.71 steps.
c = Input("c", ("TENSOR_QUANT8_ASYMM", [5], 0.07, 3))
d = Output("d", ("TENSOR_QUANT8_ASYMM", [5], 0.07, 3))
Model("quant8_between_steps").Operation("RELU6", c).To(d)
Example({c: [0, 3, 80, 90, 255], d: [3, 3, 80, 89, 89]})
