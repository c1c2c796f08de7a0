# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# EMBEDDING_LOOKUP of constant rows in a relaxed model.

lookups = Parameter("lookups", ("TENSOR_INT32", [2]), [2, 0])
values = Input("values", ("TENSOR_FLOAT32", [3, 2]))
output = Output("output", ("TENSOR_FLOAT32", [2, 2]))
model = Model().Operation("EMBEDDING_LOOKUP", lookups, values).To(output)
model.RelaxedExecution(True)
Example({values: [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], output: [4.5, 5.5, 0.5, 1.5]})
