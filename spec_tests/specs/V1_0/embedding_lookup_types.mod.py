# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# EMBEDDING_LOOKUP in tables of each type and of two to five dimensions. Rows may be looked up more
# than once, in any order, or not at all.

LOOKUPS = [3, 0, 3, 1]
for name, operand_type, columns in [
    ("float32", ("TENSOR_FLOAT32", [4, 2]), [0.5, 1.5]),
    ("int32", ("TENSOR_INT32", [4, 3]), [16777217, -1, 0]),
    ("quant8", ("TENSOR_QUANT8_ASYMM", [4, 1, 2], 0.3, 7), [1, 200]),
    ("dim4", ("TENSOR_FLOAT32", [4, 1, 2, 2]), [0.25, 0.5, 0.75, 1.0]),
    ("dim5", ("TENSOR_FLOAT32", [4, 1, 2, 1, 2]), [0.25, 0.5, 0.75, 1.0]),
]:
    rows = [[column + 10 * row for column in columns] for row in range(4)]
    lookups = Input("lookups", ("TENSOR_INT32", [4]))
    values = Input("values", operand_type)
    output = Output("output", operand_type)
    Model(name).Operation("EMBEDDING_LOOKUP", lookups, values).To(output)
    Example({lookups: LOOKUPS, values: sum(rows, []), output: sum([rows[i] for i in LOOKUPS], [])})

# More lookups than rows, and fewer.
for count in (1, 7):
    lookups = Input("lookups", ("TENSOR_INT32", [count]))
    values = Parameter("values", ("TENSOR_FLOAT32", [2, 2]), [1, 2, 3, 4])
    output = Output("output", ("TENSOR_FLOAT32", [count, 2]))
    Model("lookups%d" % count).Operation("EMBEDDING_LOOKUP", lookups, values).To(output)
    Example({lookups: [1] * count, output: [3, 4] * count})
