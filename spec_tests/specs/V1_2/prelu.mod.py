# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# PRELU with a factor for each channel; quantized with output steps coarser and finer than the
# product of the inputs' steps.

x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
alpha = Parameter("alpha", ("TENSOR_FLOAT32", [1, 1, 2]), [0.5, -2])
y = Output("y", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
Model().Operation("PRELU", x, alpha).To(y)


def steps(output_scale):
    return DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
            alpha: ("TENSOR_QUANT8_ASYMM", 0.25, 128),
            y: ("TENSOR_QUANT8_ASYMM", output_scale, 100),
        }
    )


Example(
    {
        x: [-4, -4, 0, 0, 3, 3, -1, -1],
        y: [-2, 8, 0, 0, 3, 3, -0.5, 2],
    }
).AddInput(
    alpha
).AddVariations("relaxed", "float16", steps(0.5), steps(0.0625))

# Broadcasting the input.
column = Input("column", ("TENSOR_FLOAT32", [2, 1]))
row = Input("row", ("TENSOR_FLOAT32", [3]))
table = Output("table", ("TENSOR_FLOAT32", [2, 3]))
Model("both_repeat").Operation("PRELU", column, row).To(table)
Example({column: [-2, 2], row: [1, 0.5, -3], table: [-2, -1, 6, 2, 2, 2]})
