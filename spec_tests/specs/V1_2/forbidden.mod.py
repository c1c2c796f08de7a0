# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# What the documentation forbids, though every operand is of the right type: a driver must refuse it
# or fail. What each output would be is not said anywhere, so the zeros only say how large it is.

DIMENSIONS = [2, 3]
x = Input("x", ("TENSOR_FLOAT32", DIMENSIONS))
cases = {
    # One row more than there are.
    "slice_past_the_end": ("SLICE", [[1, 0], [2, 3]], [2, 3]),
    # The third dimension of two.
    "mean_over_no_dimension": ("MEAN", [[2], 0], [2]),
    # Dimension 0 in both places, and 1 in none.
    "transpose_of_one_dimension_twice": ("TRANSPOSE", [[0, 0]], [2, 2]),
    # Five elements of six.
    "reshape_to_fewer_elements": ("RESHAPE", [[5]], [5]),
    # A temperature without end: beta must be above 0.
    "softmax_without_beta": ("SOFTMAX", [0.0, 1], DIMENSIONS),
}
for name, (operation, arguments, dimensions) in cases.items():
    y = Output("y", ("TENSOR_FLOAT32", dimensions))
    Model(name).Operation(operation, x, *arguments).To(y)
    Example({x: [1, 2, 3, 4, 5, 6], y: [0] * math.prod(dimensions)}).AddVariations(
        "relaxed", "float16"
    ).ExpectFailure()
