# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# STRIDED_SLICE along several dimensions at once, each in its own direction and with its own bits of
# the masks, and with dimensions left out.

DIMENSIONS = [2, 3, 4, 2]


def sliced(dimensions, slices):
    """The elements 0, 1, 2, ... of a tensor that slices of its dimensions pick."""
    positions = [0]
    for size, part in zip(dimensions, slices):
        picked = range(size)[part]
        positions = [p * size + i for p in positions for i in picked]
    return [float(p) for p in positions]


for name, rank, begin, end, strides, begin_mask, end_mask, shrink_mask, shape in [
    ("rows", 2, [1, 0], [2, 3], [1, 1], 0, 0, 0, [1, 3]),
    ("mixed", 4, [0, 2, 1, 1], [2, 0, 4, 2], [1, -1, 2, 1], 0, 0, 0, [2, 2, 2, 1]),
    ("backwards", 3, [-1, -1, -1], [-9, -9, -9], [-1, -2, -3], 0, 0, 0, [2, 2, 2]),
    ("begin_of_1", 3, [1, 2, 1], [2, 3, 3], [1, 1, 1], 2, 0, 0, [1, 3, 2]),
    ("end_of_0_and_2", 3, [0, 1, 2], [1, 2, 3], [1, 1, 1], 0, 5, 0, [2, 1, 2]),
    ("without_0", 2, [1, 0], [2, 3], [1, 1], 0, 0, 1, [3]),
    ("without_1", 3, [0, -1, 0], [2, 3, 4], [1, 1, 2], 0, 0, 2, [2, 2]),
    ("without_0_2_3", 4, [0, 0, 3, 1], [1, 3, 4, 2], [1, 1, 1, 1], 0, 0, 13, [3]),
]:
    dimensions = DIMENSIONS[:rank]
    slices = [
        slice(
            None if begin_mask >> d & 1 else begin[d],
            None if end_mask >> d & 1 else end[d],
            strides[d],
        )
        for d in range(rank)
    ]
    x = Input("x", ("TENSOR_FLOAT32", dimensions))
    y = Output("y", ("TENSOR_FLOAT32", shape))
    model = Model(name).Operation(
        "STRIDED_SLICE", x, begin, end, strides, begin_mask, end_mask, shrink_mask
    )
    model.To(y)
    elements = [float(k) for k in range(math.prod(dimensions))]
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 0.5, 100), y: ("TENSOR_QUANT8_ASYMM", 0.5, 100)}
    )
    Example({x: elements, y: sliced(dimensions, slices)}).AddVariations("relaxed", quant8)
