# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# MAX_POOL_2D and L2_POOL_2D in both layouts and all types, with several images and channels. Golden
# values come from a walk over all windows.

BATCHES, HEIGHT, WIDTH, DEPTH = 2, 4, 5, 3
IMAGE = [((7 * i) % 23 - 11) / 4 for i in range(BATCHES * HEIGHT * WIDTH * DEPTH)]


def pooled(function, left, top, stride, size, height, width):
    result = []
    for n, y, x, c in itertools.product(range(BATCHES), range(height), range(width), range(DEPTH)):
        rows = range(max(0, y * stride[1] - top), min(HEIGHT, y * stride[1] - top + size[1]))
        columns = range(max(0, x * stride[0] - left), min(WIDTH, x * stride[0] - left + size[0]))
        result.append(
            function(
                [IMAGE[((n * HEIGHT + i) * WIDTH + j) * DEPTH + c] for i in rows for j in columns]
            )
        )
    return result


def root_mean_square(elements):
    return math.sqrt(sum(x * x for x in elements) / len(elements))


def test(operation, function, name, window, height, width, *geometry):
    layout = BoolScalar("layout", False)
    x = Input("x", ("TENSOR_FLOAT32", [BATCHES, HEIGHT, WIDTH, DEPTH]))
    y = Output("y", ("TENSOR_FLOAT32", [BATCHES, height, width, DEPTH]))
    Model(operation[:2].lower() + "_" + name).Operation(operation, x, *window, 0, layout).To(y)
    variations = ["relaxed", "float16"]
    if operation == "MAX_POOL_2D":
        quant8 = {t: ("TENSOR_QUANT8_ASYMM", 0.25, 40) for t in (x, y)}
        variations.append(DataTypeConverter().Identify(quant8))
    golden = pooled(function, *geometry, height, width)
    Example({x: IMAGE, y: golden}).AddNchw(x, y, layout).AddVariations(*variations)


for operation, function in [("MAX_POOL_2D", max), ("L2_POOL_2D", root_mean_square)]:
    test(operation, function, "valid", [2, 1, 1, 2, 3], 2, 4, 0, 0, (1, 1), (2, 3))
    test(operation, function, "same", [1, 2, 1, 3, 4], 4, 3, 1, 1, (2, 1), (3, 4))
    test(operation, function, "explicit", [2, 1, 0, 3, 1, 2, 3, 4], 2, 6, 2, 0, (1, 2), (3, 4))
