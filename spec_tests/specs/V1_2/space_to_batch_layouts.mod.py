# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND of several images with several channels in both layouts.
# The padding of quantized images is their zero point.

layout = BoolScalar("layout", False)
x = Input("x", ("TENSOR_FLOAT32", [2, 1, 3, 2]))
y = Output("y", ("TENSOR_FLOAT32", [8, 1, 2, 2]))
blocks = Parameter("blocks", ("TENSOR_INT32", [2]), [2, 2])
pads = Parameter("pads", ("TENSOR_INT32", [2, 2]), [1, 0, 0, 1])
Model("to_batch").Operation("SPACE_TO_BATCH_ND", x, blocks, pads, layout).To(y)
quant8 = DataTypeConverter().Identify(
    {x: ("TENSOR_QUANT8_ASYMM", 0.5, 100), y: ("TENSOR_QUANT8_ASYMM", 0.5, 100)}
)
# The upper rows of both images are padding; the lower ones are split in even and odd columns.
Example(
    {
        x: [1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6],
        y: [0] * 16 + [1, -1, 3, -3, 4, -4, 6, -6] + [2, -2, 0, 0, 5, -5, 0, 0],
    }
).AddNchw(x, y, layout).AddVariations("relaxed", "float16", quant8).AddInput(blocks, pads)

layout = BoolScalar("layout", False)
x = Input("x", ("TENSOR_FLOAT32", [6, 1, 1, 2]))
y = Output("y", ("TENSOR_FLOAT32", [2, 1, 3, 2]))
blocks = Parameter("blocks", ("TENSOR_INT32", [2]), [1, 3])
Model("to_space").Operation("BATCH_TO_SPACE_ND", x, blocks, layout).To(y)
quant8 = DataTypeConverter().Identify(
    {x: ("TENSOR_QUANT8_ASYMM", 0.5, 100), y: ("TENSOR_QUANT8_ASYMM", 0.5, 100)}
)
Example(
    {
        x: [1, -1, 4, -4, 2, -2, 5, -5, 3, -3, 6, -6],
        y: [1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6],
    }
).AddNchw(x, y, layout).AddVariations("relaxed", "float16", quant8).AddInput(blocks)
