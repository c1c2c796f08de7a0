# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# EXPAND_DIMS at every axis, from either end.

for axis in range(-4, 4):
    x = Input("x", ("TENSOR_FLOAT32", [2, 1, 3]))
    y = Output("y", ("TENSOR_FLOAT32", [2, 1, 3][: axis % 4] + [1] + [2, 1, 3][axis % 4 :]))
    Model("axis%d" % axis if axis >= 0 else "axis_minus%d" % -axis).Operation(
        "EXPAND_DIMS", x, axis
    ).To(y)
    quant8 = DataTypeConverter().Identify(
        {x: ("TENSOR_QUANT8_ASYMM", 0.5, 7), y: ("TENSOR_QUANT8_ASYMM", 0.5, 7)}
    )
    Example({x: [1, 2, 3, 4, 5, 6], y: [1, 2, 3, 4, 5, 6]}).AddVariations(
        "relaxed", "float16", "int32", quant8
    )
