# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# LSH_PROJECTION, sparse with the offset k * 2^bits. The bits were made by a program of a few lines around FarmHash's own
# library: the sign of the sum of Fingerprint64(seed, slice) over the slices.

hashes = Parameter(
    "hash",
    ("TENSOR_FLOAT32", [3, 4]),
    [0.5, -1.25, 3.0, 7.75, 2.0, -6.5, 0.125, -9.0, 11.0, -0.75, 4.5, 1.0],
)
x = Input("input", ("TENSOR_INT32", [3, 2]))
weight = Input("weight", ("TENSOR_FLOAT32", [3]))
signatures = Output("output", ("TENSOR_INT32", [3]))
Model().Operation("LSH_PROJECTION", hashes, x, weight, 3).To(signatures)
# The seeds are numbers that halves hold, too.
Example(
    {x: [7, -8, 100, 2000, -30000, 4], weight: [], signatures: [7, 16 + 15, 32 + 8]}
).AddVariations("float16")
