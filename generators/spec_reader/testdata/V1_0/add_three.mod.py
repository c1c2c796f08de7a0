# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# Adds three tensors by two operations, the second one relaxed in a variation.

inputs = [Input("addend", "TENSOR_FLOAT32", "{3}") for _ in range(3)]
partial = Internal("partial", "TENSOR_FLOAT32", "{3}")
total = Output("total", "TENSOR_FLOAT32", "{3}")

model = Model()
model.Operation("ADD", inputs[0], inputs[1], 0).To(partial)
model.Operation("ADD", partial, inputs[2], 0).To(total)

Example(
    {
        inputs[0]: [1, 2, 3],
        inputs[1]: [10, 20, 30],
        inputs[2]: [100, 200, 300],
        total: [111, 222, 333],
    }
).AddRelaxed()
