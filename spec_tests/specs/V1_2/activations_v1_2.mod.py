# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# FLOOR, RELU, RELU1 and TANH of halves, and TANH of quantized elements.

numbers = [-2.5, -1.0, -0.25, 0.0, 0.5, 1.0, 1.75, 12.0]
for name, function in {
    "FLOOR": math.floor,
    "RELU": lambda x: max(x, 0.0),
    "RELU1": lambda x: min(max(x, -1.0), 1.0),
    "TANH": math.tanh,
}.items():
    x = Input("x", ("TENSOR_FLOAT32", [4, 2]))
    y = Output("y", ("TENSOR_FLOAT32", [4, 2]))
    Model(name).Operation(name, x).To(y)
    Example({x: numbers, y: [function(number) for number in numbers]}).AddVariations(
        "float16", includeDefault=False
    )

SCALE, ZERO_POINT = 0.03, 100
steps = [0, 50, 90, 99, 100, 110, 180, 255]
a = Input("a", ("TENSOR_QUANT8_ASYMM", [8], SCALE, ZERO_POINT))
b = Output("b", ("TENSOR_QUANT8_ASYMM", [8], 1 / 128, 128))
Model("tanh_quant8").Operation("TANH", a).To(b)
Example(
    {
        a: steps,
        b: [
            min(255, math.floor(128 * math.tanh((q - ZERO_POINT) * SCALE) + 0.5) + 128)
            for q in steps
        ],
    }
)
