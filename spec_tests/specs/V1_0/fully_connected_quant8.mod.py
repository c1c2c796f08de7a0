# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# Quantized FULLY_CONNECTED with many inputs: the sum is exact, and only the result is rounded.

inputs = [(37 * k + 11) % 256 for k in range(300)]
weights = [[(53 * k + 91 * u) % 256 for k in range(300)] for u in range(4)]
biases = [0, 12345, -54321, 7]

x = Input("x", ("TENSOR_QUANT8_ASYMM", [1, 300], 0.5, 120))
w = Parameter("w", ("TENSOR_QUANT8_ASYMM", [4, 300], 0.125, 131), sum(weights, []))
b = Parameter("b", ("TENSOR_INT32", [4], 0.0625, 0), biases)
y = Output("y", ("TENSOR_QUANT8_ASYMM", [1, 4], 64.0, 128))
Model().Operation("FULLY_CONNECTED", x, w, b, 0).To(y)

golden = []
for row, bias in zip(weights, biases):
    total = bias + sum((v - 120) * (u - 131) for v, u in zip(inputs, row))
    # 1024 of 0.0625 are a step.
    golden.append(min(255, max(0, (total + 512) // 1024 + 128)))

Example({x: inputs, y: golden})
