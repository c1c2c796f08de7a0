# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# MEAN of half precision, and over everything.

x = Input("x", ("TENSOR_FLOAT16", [2, 3]))
y = Output("y", ("TENSOR_FLOAT16", [2]))
Model().Operation("MEAN", x, Int32Vector("axes", [1]), 0).To(y)
# The sums of the second row are too large for a half's 11 bits, the mean is not.
Example({x: [0, 0, 1, 2047, 2045, 2047], y: [1 / 3, 2046.0 + 1 / 3]})

# The one element of a mean over everything has rank 1: no tensor has rank 0.
x = Input("x", ("TENSOR_FLOAT32", [2, 2, 1]))
y = Output("y", ("TENSOR_FLOAT32", [1]))
Model("everything").Operation("MEAN", x, Int32Vector("axes", [0, 1, 2]), 0).To(y)
quant8 = DataTypeConverter().Identify(
    {
        x: ("TENSOR_QUANT8_ASYMM", 0.25, 7),
        y: ("TENSOR_QUANT8_ASYMM", 0.25, 7),
    }
)
Example({x: [1, 2, 4, 8], y: [3.75]}).AddVariations("relaxed", "float16", quant8)
