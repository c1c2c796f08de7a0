# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# CAST between every two of its four types. Scale and zero point of quantized operands are ignored.

TYPES = {
    "float32": ("TENSOR_FLOAT32", [5]),
    "float16": ("TENSOR_FLOAT16", [5]),
    "int32": ("TENSOR_INT32", [5]),
    "quant8": ("TENSOR_QUANT8_ASYMM", [5], 4.0, 100),
}
INTEGERS = [0, 1, 23, 128, 255]

for source in TYPES:
    for target in TYPES:
        x = Input("x", TYPES[source])
        y = Output("y", TYPES[target])
        Model(source + "_to_" + target).Operation("CAST", x).To(y)
        Example({x: INTEGERS, y: INTEGERS})

# Numbers become integers by truncation toward zero.
for source in ["float32", "float16"]:
    x = Input("x", TYPES[source])
    y = Output("y", TYPES["int32"])
    Model(source + "_truncated").Operation("CAST", x).To(y)
    Example({x: [-2.75, -0.5, 0.5, 1.5, 2.75], y: [-2, 0, 0, 1, 2]})

# What is out of the range of a quantized output saturates.
for source in ["float32", "float16", "int32"]:
    x = Input("x", TYPES[source])
    y = Output("y", TYPES["quant8"])
    Model(source + "_saturated").Operation("CAST", x).To(y)
    Example({x: [-1000, -1, 256, 300, 30000], y: [0, 0, 255, 255, 255]})
