# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# HASHTABLE_LOOKUP of keys that there are and of some that there are not, in tables of each type.

KEYS = [-2147483648, -5, 0, 7, 2147483647]
LOOKUPS = [7, 6, -2147483648, 2147483647, 8, -6, 7]
for name, operand_type, size, slice_dimensions in [
    ("float32", "TENSOR_FLOAT32", 2, [2]),
    ("int32", "TENSOR_INT32", 1, [1]),
    ("quant8", "TENSOR_QUANT8_ASYMM", 3, [3]),
    ("dim4", "TENSOR_FLOAT32", 4, [2, 1, 2]),
]:
    quantization = [0.25, 0] if operand_type == "TENSOR_QUANT8_ASYMM" else []
    lookups = Input("lookups", ("TENSOR_INT32", [len(LOOKUPS)]))
    keys = Input("keys", ("TENSOR_INT32", [len(KEYS)]))
    values = Input("values", (operand_type, [len(KEYS)] + slice_dimensions, *quantization))
    output = Output("output", (operand_type, [len(LOOKUPS)] + slice_dimensions, *quantization))
    hits = Output("hits", ("TENSOR_QUANT8_ASYMM", [len(LOOKUPS)], 1.0, 0))
    Model(name).Operation("HASHTABLE_LOOKUP", lookups, keys, values).To(output, hits)
    table = {key: [10 * i + k + 1 for k in range(size)] for i, key in enumerate(KEYS)}
    Example(
        {
            lookups: LOOKUPS,
            keys: KEYS,
            values: sum([table[key] for key in KEYS], []),
            output: sum([table.get(key, [0] * size) for key in LOOKUPS], []),
            hits: [1 if key in table else 0 for key in LOOKUPS],
        }
    )
