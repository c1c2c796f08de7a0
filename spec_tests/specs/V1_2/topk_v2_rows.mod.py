# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# TOPK_V2 of every type, of one and of several rows, for k from 1 to the length of a row. No two
# elements of a row are equal.

ROWS = [[3, -1, 4, 15, -9, 2], [6, 5, 35, -8, 9, 7]]


def best(rows, k):
    """Values and indexes of the k greatest elements of each row."""
    order = [sorted(range(len(row)), key=lambda i: -row[i])[:k] for row in rows]
    return [row[i] for row, o in zip(rows, order) for i in o], sum(order, [])


for k in (1, 2, 6):
    for dimensions in ([6], [2, 6], [1, 2, 1, 1, 6]):
        rows = ROWS[: math.prod(dimensions[:-1])]
        x = Input("x", ("TENSOR_FLOAT32", dimensions))
        values = Output("values", ("TENSOR_FLOAT32", dimensions[:-1] + [k]))
        indices = Output("indices", ("TENSOR_INT32", dimensions[:-1] + [k]))
        Model("dim%d_k%d" % (len(dimensions), k)).Operation("TOPK_V2", x, k).To(values, indices)
        quant8 = DataTypeConverter().Identify(
            {operand: ("TENSOR_QUANT8_ASYMM", 0.5, 100) for operand in (x, values)}
        )
        best_values, best_indexes = best(rows, k)
        Example({x: sum(rows, []), values: best_values, indices: best_indexes}).AddVariations(
            "relaxed", "float16", "int32", quant8
        )
