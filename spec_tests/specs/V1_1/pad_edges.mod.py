# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# PAD of one to four dimensions, on one side, on both, and not at all.


def padded(dimensions, paddings, elements, value):
    """The elements of a tensor of `dimensions` among `value`s, in row-major order."""
    if not dimensions:
        return elements
    before, after = paddings[0]
    inner = len(elements) // dimensions[0]
    slices = [
        padded(dimensions[1:], paddings[1:], elements[i * inner : (i + 1) * inner], value)
        for i in range(dimensions[0])
    ]
    nothing = [value] * len(slices[0])
    return nothing * before + sum(slices, []) + nothing * after


for name, dimensions, paddings in [
    ("before", [3], [[2, 0]]),
    ("after", [3], [[0, 2]]),
    ("nowhere", [2, 2], [[0, 0], [0, 0]]),
    ("rows", [2, 3], [[1, 2], [0, 0]]),
    ("columns", [2, 3], [[0, 0], [2, 1]]),
    ("planes", [2, 1, 2], [[0, 1], [1, 0], [0, 1]]),
    ("around", [1, 2, 2, 1], [[1, 1], [2, 1], [1, 2], [1, 0]]),
]:
    elements = [k + 0.5 for k in range(math.prod(dimensions))]
    output = [sum(pair) + size for pair, size in zip(paddings, dimensions)]
    x = Input("x", ("TENSOR_FLOAT32", dimensions))
    y = Output("y", ("TENSOR_FLOAT32", output))
    pads = Parameter("pads", ("TENSOR_INT32", [len(dimensions), 2]), sum(paddings, []))
    Model(name).Operation("PAD", x, pads).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 0.5, 0), y: ("TENSOR_QUANT8_ASYMM", 0.5, 0)}
    )
    Example({x: elements, y: padded(dimensions, paddings, elements, 0)}).AddVariations(
        "relaxed", quant8
    )
