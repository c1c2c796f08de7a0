# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# The comparisons other than EQUAL, of every type, broadcast, and of quantized inputs with different
# scales and zero points.

# The answers where the first operand is below, equal to and above the second.
for name, below, equal, above in [
    ("NOT_EQUAL", True, False, True),
    ("LESS", True, False, False),
    ("LESS_EQUAL", True, True, False),
    ("GREATER", False, False, True),
    ("GREATER_EQUAL", False, True, True),
]:
    a = Input("a", ("TENSOR_FLOAT32", [2, 1]))
    b = Input("b", ("TENSOR_FLOAT32", [3]))
    c = Output("c", ("TENSOR_BOOL8", [2, 3]))
    Model(name).Operation(name, a, b).To(c)
    # Steps of 1 from 128 against steps of 0.5 from 10.
    quant8 = DataTypeConverter().Identify(
        {a: ("TENSOR_QUANT8_ASYMM", 1.0, 128), b: ("TENSOR_QUANT8_ASYMM", 0.5, 10)}
    )
    Example(
        {a: [2, -1], b: [-1, 2, 2.5], c: [above, equal, below, equal, below, below]}
    ).AddVariations("relaxed", "float16", quant8)

    i = Input("i", ("TENSOR_INT32", [3]))
    j = Input("j", ("TENSOR_INT32", [3]))
    k = Output("k", ("TENSOR_BOOL8", [3]))
    Model(name + "_int32").Operation(name, i, j).To(k)
    # Numbers that are the same float are told apart.
    Example(
        {i: [16777216, -5, 2147483647], j: [16777217, -5, 2147483646], k: [below, equal, above]}
    )

    p = Input("p", ("TENSOR_BOOL8", [4]))
    q = Input("q", ("TENSOR_BOOL8", [4]))
    r = Output("r", ("TENSOR_BOOL8", [4]))
    Model(name + "_bool8").Operation(name, p, q).To(r)
    Example(
        {
            p: [False, False, True, True],
            q: [False, True, False, True],
            r: [equal, below, above, equal],
        }
    )
