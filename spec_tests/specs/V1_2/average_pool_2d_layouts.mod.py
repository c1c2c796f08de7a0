# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# AVERAGE_POOL_2D in both layouts and all types, with several images and channels. Golden values
# come from a walk over all windows.

BATCHES, HEIGHT, WIDTH, DEPTH = 2, 4, 5, 3
image = [(7 * i) % 23 for i in range(BATCHES * HEIGHT * WIDTH * DEPTH)]


def average(left, top, stride, size, height, width):
    result = []
    for n, y, x, c in itertools.product(range(BATCHES), range(height), range(width), range(DEPTH)):
        rows = range(max(0, y * stride[1] - top), min(HEIGHT, y * stride[1] - top + size[1]))
        columns = range(max(0, x * stride[0] - left), min(WIDTH, x * stride[0] - left + size[0]))
        inside = [image[((n * HEIGHT + i) * WIDTH + j) * DEPTH + c] for i in rows for j in columns]
        result.append(sum(inside) / len(inside))
    return result


def test(name, window, height, width, output):
    layout = BoolScalar("layout", False)
    x = Input("x", ("TENSOR_FLOAT32", [BATCHES, HEIGHT, WIDTH, DEPTH]))
    y = Output("y", ("TENSOR_FLOAT32", [BATCHES, height, width, DEPTH]))
    Model(name).Operation("AVERAGE_POOL_2D", x, *window, 0, layout).To(y)
    quant8 = DataTypeConverter().Identify(
        {
            x: ("TENSOR_QUANT8_ASYMM", 0.125, 40),
            y: ("TENSOR_QUANT8_ASYMM", 0.125, 40),
        }
    )
    Example({x: image, y: output}).AddNchw(x, y, layout).AddVariations("relaxed", "float16", quant8)


test("valid", [2, 1, 1, 2, 3], 2, 4, average(0, 0, (1, 1), (2, 3), 2, 4))
test("same", [1, 2, 1, 3, 4], 4, 3, average(1, 1, (2, 1), (3, 4), 4, 3))
test("explicit", [2, 1, 0, 3, 1, 2, 3, 4], 2, 6, average(2, 0, (1, 2), (3, 4), 2, 6))
