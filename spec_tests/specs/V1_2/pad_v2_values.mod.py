# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# PAD and PAD_V2 of halves, and of quantized tensors whose zero is not 0: PAD pads with the zero
# point, PAD_V2 with the very integer that it is given.

x = Input("x", ("TENSOR_FLOAT32", [1, 2]))
y = Output("y", ("TENSOR_FLOAT32", [2, 4]))
pads = Parameter("pads", ("TENSOR_INT32", [2, 2]), [0, 1, 2, 0])
Model("zeros").Operation("PAD", x, pads).To(y)
quant8 = DataTypeConverter().Identify(
    {x: ("TENSOR_QUANT8_ASYMM", 0.5, 77), y: ("TENSOR_QUANT8_ASYMM", 0.5, 77)}
)
Example({x: [1.5, -2], y: [0, 0, 1.5, -2, 0, 0, 0, 0]}).AddVariations("float16", quant8).AddInput(
    pads
)

for value in (3.25, -1.0):
    x = Input("x", ("TENSOR_FLOAT32", [1, 2]))
    y = Output("y", ("TENSOR_FLOAT32", [2, 4]))
    Model("values").Operation("PAD_V2", x, pads, Float32Scalar("value", value)).To(y)
    Example({x: [1.5, -2], y: [value, value, 1.5, -2] + [value] * 4}).AddVariations(
        "relaxed", "float16"
    )

for value in (0, 9, 255):
    x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 2], 0.5, 77))
    y = Output("y", ("TENSOR_QUANT8_ASYMM", [2, 4], 0.5, 77))
    Model("quantized_%d" % value).Operation("PAD_V2", x, pads, Int32Scalar("value", value)).To(y)
    Example({x: [100, 50], y: [value, value, 100, 50] + [value] * 4})
