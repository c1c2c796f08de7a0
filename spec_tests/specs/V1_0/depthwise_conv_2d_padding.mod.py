# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# DEPTHWISE_CONV_2D with implicit and explicit padding and unequal strides, over two channels of
# which the second is ten times the first, with filters that undo that and turn the sign.

weights = [1, 2, 3, 4]  # upper left, upper right, lower left, lower right


def convolve(name, image, size, window, output_size, output):
    height, width = size
    x = Input("x", ("TENSOR_FLOAT32", [1, height, width, 2]))
    w = Parameter("w", ("TENSOR_FLOAT32", [1, 2, 2, 2]), [v for u in weights for v in (u, -u / 10)])
    b = Parameter("b", ("TENSOR_FLOAT32", [2]), [0, 5])
    y = Output("y", ("TENSOR_FLOAT32", [1] + output_size + [2]))
    Model(name).Operation("DEPTHWISE_CONV_2D", x, w, b, *window, 1, 0).To(y)
    Example(
        {
            x: [v for u in image for v in (u, 10 * u)],
            y: [v for u in output for v in (u, 5 - u)],
        }
    ).AddRelaxed()


nine = [1, 2, 3, 4, 5, 6, 7, 8, 9]
convolve("valid", nine, (3, 3), [2, 1, 1], [2, 2], [37, 47, 67, 77])
convolve("same", nine, (3, 3), [1, 1, 1], [3, 3], [37, 47, 21, 67, 77, 33, 23, 26, 9])
convolve("same_strided", nine, (3, 3), [1, 2, 2], [2, 2], [37, 21, 23, 9])
convolve("left_bottom", [1, 2, 3, 4], (2, 2), [1, 0, 0, 1, 1, 1], [2, 2], [14, 30, 6, 11])
convolve("right_top", [1, 2, 3, 4], (2, 2), [0, 1, 1, 0, 1, 1], [2, 2], [11, 6, 30, 14])
convolve("stride", nine, (3, 3), [0, 0, 0, 0, 2, 1], [2, 1], [37, 67])
