# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# The REDUCE operations over one axis, over several and over all. Golden values come from a walk
# over all elements.

SIZES = [2, 3, 4]
NUMBERS = [((5 * i) % 16 - 7) / 4 for i in range(24)]
TRUTHS = [i % 5 != 0 for i in range(24)]


def reduced(elements, axes, function):
    groups = {}
    for i, index in enumerate(itertools.product(*(range(size) for size in SIZES))):
        kept = tuple(0 if axis in axes else k for axis, k in enumerate(index))
        groups.setdefault(kept, []).append(elements[i])
    return [function(group) for group in groups.values()]


def test(operation, element, elements, function, variations):
    for name, axes, reduces, keep_dims, shape in [
        ("first", [0], [0], False, [3, 4]),
        ("middle_kept", [1], [1], True, [2, 1, 4]),
        ("outer", [-1, 0, 2], [0, 2], False, [3]),
        ("all_kept", [2, 1, 0], [0, 1, 2], True, [1, 1, 1]),
        ("all", [0, 1, 2], [0, 1, 2], False, [1]),
    ]:
        x = Input("x", (element, SIZES))
        y = Output("y", (element, shape))
        Model(operation.lower() + "_" + name).Operation(
            operation, x, Int32Vector("axes", axes), keep_dims
        ).To(y)
        example = Example({x: elements, y: reduced(elements, reduces, function)})
        quant8 = DataTypeConverter().Identify(
            {x: ("TENSOR_QUANT8_ASYMM", 0.25, 9), y: ("TENSOR_QUANT8_ASYMM", 0.25, 9)}
        )
        example.AddVariations(*[quant8 if v == "quant8" else v for v in variations])


test("REDUCE_ALL", "TENSOR_BOOL8", TRUTHS, all, [])
test("REDUCE_ANY", "TENSOR_BOOL8", [not truth for truth in TRUTHS], any, [])
test("REDUCE_MAX", "TENSOR_FLOAT32", NUMBERS, max, ["relaxed", "float16", "quant8"])
test("REDUCE_MIN", "TENSOR_FLOAT32", NUMBERS, min, ["relaxed", "float16", "quant8"])
test("REDUCE_SUM", "TENSOR_FLOAT32", NUMBERS, sum, ["relaxed", "float16"])
# Three signs and powers of two, so that every product is exact and none overflows.
POWERS = [(-1) ** (i % 3) * 2.0 ** ((5 * i) % 3 - 1) for i in range(24)]
test("REDUCE_PROD", "TENSOR_FLOAT32", POWERS, math.prod, ["relaxed", "float16"])
