# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# Where the windows of a CONV_2D stand: a 2 x 2 filter of 1 2 / 3 4 over a small image, with every
# kind of padding. The filter is lopsided, so a flipped or shifted one does not pass.

weights = [1, 2, 3, 4]


def convolve(name, image, size, bias, window, output_size, output):
    height, width = size
    x = Input("x", ("TENSOR_FLOAT32", [1, height, width, 1]))
    w = Parameter("w", ("TENSOR_FLOAT32", [1, 2, 2, 1]), weights)
    b = Parameter("b", ("TENSOR_FLOAT32", [1]), [bias])
    act = Int32Scalar("act", 0)
    y = Output("y", ("TENSOR_FLOAT32", [1] + output_size + [1]))
    Model(name).Operation("CONV_2D", x, w, b, *window, act).To(y)
    # The real zero of a padded pixel is the byte 100.
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
            w: ("TENSOR_QUANT8_ASYMM", 0.25, 30),
            b: ("TENSOR_INT32", 0.125, 0),
            y: ("TENSOR_QUANT8_ASYMM", 1.0, 60),
        }
    )
    Example({x: image, y: output}).AddVariations("relaxed", quant8).AddInput(w, b)


nine = [1, 2, 3, 4, 5, 6, 7, 8, 9]
#        left, right, top, bottom, stride width, stride height
convolve("valid", nine, (3, 3), 10, [2, 1, 1], [2, 2], [47, 57, 77, 87])
# SAME pads one column and one row, at the right and at the bottom.
convolve("same", nine, (3, 3), 0, [1, 1, 1], [3, 3], [37, 47, 21, 67, 77, 33, 23, 26, 9])
convolve("same_strided", nine, (3, 3), 0, [1, 2, 2], [2, 2], [37, 21, 23, 9])
# 0 1 2
# 0 3 4
# 0 0 0
convolve("left_bottom", [1, 2, 3, 4], (2, 2), 0, [1, 0, 0, 1, 1, 1], [2, 2], [14, 30, 6, 11])
# 0 0 0
# 1 2 0
# 3 4 0
convolve("right_top", [1, 2, 3, 4], (2, 2), 0, [0, 1, 1, 0, 1, 1], [2, 2], [11, 6, 30, 14])
# Stride 2 across and 1 down; the last column is reached by no window.
convolve("stride", nine, (3, 3), -40, [0, 0, 0, 0, 2, 1], [2, 1], [-3, 27])
