# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# LOGICAL_AND, LOGICAL_OR and LOGICAL_NOT; those of two operands also broadcast.

for name, all_four, table in [
    ("LOGICAL_AND", [False, False, False, True], [False, False, False, True, False, True]),
    ("LOGICAL_OR", [False, True, True, True], [True, False, True, True, True, True]),
]:
    p = Input("p", ("TENSOR_BOOL8", [2, 2]))
    q = Input("q", ("TENSOR_BOOL8", [2, 2]))
    r = Output("r", ("TENSOR_BOOL8", [2, 2]))
    Model(name).Operation(name, p, q).To(r)
    Example({p: [False, False, True, True], q: [False, True, False, True], r: all_four})

    column = Input("column", ("TENSOR_BOOL8", [2, 1]))
    row = Input("row", ("TENSOR_BOOL8", [3]))
    both = Output("both", ("TENSOR_BOOL8", [2, 3]))
    Model(name + "_broadcast").Operation(name, column, row).To(both)
    Example({column: [False, True], row: [True, False, True], both: table})

x = Input("x", ("TENSOR_BOOL8", [1, 1, 1, 1, 2]))
y = Output("y", ("TENSOR_BOOL8", [1, 1, 1, 1, 2]))
Model("LOGICAL_NOT").Operation("LOGICAL_NOT", x).To(y)
Example({x: [False, True], y: [True, False]})
