# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# STRIDED_SLICE of a vector forwards and backwards, with bounds from the front, from the end and out
# of range, and with either bound ignored. Python slices lists the same way.

ELEMENTS = [float(k) for k in range(10)]
SLICES = [  # begin, end, stride; None: ignored by the mask
    (2, 7, 1),
    (1, 9, 3),
    (0, 10, 4),
    (-8, -1, 2),
    (3, 1000, 2),
    (-1000, 4, 1),
    (8, 2, -1),
    (9, 0, -3),
    (-1, -9, -2),
    (1000, 5, -2),
    (4, -1000, -1),
    (None, 4, 1),
    (6, None, 1),
    (None, None, 3),
    (None, 5, -2),
    (5, None, -2),
    (None, None, -1),
]

x = Input("x", ("TENSOR_FLOAT32", [10]))
for i, (begin, end, stride) in enumerate(SLICES):
    golden = ELEMENTS[slice(begin, end, stride)]
    y = Output("y", ("TENSOR_FLOAT32", [len(golden)]))
    model = Model("slice%d" % i).Operation(
        "STRIDED_SLICE",
        x,
        # What is ignored would leave nothing.
        [5 if begin is None else begin],
        [5 if end is None else end],
        [stride],
        int(begin is None),
        int(end is None),
        0,
    )
    model.To(y)
    Example({x: ELEMENTS, y: golden})
