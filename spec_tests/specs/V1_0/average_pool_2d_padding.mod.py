# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# AVERAGE_POOL_2D counts what is inside the image alone: padding moves the windows, but neither
# adds to the sum nor to the count.


def average(name, size, window, output_size, output):
    height, width = size
    x = Input("x", ("TENSOR_FLOAT32", [1, height, width, 1]))
    act = Int32Scalar("act", 0)
    y = Output("y", ("TENSOR_FLOAT32", [1] + output_size + [1]))
    Model(name).Operation("AVERAGE_POOL_2D", x, *window, act).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.25, 40),
            y: ("TENSOR_QUANT8_ASYMM", 0.25, 40),
        }
    )
    image = [i + 1 for i in range(height * width)]
    Example({x: image, y: output}).AddVariations("relaxed", quant8).AddAllActivations(y, act)


#        left, right, top, bottom, stride width, stride height, filter width, filter height
average(
    "explicit",
    (3, 3),
    [1, 1, 1, 1, 1, 1, 2, 2],
    [4, 4],
    [1, 1.5, 2.5, 3, 2.5, 3, 4, 4.5, 5.5, 6, 7, 7.5, 7, 7.5, 8.5, 9],
)
# Columns -1..0 and 1..2; rows 0..2, 1..3 and 2..4.
average("lopsided", (3, 3), [1, 0, 0, 2, 2, 1, 2, 3], [3, 2], [4, 5.5, 5.5, 7, 7, 8.5])
#        scheme, stride width, stride height, filter width, filter height
average("same", (3, 3), [1, 1, 1, 2, 2], [3, 3], [3, 4, 4.5, 6, 7, 7.5, 7.5, 8.5, 9])
average("same_strided", (2, 5), [1, 3, 2, 3, 2], [1, 2], [4.5, 7])
average("valid", (3, 3), [2, 1, 1, 2, 2], [2, 2], [3, 4, 6, 7])
# One window, greater than the image on all sides.
average("all", (2, 2), [4, 4, 4, 4, 9, 9, 9, 9], [1, 1], [2.5])
