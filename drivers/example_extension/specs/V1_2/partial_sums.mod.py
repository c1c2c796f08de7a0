# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""PARTIAL_SUMS of com.example.sequences, by itself and between operations of the HAL."""

Extension(
    "com.example.sequences",
    operandTypes={"TENSOR_FIXED16": (0, "TENSOR_QUANT16_SYMM"), "RECURRENCE_RULE": 1},
    operations={"RECURRENCE": 0, "PARTIAL_SUMS": 1},
)

fixed16 = "com.example.sequences.TENSOR_FIXED16"


def fraction_bits(number):
    """extraParams of a TENSOR_FIXED16."""
    return ExtensionParams(struct.pack("<i", number))


terms = Input("terms", ("TENSOR_FLOAT32", [2, 3]))
sums = Output("sums", ("TENSOR_FLOAT32", [2, 3]))
Model("float32").Operation("com.example.sequences.PARTIAL_SUMS", terms).To(sums)
Example(
    {
        terms: [1, 2, 4, -1, 0.5, 8],
        sums: [1, 3, 7, -1, -0.5, 7.5],
    }
)

sums = Output("sums", ("TENSOR_FLOAT32", [2, 3]))
Model("exclusive").Operation("com.example.sequences.PARTIAL_SUMS", terms, True).To(sums)
Example(
    {
        terms: [1, 2, 4, -1, 0.5, 8],
        sums: [0, 1, 3, 0, -1, -0.5],
    }
)

# In halves; the sum 40000 is more than an int16 holds.
terms = Input("terms", (fixed16, [4]), extraParams=fraction_bits(1))
sums = Output("sums", (fixed16, [4]), extraParams=fraction_bits(1))
Model("saturates").Operation("com.example.sequences.PARTIAL_SUMS", terms).To(sums)
Example(
    {
        terms: [20000, 20000, -30000, 7],
        sums: [20000, 32767, 10000, 10007],
    }
)

# x + x, summed in sixteenths, and as floats again.
x = Input("x", ("TENSOR_FLOAT32", [3]))
doubled = Internal("doubled", ("TENSOR_FLOAT32", [3]))
partial = Internal("partial", (fixed16, [3]), extraParams=fraction_bits(4))
y = Output("y", ("TENSOR_FLOAT32", [3]))
model = Model("in_a_graph").Operation("ADD", x, x, 0).To(doubled)
model.Operation("com.example.sequences.PARTIAL_SUMS", doubled).To(partial)
model.Operation("com.example.sequences.PARTIAL_SUMS", partial).To(y)
Example(
    {
        x: [0.25, -1, 3],
        y: [0.5, -1, 3.5],
    }
)
