# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SLICE with sizes, with -1 for all that is left, and of nothing; element [i, j, k] of the input is
# 100 i + 10 j + k.

DIMENSIONS = [2, 3, 4]


def elements(ranges):
    return [100 * i + 10 * j + k for i, j, k in itertools.product(*ranges)]


for name, begin, size in [
    ("inside", [1, 1, 1], [1, 1, 2]),
    ("whole", [0, 0, 0], [2, 3, 4]),
    ("all_that_is_left", [1, 0, 2], [-1, -1, -1]),
    ("mixed", [0, 2, 0], [2, -1, 3]),
]:
    ranges = [
        range(first, total if count == -1 else first + count)
        for first, count, total in zip(begin, size, DIMENSIONS)
    ]
    x = Input("x", ("TENSOR_FLOAT32", DIMENSIONS))
    y = Output("y", ("TENSOR_FLOAT32", [len(r) for r in ranges]))
    first = Parameter("first", ("TENSOR_INT32", [3]), begin)
    count = Parameter("count", ("TENSOR_INT32", [3]), size)
    Model(name).Operation("SLICE", x, first, count).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 1.0, 5), y: ("TENSOR_QUANT8_ASYMM", 1.0, 5)}
    )
    Example(
        {x: elements([range(total) for total in DIMENSIONS]), y: elements(ranges)}
    ).AddVariations("relaxed", "float16", "int32", quant8).AddInput(first, count)

# Behind the last row there is nothing left, and of nothing nothing can be taken.
x = Input("x", ("TENSOR_FLOAT32", [2, 3]))
nothing = Internal("nothing", ("TENSOR_FLOAT32", [0, 3]))
y = Output("y", ("TENSOR_FLOAT32", [0, 2]))
model = Model("empty").Operation("SLICE", x, [2, 0], [-1, 3]).To(nothing)
model.Operation("SLICE", nothing, [0, 1], [-1, 2]).To(y)
Example({x: [1, 2, 3, 4, 5, 6], y: []})
