# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# GATHER along every axis from either end, by indices of one to three dimensions; element [i, j, k]
# of the input is 100 i + 10 j + k.

DIMENSIONS = [2, 3, 2]
for axis, shape, picked in [
    (0, [3], [1, 0, 1]),
    (1, [1], [2]),
    (2, [2], [1, 0]),
    (-1, [2, 2], [0, 1, 1, 1]),
    (-2, [1, 2, 2], [2, 0, 0, 1]),
    (-3, [2, 1], [1, 1]),
]:
    x = Input("x", ("TENSOR_FLOAT32", DIMENSIONS))
    indices = Parameter("indices", ("TENSOR_INT32", shape), picked)
    place = axis % 3
    y = Output("y", ("TENSOR_FLOAT32", DIMENSIONS[:place] + shape + DIMENSIONS[place + 1 :]))
    name = "axis%d" % axis if axis >= 0 else "axis_minus%d" % -axis
    Model(name).Operation("GATHER", x, axis, indices).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 1.0, 5), y: ("TENSOR_QUANT8_ASYMM", 1.0, 5)}
    )
    indexes = [list(range(d)) for d in DIMENSIONS]
    gathered = indexes[:place] + [picked] + indexes[place + 1 :]
    Example(
        {
            x: [100 * i + 10 * j + k for i, j, k in itertools.product(*indexes)],
            y: [100 * i + 10 * j + k for i, j, k in itertools.product(*gathered)],
        }
    ).AddVariations("relaxed", "float16", "int32", quant8).AddInput(indices)
