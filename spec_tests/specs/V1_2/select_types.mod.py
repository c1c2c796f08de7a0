# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# SELECT of every type and of one to five dimensions, by masks of all kinds.

MASKS = {
    "all": [True] * 4,
    "none": [False] * 4,
    "some": [True, False, False, True],
}
YES = [1.0, -2.0, 3.0, 60.0]
NO = [-7.0, 20.0, 0.0, 5.0]

for name, mask in MASKS.items():
    for dimensions in ([4], [2, 1, 1, 1, 2]):
        c = Input("c", ("TENSOR_BOOL8", dimensions))
        x = Input("x", ("TENSOR_FLOAT32", dimensions))
        y = Input("y", ("TENSOR_FLOAT32", dimensions))
        z = Output("z", ("TENSOR_FLOAT32", dimensions))
        Model("%s_dim%d" % (name, len(dimensions))).Operation("SELECT", c, x, y).To(z)
        quant8 = DataTypeConverter().Identify(
            {operand: ("TENSOR_QUANT8_ASYMM", 0.5, 100) for operand in (x, y, z)}
        )
        golden = [yes if bit else no for bit, yes, no in zip(mask, YES, NO)]
        Example({c: mask, x: YES, y: NO, z: golden}).AddVariations(
            "relaxed", "float16", "int32", quant8
        )
