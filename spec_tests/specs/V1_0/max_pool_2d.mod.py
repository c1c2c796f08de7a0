# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# MAX_POOL_2D finds the greatest of what is inside the image: padding is never the greatest, even
# where all elements are negative.


def greatest(name, window, output_size, output):
    x = Input("x", ("TENSOR_FLOAT32", [1, 3, 3, 1]))
    act = Int32Scalar("act", 0)
    y = Output("y", ("TENSOR_FLOAT32", [1] + output_size + [1]))
    Model(name).Operation("MAX_POOL_2D", x, *window, act).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 120),
            y: ("TENSOR_QUANT8_ASYMM", 0.5, 120),
        }
    )
    image = [-1, -12, -3, -4, -5, -6, -7, -18, -9]
    Example({x: image, y: output}).AddVariations("relaxed", quant8).AddAllActivations(y, act)


#        left, right, top, bottom, stride width, stride height, filter width, filter height
greatest(
    "explicit",
    [1, 1, 1, 1, 1, 1, 2, 2],
    [4, 4],
    [-1, -1, -3, -3, -1, -1, -3, -3, -4, -4, -5, -6, -7, -7, -9, -9],
)
# Columns -1..0 and 1..2; rows 0..2, 1..3 and 2..4.
greatest("lopsided", [1, 0, 0, 2, 2, 1, 2, 3], [3, 2], [-1, -3, -4, -5, -7, -9])
#        scheme, stride width, stride height, filter width, filter height
greatest("same", [1, 1, 1, 2, 2], [3, 3], [-1, -3, -3, -4, -5, -6, -7, -9, -9])
greatest("valid", [2, 2, 1, 2, 2], [2, 1], [-1, -4])
