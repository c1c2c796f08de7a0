# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# LSH_PROJECTION, dense and sparse (without offset). The bits were made by a program of a few lines around FarmHash's own
# library: the sign of the sum of weight * Fingerprint64(seed, slice) over the slices.

hashes = Parameter(
    "hash",
    ("TENSOR_FLOAT32", [3, 4]),
    [0.5, -1.25, 3.0, 7.75, 2.0, -6.5, 0.125, -9.0, 11.0, -0.75, 4.5, 1.0],
)
NUMBERS = [7, -8, 100, 2000, -30000, 4]
WEIGHTS = [0.5, 2.0, 1.25]

x = Input("input", ("TENSOR_INT32", [3, 2]))
weight = Input("weight", ("TENSOR_FLOAT32", [3]))
bits = Output("output", ("TENSOR_INT32", [12]))
Model("dense").Operation("LSH_PROJECTION", hashes, x, weight, 2).To(bits)
Example({x: NUMBERS, weight: WEIGHTS, bits: [0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0]})

x = Input("input", ("TENSOR_FLOAT32", [3]))
weight = Input("weight", ("TENSOR_FLOAT32", [3]))
bits = Output("output", ("TENSOR_INT32", [12]))
Model("dense_float").Operation("LSH_PROJECTION", hashes, x, weight, 2).To(bits)
Example({x: [1.5, -2.25, 0], weight: WEIGHTS, bits: [1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1]})

x = Input("input", ("TENSOR_INT32", [3, 2]))
weight = Input("weight", ("TENSOR_FLOAT32", [3]))
signatures = Output("output", ("TENSOR_INT32", [3]))
Model("sparse").Operation("LSH_PROJECTION", hashes, x, weight, 1).To(signatures)
Example({x: NUMBERS, weight: [], signatures: [7, 15, 8]})
