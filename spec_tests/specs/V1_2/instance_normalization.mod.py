# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# INSTANCE_NORMALIZATION of channels with means 4 and -1 and variances 5 and 36; the means of their
# squares, 21 and 37, are not what it divides by.

layout = BoolScalar("layout", False)
for name, gamma, beta, epsilon in [("plain", 1.0, 0.0, 1e-4), ("scaled", -3.0, 2.0, 4.0)]:
    x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
    y = Output("y", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
    Model(name).Operation("INSTANCE_NORMALIZATION", x, gamma, beta, epsilon, layout).To(y)
    distances = [-3, 6, -1, -6, 1, -6, 3, 6]
    variances = [5, 36] * 4
    Example(
        {
            x: [1, 5, 3, -7, 5, -7, 7, 5],
            y: [d * gamma / math.sqrt(v + epsilon) + beta for d, v in zip(distances, variances)],
        }
    ).AddNchw(x, y, layout).AddVariations("relaxed", "float16")

# Two images that differ: each has its own mean and deviation.
x = Input("x", ("TENSOR_FLOAT32", [2, 1, 2, 1]))
y = Output("y", ("TENSOR_FLOAT32", [2, 1, 2, 1]))
Model("images").Operation("INSTANCE_NORMALIZATION", x, 1.0, 0.0, 0.0, layout).To(y)
Example({x: [1, 3, 10, -10], y: [-1, 1, 1, -1]}).AddNchw(x, y, layout)
