# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR by shape and by scale, in both layouts and all types.
# Golden values come from the formula, pixel by pixel.

HEIGHT, WIDTH, DEPTH = 3, 4, 2
IMAGE = [(11 * i) % 17 - 8 for i in range(HEIGHT * WIDTH * DEPTH)]


def pixel(y, x, c):
    return IMAGE[(min(y, HEIGHT - 1) * WIDTH + min(x, WIDTH - 1)) * DEPTH + c]


def bilinear(y, x, c):
    i, j = math.floor(y), math.floor(x)
    top = pixel(i, j, c) * (1 - x + j) + pixel(i, j + 1, c) * (x - j)
    bottom = pixel(i + 1, j, c) * (1 - x + j) + pixel(i + 1, j + 1, c) * (x - j)
    return top * (1 - y + i) + bottom * (y - i)


def nearest(y, x, c):
    return pixel(math.floor(y), math.floor(x), c)


for operation, sample in [("BILINEAR", bilinear), ("NEAREST_NEIGHBOR", nearest)]:
    # The scales give the lengths rounded down. None of the positions is at the edge of a pixel in
    # decimal fractions alone.
    for name, width, height, scales in [
        ("larger", 8, 6, (2.0, 2.2)),
        ("wider", 5, 3, (1.25, 1.0)),
        ("smaller", 2, 1, (0.7, 0.5)),
    ]:
        golden = [
            sample(y * HEIGHT / height, x * WIDTH / width, c)
            for y, x, c in itertools.product(range(height), range(width), range(DEPTH))
        ]
        for by, arguments in [("shape", (width, height)), ("scale", scales)]:
            layout = BoolScalar("layout", False)
            x = Input("x", ("TENSOR_FLOAT32", [1, HEIGHT, WIDTH, DEPTH]))
            y = Output("y", ("TENSOR_FLOAT32", [1, height, width, DEPTH]))
            Model("_".join([operation.lower(), name, by])).Operation(
                "RESIZE_" + operation, x, *arguments, layout
            ).To(y)
            quant8 = DataTypeConverter().Identify(
                {t: ("TENSOR_QUANT8_ASYMM", 0.25, 100) for t in (x, y)}
            )
            Example({x: IMAGE, y: golden}).AddNchw(x, y, layout).AddVariations(
                "relaxed", "float16", quant8
            )
