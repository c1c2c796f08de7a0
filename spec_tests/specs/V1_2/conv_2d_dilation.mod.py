# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# Dilated CONV_2D: the elements of the filter are apart, across and down by different factors, and
# padding counts the gaps. Golden values come from a walk over all pixels and filter elements.

SIZE = 6
image = [(7 * i) % 11 - 5 for i in range(SIZE * SIZE * 2)]
weights = [(5 * i) % 7 - 3 for i in range(2 * 3 * 2 * 2)]  # [2, height 3, width 2, 2]


def convolve(left, top, stride, dilation, height, width):
    result = []
    for y, x, c in itertools.product(range(height), range(width), range(2)):
        total = 0
        for i, j, k in itertools.product(range(3), range(2), range(2)):
            row = y * stride[1] + i * dilation[1] - top
            column = x * stride[0] + j * dilation[0] - left
            if 0 <= row < SIZE and 0 <= column < SIZE:
                pixel = image[(row * SIZE + column) * 2 + k]
                total += pixel * weights[((c * 3 + i) * 2 + j) * 2 + k]
        result.append(total)
    return result


def test(name, window, dilation, height, width, output):
    layout = BoolScalar("layout", False)
    x = Input("x", ("TENSOR_FLOAT32", [1, SIZE, SIZE, 2]))
    w = Parameter("w", ("TENSOR_FLOAT32", [2, 3, 2, 2]), weights)
    b = Parameter("b", ("TENSOR_FLOAT32", [2]), [0, 0])
    y = Output("y", ("TENSOR_FLOAT32", [1, height, width, 2]))
    Model(name).Operation("CONV_2D", x, w, b, *window, 0, layout, *dilation).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
            w: ("TENSOR_QUANT8_ASYMM", 0.5, 30),
            b: ("TENSOR_INT32", 0.25, 0),
            y: ("TENSOR_QUANT8_ASYMM", 1.0, 128),
        }
    )
    Example({x: image, y: output}).AddNchw(x, y, layout).AddVariations("relaxed", "float16", quant8)


# The filter spans 5 rows and 4 columns.
test("valid", [2, 1, 1], [3, 2], 2, 3, convolve(0, 0, (1, 1), (3, 2), 2, 3))
# SAME adds 3 columns, one of them at the left, and 4 rows.
test("same", [1, 1, 1], [3, 2], 6, 6, convolve(1, 2, (1, 1), (3, 2), 6, 6))
# 3 positions across cover 4 + 4 columns, so 2 are added; 2 down cover 3 + 5 rows.
test("same_strided", [1, 2, 3], [3, 2], 2, 3, convolve(1, 1, (2, 3), (3, 2), 2, 3))
# Paddings up to the span, less one.
test("explicit", [3, 0, 1, 4, 1, 2], [3, 2], 4, 6, convolve(3, 1, (1, 2), (3, 2), 4, 6))
# Without gaps.
test("one", [2, 1, 1], [1, 1], 4, 5, convolve(0, 0, (1, 1), (1, 1), 4, 5))
