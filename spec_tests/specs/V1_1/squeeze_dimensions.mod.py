# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SQUEEZE of listed dimensions, and of all that are 1 when there is no list.

for name, dimensions, axes, output in [
    ("first", [1, 2, 1, 3], [0], [2, 1, 3]),
    ("middle", [1, 2, 1, 3], [2], [1, 2, 3]),
    ("both", [1, 2, 1, 3], [2, 0], [2, 3]),
    ("last", [3, 1], [1], [3]),
    ("no_list", [1, 3, 1, 1], None, [3]),
]:
    x = Input("x", ("TENSOR_FLOAT32", dimensions))
    y = Output("y", ("TENSOR_FLOAT32", output))
    if axes is None:
        listed = NoValue("listed", ("TENSOR_INT32", [0]))
    else:
        listed = Int32Vector("listed", axes)
    Model(name).Operation("SQUEEZE", x, listed).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 0.5, 7), y: ("TENSOR_QUANT8_ASYMM", 0.5, 7)}
    )
    elements = [k + 0.5 for k in range(math.prod(dimensions))]
    Example({x: elements, y: elements}).AddVariations("relaxed", quant8)
