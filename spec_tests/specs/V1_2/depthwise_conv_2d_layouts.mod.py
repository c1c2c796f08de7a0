# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# DEPTHWISE_CONV_2D in both layouts, all types, and with dilation. Golden values come from a walk
# over all pixels and filter elements.

BATCHES, HEIGHT, WIDTH, DEPTH, MULTIPLIER = 2, 4, 5, 2, 2
image = [(7 * i) % 11 - 5 for i in range(BATCHES * HEIGHT * WIDTH * DEPTH)]
weights = [(5 * i) % 7 - 3 for i in range(2 * 2 * DEPTH * MULTIPLIER)]
biases = [1, -2, 3, -4]


def convolve(left, top, stride, dilation, height, width):
    result = []
    for n, y, x in itertools.product(range(BATCHES), range(height), range(width)):
        for c in range(DEPTH * MULTIPLIER):
            total = biases[c]
            for i, j in itertools.product(range(2), range(2)):
                row = y * stride[1] + i * dilation[1] - top
                column = x * stride[0] + j * dilation[0] - left
                if 0 <= row < HEIGHT and 0 <= column < WIDTH:
                    pixel = (n * HEIGHT + row) * WIDTH + column
                    total += (
                        image[pixel * DEPTH + c // MULTIPLIER]
                        * weights[(i * 2 + j) * DEPTH * MULTIPLIER + c]
                    )
            result.append(total)
    return result


def test(name, window, dilation, height, width, output):
    layout = BoolScalar("layout", False)
    act = Int32Scalar("act", 0)
    x = Input("x", ("TENSOR_FLOAT32", [BATCHES, HEIGHT, WIDTH, DEPTH]))
    w = Parameter("w", ("TENSOR_FLOAT32", [1, 2, 2, DEPTH * MULTIPLIER]), weights)
    b = Parameter("b", ("TENSOR_FLOAT32", [DEPTH * MULTIPLIER]), biases)
    y = Output("y", ("TENSOR_FLOAT32", [BATCHES, height, width, DEPTH * MULTIPLIER]))
    Model(name).Operation(
        "DEPTHWISE_CONV_2D", x, w, b, *window, MULTIPLIER, act, layout, *dilation
    ).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
            w: ("TENSOR_QUANT8_ASYMM", 0.5, 30),
            b: ("TENSOR_INT32", 0.25, 0),
            y: ("TENSOR_QUANT8_ASYMM", 1.0, 128),
        }
    )
    channel_quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
            w: (
                "TENSOR_QUANT8_SYMM_PER_CHANNEL",
                0,
                0,
                SymmPerChannelQuantParams(channelDim=3, scales=[1.0, 0.5, 0.25, 0.125]),
            ),
            b: (
                "TENSOR_INT32",
                0.0,
                0,
                SymmPerChannelQuantParams(
                    channelDim=0, scales=[0.5, 0.25, 0.125, 0.0625], hide=True
                ),
            ),
            y: ("TENSOR_QUANT8_ASYMM", 1.0, 128),
        }
    )
    Example({x: image, y: output}).AddNchw(x, y, layout).AddVariations(
        "relaxed", "float16", quant8, channel_quant8
    ).AddRelu(y, act).AddInput(w, b)


test("valid", [2, 1, 1], [], 3, 4, convolve(0, 0, (1, 1), (1, 1), 3, 4))
test("explicit", [1, 0, 0, 1, 2, 1], [], 4, 3, convolve(1, 0, (2, 1), (1, 1), 4, 3))
# The filter spans 3 rows and 4 columns; SAME adds 3 columns, one of them at the left, and 2 rows.
test("dilated", [1, 1, 1], [3, 2], 4, 5, convolve(1, 1, (1, 1), (3, 2), 4, 5))
# Columns -3, -1, 1 and 3 with a gap of 3, rows 0 and 3 with a gap of 1.
test("dilated_strided", [3, 2, 0, 1, 2, 3], [3, 1], 2, 4, convolve(3, 0, (2, 3), (3, 1), 2, 4))
