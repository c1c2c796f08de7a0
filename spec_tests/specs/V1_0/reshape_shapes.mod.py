# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# RESHAPE between one and four dimensions, with and without an open dimension, the shape a constant
# or an input, and of quantized elements.

elements = [float(k) for k in range(24)]
for name, before, shape, after in [
    ("flat", [2, 3, 4], [-1], [24]),
    ("matrix", [24], [4, 6], [4, 6]),
    ("first_open", [2, 3, 4], [-1, 8], [3, 8]),
    ("last_open", [4, 6], [2, 2, 3, -1], [2, 2, 3, 2]),
    ("open_one", [4, 6], [4, -1, 6], [4, 1, 6]),
    ("same", [2, 3, 2, 2], [2, 3, 2, 2], [2, 3, 2, 2]),
]:
    x = Input("x", ("TENSOR_FLOAT32", before))
    s = Parameter("s", ("TENSOR_INT32", [len(shape)]), shape)
    y = Output("y", ("TENSOR_FLOAT32", after))
    Model(name).Operation("RESHAPE", x, s).To(y)
    Example({x: elements, y: elements}).AddInput(s, includeDefault=True)

x = Input("x", ("TENSOR_QUANT8_ASYMM", [2, 2], 0.3, 77))
y = Output("y", ("TENSOR_QUANT8_ASYMM", [4, 1], 0.3, 77))
Model("quant8").Operation("RESHAPE", x, [4, 1]).To(y)
Example({x: [0, 255, 77, 78], y: [0, 255, 77, 78]})
