# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# Results that are no number. XNNPACK makes the least float of most of them, which docs/known_results.md lists.

nan = float("nan")
inf = float("inf")


def case(name, operation, operands, output, given, expected):
    Model(name).Operation(operation, *operands).To(output)
    Example({**given, output: expected}).WithDynamicOutputShapeName(None)


# Operations of one element at a time: a NaN in the first, or what gives one, and sixteen ones behind it.
left = Input("left", ("TENSOR_FLOAT32", [17]))
right = Input("right", ("TENSOR_FLOAT32", [17]))
result = Output("result", ("TENSOR_FLOAT32", [17]))
ones = [1.0] * 16
for operation, of_ones in [("ADD", 2.0), ("SUB", 0.0), ("MUL", 1.0), ("DIV", 1.0)]:
    case(
        operation.lower(),
        operation,
        [left, right, 0],
        result,
        {left: [nan] + ones, right: [1.0] + ones},
        [nan] + [of_ones] * 16,
    )
case(
    "inf_minus_inf",
    "SUB",
    [left, right, 0],
    result,
    {left: [inf] + ones, right: [inf] + ones},
    [nan] + [0.0] * 16,
)
case(
    "zero_times_inf",
    "MUL",
    [left, right, 0],
    result,
    {left: [0.0] + ones, right: [inf] + ones},
    [nan] + ones,
)
case("rsqrt_of_minus_one", "RSQRT", [left], result, {left: [-1.0] + ones}, [nan] + ones)
for operation, of_one in [("ABS", 1.0), ("NEG", -1.0), ("FLOOR", 1.0), ("SQRT", 1.0)]:
    case(operation.lower(), operation, [left], result, {left: [nan] + ones}, [nan] + [of_one] * 16)

# Windows with a NaN, and one without.
image = Input("image", ("TENSOR_FLOAT32", [1, 2, 2, 1]))
rows = Output("rows", ("TENSOR_FLOAT32", [1, 1, 2, 1]))
one = Output("one", ("TENSOR_FLOAT32", [1, 1, 1, 1]))
pixels = {image: [nan, 1.0, 2.0, 3.0]}
square = Parameter("square", ("TENSOR_FLOAT32", [1, 2, 2, 1]), [1.0, 1.0, 1.0, 1.0])
zero = Parameter("zero", ("TENSOR_FLOAT32", [1]), [0.0])
case("depthwise", "DEPTHWISE_CONV_2D", [image, square, zero, 2, 1, 1, 1, 0], one, pixels, [nan])
case("average", "AVERAGE_POOL_2D", [image, 2, 1, 1, 1, 2, 0], rows, pixels, [nan, 2.0])
case("average_of_all", "AVERAGE_POOL_2D", [image, 2, 1, 1, 2, 2, 0], one, pixels, [nan])
case(
    "l2_pool",
    "L2_POOL_2D",
    [image, 2, 1, 1, 1, 2, 0],
    rows,
    {image: [nan, 3.0, 1.0, 3.0]},
    [nan, 3.0],
)
case("mean", "MEAN", [image, [1, 2], 1], one, pixels, [nan])
