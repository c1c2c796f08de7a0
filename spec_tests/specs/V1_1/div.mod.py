# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# DIV of floats: every activation, relaxed, and broadcasting of the lower rank.

a = Input("a", ("TENSOR_FLOAT32", [2, 3]))
b = Input("b", ("TENSOR_FLOAT32", [2, 3]))
activation = Int32Scalar("activation", 0)
quotient = Output("quotient", ("TENSOR_FLOAT32", [2, 3]))
Model("activations").Operation("DIV", a, b, activation).To(quotient)
Example(
    {
        a: [-4.5, -0.5, 3.0, 9.0, -6.0, 8.5],
        b: [0.5, 2.0, 4.0, 2.0, -1.0, 1.0],
        quotient: [-9.0, -0.25, 0.75, 4.5, 6.0, 8.5],
    }
).AddAllActivations(quotient, activation).AddRelaxed()

image = Input("image", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
factors = Parameter("factors", ("TENSOR_FLOAT32", [2]), [10, -3])
scaled = Output("scaled", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
Model("lower_rank").Operation("DIV", image, factors, 0).To(scaled)
Example(
    {
        image: [1, 2, 3, 4, 5, 6, 7, 8],
        scaled: [0.1, -2 / 3, 0.3, -4 / 3, 0.5, -2, 0.7, -8 / 3],
    }
).AddInput(factors)
