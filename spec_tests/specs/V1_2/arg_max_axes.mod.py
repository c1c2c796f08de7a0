# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# ARGMAX along each axis, counted from the front and from the end. A vector gives one element.

x = Input("x", ("TENSOR_FLOAT32", [2, 2, 2, 3]))
axis = Int32Scalar("axis", 3)
y = Output("y", ("TENSOR_INT32", [2, 2, 2]))
Model().Operation("ARGMAX", x, axis).To(y)
rows = [
    [5, 4, 9],
    [1, 0, 7],
    [2, 3, 4],
    [-4, -3, -1],
    [8, 0, 1],
    [0, 1, 0],
    [6, 7, 0],
    [-9, -8, -9],
]
golden = [2, 2, 2, 2, 0, 1, 1, 1]
Example({x: [float(e) for row in rows for e in row], y: golden})
Model("from_the_end").Operation("ARGMAX", x, -1).To(y)
Example({x: [float(e) for row in rows for e in row], y: golden})

# The elements of [2, 3, 4] are those of a sawtooth: 7 i mod 24 names each of 0 to 23 once.
SAW = [float(7 * i % 24) for i in range(24)]
for k, shape in enumerate([[3, 4], [2, 4], [2, 3]]):
    sizes = [2, 3, 4]
    stride = math.prod(sizes[k + 1 :])
    indexes = []
    for outer in range(math.prod(sizes[:k])):
        for inner in range(stride):
            line = [SAW[(outer * sizes[k] + i) * stride + inner] for i in range(sizes[k])]
            indexes.append(line.index(max(line)))
    for target in (k, k - 3):
        x3 = Input("x3", ("TENSOR_FLOAT32", sizes))
        y3 = Output("y3", ("TENSOR_INT32", shape))
        name = "axis%d%s" % (k, "_neg" if target < 0 else "")
        Model(name).Operation("ARGMAX", x3, target).To(y3)
        Example({x3: SAW, y3: indexes})

v = Input("v", ("TENSOR_FLOAT32", [5]))
index = Output("index", ("TENSOR_INT32", [1]))
Model("vector").Operation("ARGMAX", v, 0).To(index)
Example({v: [-3.0, -1.0, -0.5, -2.0, -5.0], index: [2]})
