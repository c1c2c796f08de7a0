# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SPACE_TO_DEPTH and DEPTH_TO_SPACE, which undo each other. The elements of an image tell the row,
# the column and the channel that they stand in.


def space(height, width, depth):
    return [40 * y + 5 * x + c for y in range(height) for x in range(width) for c in range(depth)]


def depths(height, width, depth, block):
    """The channels of each block, row by row."""
    return [
        40 * (y + dy) + 5 * (x + dx) + c
        for y in range(0, height, block)
        for x in range(0, width, block)
        for dy in range(block)
        for dx in range(block)
        for c in range(depth)
    ]


for height, width, depth, block in [(2, 4, 1, 2), (4, 2, 3, 2), (3, 6, 1, 3), (2, 2, 2, 1)]:
    name = "%dx%dx%d_by_%d" % (height, width, depth, block)
    spread = ("TENSOR_FLOAT32", [1, height, width, depth])
    stacked = ("TENSOR_FLOAT32", [1, height // block, width // block, depth * block * block])
    for operation, x, y in [
        ("SPACE_TO_DEPTH", Input("x", spread), Output("y", stacked)),
        ("DEPTH_TO_SPACE", Input("x", stacked), Output("y", spread)),
    ]:
        Model(operation.lower() + "_" + name).Operation(operation, x, block).To(y)
        elements = [space(height, width, depth), depths(height, width, depth, block)]
        if operation == "DEPTH_TO_SPACE":
            elements.reverse()
        quant8 = DataTypeConverter().Identify(
            {x: ("TENSOR_QUANT8_ASYMM", 2.0, 3), y: ("TENSOR_QUANT8_ASYMM", 2.0, 3)}
        )
        # Quantized in steps of 2, so the elements are doubled.
        Example({x: [2 * e for e in elements[0]], y: [2 * e for e in elements[1]]}).AddVariations(
            quant8
        )
