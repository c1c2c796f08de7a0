# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# ARGMIN along each axis and of each type. The elements of [2, 3, 4] are those of a sawtooth:
# 7 i mod 24 names each of 0 to 23 once.

SIZES = [2, 3, 4]
SAW = [7 * i % 24 for i in range(24)]


def least_along(axis):
    stride = math.prod(SIZES[axis + 1 :])
    indexes = []
    for outer in range(math.prod(SIZES[:axis])):
        for inner in range(stride):
            first = outer * SIZES[axis] * stride + inner
            line = [SAW[first + i * stride] for i in range(SIZES[axis])]
            indexes.append(line.index(min(line)))
    return indexes


for axis, shape in enumerate([[3, 4], [2, 4], [2, 3]]):
    for target in (axis, axis - 3):
        x = Input("x", ("TENSOR_FLOAT32", SIZES))
        y = Output("y", ("TENSOR_INT32", shape))
        name = "axis%d%s" % (axis, "_from_the_end" if target < 0 else "")
        Model(name).Operation("ARGMIN", x, target).To(y)
        quant8 = DataTypeConverter().Identify({x: ("TENSOR_QUANT8_ASYMM", 0.5, 100)})
        Example({x: SAW, y: least_along(axis)}).AddVariations("relaxed", "float16", "int32", quant8)

v = Input("v", ("TENSOR_FLOAT32", [5]))
index = Output("index", ("TENSOR_INT32", [1]))
Model("vector").Operation("ARGMIN", v, 0).To(index)
Example({v: [-3.0, -1.0, -0.5, -7.0, -5.0], index: [3]})
