# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# MUL of quantized tensors. The scale of the output is above the product of the inputs' scales.

SCALE_A, ZERO_A = 0.5, 128
SCALE_B, ZERO_B = 0.25, 10
SCALE_C, ZERO_C = 2.0, 60


def quantized(real, scale, zero_point):
    return max(0, min(255, math.floor(real / scale + 0.5) + zero_point))


steps_a = [0, 64, 127, 128, 138, 255, 250]
steps_b = [0, 10, 45, 255, 50, 15, 200]
products = [(p - ZERO_A) * SCALE_A * (q - ZERO_B) * SCALE_B for p, q in zip(steps_a, steps_b)]

a = Input("a", ("TENSOR_QUANT8_ASYMM", [7], SCALE_A, ZERO_A))
b = Input("b", ("TENSOR_QUANT8_ASYMM", [7], SCALE_B, ZERO_B))
activation = Int32Scalar("activation", 0)
product = Output("product", ("TENSOR_QUANT8_ASYMM", [7], SCALE_C, ZERO_C))
Model().Operation("MUL", a, b, activation).To(product)
Example(
    {a: steps_a, b: steps_b, product: [quantized(real, SCALE_C, ZERO_C) for real in products]}
).AddAllActivations(product, activation)
