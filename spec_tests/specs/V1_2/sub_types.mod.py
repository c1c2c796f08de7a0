# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# SUB and DIV of halves, and SUB of quantized elements, each tensor with steps of its own.

for name, expected in [("SUB", [1.0, -5.0, 999.5, -2.75]), ("DIV", [3.0, -2 / 3, 2000.0, 1 / 12])]:
    a = Input("a", ("TENSOR_FLOAT32", [2, 2]))
    b = Input("b", ("TENSOR_FLOAT32", [2]))
    c = Output("c", ("TENSOR_FLOAT32", [2, 2]))
    Model(name + "_halves").Operation(name, a, b, 0).To(c)
    Example({a: [1.5, -2.0, 1000.0, 0.25], b: [0.5, 3.0], c: expected}).AddVariations(
        "float16", includeDefault=False
    )

SCALE_P, ZERO_P = 0.5, 128
SCALE_Q, ZERO_Q = 0.25, 10
SCALE_R, ZERO_R = 0.75, 100


def quantized(real, scale, zero_point):
    return max(0, min(255, math.floor(real / scale + 0.5) + zero_point))


steps_p = [0, 64, 127, 128, 130, 255]
steps_q = [255, 10, 40, 0, 12, 200]
differences = [(p - ZERO_P) * SCALE_P - (q - ZERO_Q) * SCALE_Q for p, q in zip(steps_p, steps_q)]
p = Input("p", ("TENSOR_QUANT8_ASYMM", [6], SCALE_P, ZERO_P))
q = Input("q", ("TENSOR_QUANT8_ASYMM", [6], SCALE_Q, ZERO_Q))
activation = Int32Scalar("activation", 0)
r = Output("r", ("TENSOR_QUANT8_ASYMM", [6], SCALE_R, ZERO_R))
Model("quant8").Operation("SUB", p, q, activation).To(r)
Example(
    {p: steps_p, q: steps_q, r: [quantized(real, SCALE_R, ZERO_R) for real in differences]}
).AddAllActivations(r, activation)
