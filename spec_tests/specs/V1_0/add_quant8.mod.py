# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# ADD of quantized tensors, each with a scale and a zero point of its own.

SCALE_A, ZERO_A = 0.5, 128
SCALE_B, ZERO_B = 0.25, 10
SCALE_C, ZERO_C = 0.75, 100


def quantized(real, scale, zero_point):
    return max(0, min(255, math.floor(real / scale + 0.5) + zero_point))


steps_a = [0, 64, 127, 128, 130, 255]
steps_b = [0, 10, 40, 255, 12, 200]
sums = [(p - ZERO_A) * SCALE_A + (q - ZERO_B) * SCALE_B for p, q in zip(steps_a, steps_b)]

a = Input("a", ("TENSOR_QUANT8_ASYMM", [6], SCALE_A, ZERO_A))
b = Input("b", ("TENSOR_QUANT8_ASYMM", [6], SCALE_B, ZERO_B))
activation = Int32Scalar("activation", 0)
total = Output("total", ("TENSOR_QUANT8_ASYMM", [6], SCALE_C, ZERO_C))
Model().Operation("ADD", a, b, activation).To(total)
Example(
    {a: steps_a, b: steps_b, total: [quantized(real, SCALE_C, ZERO_C) for real in sums]}
).AddAllActivations(total, activation)
