# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# DEQUANTIZE to floats: scales that are powers of two, and others.
#
# The large one is out of the range of halves, so it is not relaxed.

steps = [0, 1, 127, 128, 129, 255]
for name, scale, zero_point in [("exact", 0.5, 128), ("rounded", 0.1, 0), ("large", 1000.0, 255)]:
    a = Input("a", ("TENSOR_QUANT8_ASYMM", [2, 3], scale, zero_point))
    b = Output("b", ("TENSOR_FLOAT32", [2, 3]))
    Model(name).Operation("DEQUANTIZE", a).To(b)
    example = Example({a: steps, b: [(q - zero_point) * scale for q in steps]})
    if name != "large":
        example.AddRelaxed()
