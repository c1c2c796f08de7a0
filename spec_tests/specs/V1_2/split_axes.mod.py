# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SPLIT along every axis of a tensor into as many parts as there can be; element [i, j, k] of it is
# 100 i + 10 j + k.

DIMENSIONS = [2, 3, 4]


def elements(ranges):
    return [100 * i + 10 * j + k for i, j, k in itertools.product(*ranges)]


for axis, parts in [(0, 1), (0, 2), (1, 3), (2, 2), (2, 4)]:
    length = DIMENSIONS[axis] // parts
    x = Input("x", ("TENSOR_FLOAT32", DIMENSIONS))
    outputs = []
    feed = {x: elements([range(size) for size in DIMENSIONS])}
    types = {x: ("TENSOR_QUANT8_ASYMM", 1.0, 5)}
    for part in range(parts):
        ranges = [range(size) for size in DIMENSIONS]
        ranges[axis] = ranges[axis][part * length : (part + 1) * length]
        y = Output("y%d" % part, ("TENSOR_FLOAT32", [len(r) for r in ranges]))
        outputs.append(y)
        feed[y] = elements(ranges)
        types[y] = types[x]
    Model("axis%d_in_%d" % (axis, parts)).Operation("SPLIT", x, axis, parts).To(outputs)
    Example(feed).AddVariations("relaxed", "float16", "int32", DataTypeConverter().Identify(types))
