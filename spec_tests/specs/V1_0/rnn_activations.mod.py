# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# RNN: 2 batches, 3 inputs, 2 units, with every activation. Worked out by hand:
#
# Batch 0: W x = [1 + 4 - 3, 0.5 - 2 + 0] = [2, -1.5], R h = [4 - 2, 2 + 1] = [2, 3]
# Batch 1: W x = [-2 + 0 - 1, -1 + 0 + 0] = [-3, -1], R h = [0 + 1, 0 - 0.5] = [1, -0.5]
# With b = [0.25, -4]: [4.25, -2.5] and [-1.75, -5.5].

x = Input("input", ("TENSOR_FLOAT32", [2, 3]))
w = Parameter("weights", ("TENSOR_FLOAT32", [2, 3]), [1, 2, -1, 0.5, -1, 0])
r = Parameter("recurrent_weights", ("TENSOR_FLOAT32", [2, 2]), [1, -1, 0.5, 0.5])
b = Parameter("bias", ("TENSOR_FLOAT32", [2]), [0.25, -4])
h = Input("hidden_state_in", ("TENSOR_FLOAT32", [2, 2]))
activation = Int32Scalar("activation", 0)
hidden_state_out = Output("hidden_state_out", ("TENSOR_FLOAT32", [2, 2]))
output = Output("output", ("TENSOR_FLOAT32", [2, 2]))
Model().Operation("RNN", x, w, r, b, h, activation).To(hidden_state_out, output)

Example(
    {
        x: [1, 2, 3, -2, 0, 1],
        h: [4, 2, 0, -1],
        hidden_state_out: [4.25, -2.5, -1.75, -5.5],
        output: [4.25, -2.5, -1.75, -5.5],
    }
).AddVariations("relaxed").AddAllActivations(hidden_state_out, output, activation)
