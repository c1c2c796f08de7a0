# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""RECURRENCE of com.example.sequences, in floating point and in fixed point."""

Extension(
    "com.example.sequences",
    operandTypes={"TENSOR_FIXED16": (0, "TENSOR_QUANT16_SYMM"), "RECURRENCE_RULE": 1},
    operations={"RECURRENCE": 0, "PARTIAL_SUMS": 1},
)

fixed16 = "com.example.sequences.TENSOR_FIXED16"


def fraction_bits(number):
    """extraParams of a TENSOR_FIXED16."""
    return ExtensionParams(struct.pack("<i", number))


def rule(name, previous, earlier):
    """A constant RECURRENCE_RULE."""
    storage = struct.pack("<ff", previous, earlier)
    return Parameter(name, ("com.example.sequences.RECURRENCE_RULE", []), Bytes(storage.hex()))


# The numbers of Fibonacci, and those of Pell.
seeds = Input("seeds", ("TENSOR_FLOAT32", [1, 2]))
for name, previous, earlier, expected in (
    ("fibonacci", 1, 1, [0, 1, 1, 2, 3, 5, 8, 13]),
    ("pell", 2, 1, [0, 1, 2, 5, 12, 29, 70, 169]),
):
    sequences = Output("sequences", ("TENSOR_FLOAT32", [1, 8]))
    weights = rule("weights", previous, earlier)
    model = (
        Model(name).Operation("com.example.sequences.RECURRENCE", seeds, weights, 8).To(sequences)
    )
    Example({seeds: [0, 1], sequences: expected}, model=model).AddVariations("relaxed")

# Two arithmetic progressions: 1/4, 3/4, 5/4, ..., and 1, 1/2, 0, ..., with two fraction bits before
# and three after.
seeds = Input("seeds", (fixed16, [2, 2]), extraParams=fraction_bits(2))
sequences = Output("sequences", (fixed16, [2, 5]), extraParams=fraction_bits(3))
model = Model("fixed").Operation(
    "com.example.sequences.RECURRENCE", seeds, rule("weights", 2, -1), 5
)
model.To(sequences)
Example(
    {
        seeds: [1, 3, 4, 2],
        sequences: [2, 6, 10, 14, 18, 8, 4, 0, -4, -8],
    }
)

# The rule as an input of the model: powers of -3.
seeds = Input("seeds", ("TENSOR_FLOAT32", [2]))
weights = Input("weights", ("com.example.sequences.RECURRENCE_RULE", []))
sequences = Output("sequences", ("TENSOR_FLOAT32", [5]))
model = Model("rule_as_input").Operation("com.example.sequences.RECURRENCE", seeds, weights, 5)
model.To(sequences)
Example(
    {
        seeds: [1, -3],
        weights: Bytes(struct.pack("<ff", -3, 0).hex()),
        sequences: [1, -3, 9, -27, 81],
    }
)
