# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SPACE_TO_BATCH_ND with and without paddings, and BATCH_TO_SPACE_ND of what needs no paddings.


def batches(image, block, paddings):
    """An image of one channel, as a list of rows: padded, then every block-th pixel of it."""
    (top, bottom), (left, right) = paddings
    width = left + len(image[0]) + right
    rows = [[0] * width] * top
    rows += [[0] * left + row + [0] * right for row in image]
    rows += [[0] * width] * bottom
    images = [
        [row[dx :: block[1]] for row in rows[dy :: block[0]]]
        for dy in range(block[0])
        for dx in range(block[1])
    ]
    return images


for name, height, width, block, paddings in [
    ("squares", 2, 4, [2, 2], [[0, 0], [0, 0]]),
    ("rows", 2, 3, [1, 3], [[0, 0], [0, 0]]),
    ("columns", 4, 2, [4, 1], [[0, 0], [0, 0]]),
    ("padded", 3, 4, [2, 3], [[1, 0], [0, 2]]),
    ("padded_by_blocks", 1, 2, [2, 2], [[3, 2], [2, 4]]),
]:
    image = [[10 * y + x + 1 for x in range(width)] for y in range(height)]
    result = batches(image, block, paddings)
    flat_image = sum(image, [])
    flat_result = sum(sum(result, []), [])
    spread = ("TENSOR_FLOAT32", [1, height, width, 1])
    stacked = ("TENSOR_FLOAT32", [len(result), len(result[0]), len(result[0][0]), 1])
    x = Input("x", spread)
    y = Output("y", stacked)
    blocks = Parameter("blocks", ("TENSOR_INT32", [2]), block)
    pads = Parameter("pads", ("TENSOR_INT32", [2, 2]), sum(paddings, []))
    Model("to_batch_" + name).Operation("SPACE_TO_BATCH_ND", x, blocks, pads).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 0.5, 0), y: ("TENSOR_QUANT8_ASYMM", 0.5, 0)}
    )
    Example({x: flat_image, y: flat_result}).AddVariations("relaxed", quant8)
    if sum(paddings, []) != [0, 0, 0, 0]:
        continue
    x = Input("x", stacked)
    y = Output("y", spread)
    Model("to_space_" + name).Operation("BATCH_TO_SPACE_ND", x, blocks).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 0.5, 5), y: ("TENSOR_QUANT8_ASYMM", 0.5, 5)}
    )
    Example({x: flat_result, y: flat_image}).AddVariations("relaxed", quant8)
