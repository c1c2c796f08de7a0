# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# STRIDED_SLICE of halves, with bounds that are inputs.

x = Input("x", ("TENSOR_FLOAT32", [2, 3]))
begin = Parameter("begin", ("TENSOR_INT32", [2]), [0, 2])
end = Parameter("end", ("TENSOR_INT32", [2]), [2, 0])
strides = Parameter("strides", ("TENSOR_INT32", [2]), [1, -1])
y = Output("y", ("TENSOR_FLOAT32", [2, 2]))
Model().Operation("STRIDED_SLICE", x, begin, end, strides, 0, 0, 0).To(y)
Example({x: [1.5, 2.5, 3.5, -1.5, -2.5, -3.5], y: [3.5, 2.5, -3.5, -2.5]}).AddVariations(
    "float16", includeDefault=False
).AddInput(begin, end, strides)
