# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# LOGISTIC of floats, near zero and where it saturates, and of quantized elements.


def logistic(x):
    return 1 / (1 + math.exp(-x))


numbers = [0.0, 1.0, -1.0, 0.001, 4.0, -4.0, 20.0, -80.0]
x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
y = Output("y", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
Model("float").Operation("LOGISTIC", x).To(y)
Example({x: numbers, y: [logistic(number) for number in numbers]}).AddRelaxed()

SCALE, ZERO_POINT = 0.05, 128
steps = [0, 1, 64, 127, 128, 129, 200, 255]
steps_in = Input("steps_in", ("TENSOR_QUANT8_ASYMM", [8], SCALE, ZERO_POINT))
steps_out = Output("steps_out", ("TENSOR_QUANT8_ASYMM", [8], 1 / 256, 0))
Model("quant8").Operation("LOGISTIC", steps_in).To(steps_out)
Example(
    {
        steps_in: steps,
        steps_out: [
            min(255, math.floor(256 * logistic((q - ZERO_POINT) * SCALE) + 0.5)) for q in steps
        ],
    }
)
