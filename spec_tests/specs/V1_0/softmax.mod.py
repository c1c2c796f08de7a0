# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# SOFTMAX of floats with two and four dimensions, and of quantized elements.


def softmax(logits, beta):
    exponentials = [math.exp((x - max(logits)) * beta) for x in logits]
    return [x / sum(exponentials) for x in exponentials]


def softmax_rows(rows, beta):
    return [p for row in rows for p in softmax(row, beta)]


rows = [[1.0, 2.0, 3.0, -4.0], [0.0, 0.0, 0.0, 0.0], [500.0, -500.0, 499.0, 0.0]]
logits = Input("logits", ("TENSOR_FLOAT32", [3, 4]))
shares = Output("shares", ("TENSOR_FLOAT32", [3, 4]))
for name, beta in [("beta_one", 1.0), ("beta_small", 0.001), ("beta_three", 3.0)]:
    Model(name).Operation("SOFTMAX", logits, beta).To(shares)
    Example({logits: sum(rows, []), shares: softmax_rows(rows, beta)}).AddRelaxed()

# The four dimensions of an image: the slices are along the last.
image = Input("image", ("TENSOR_FLOAT32", [1, 2, 1, 3]))
pixels = [[0.5, -0.5, 1.5], [2.0, 1.0, 0.0]]
image_shares = Output("image_shares", ("TENSOR_FLOAT32", [1, 2, 1, 3]))
Model("four_dimensions").Operation("SOFTMAX", image, 1.0).To(image_shares)
Example({image: sum(pixels, []), image_shares: softmax_rows(pixels, 1.0)})

# Steps of 0.25; the output has steps of 1/256, and saturates at 255.
steps = [[12, 10, 2, 11], [255, 0, 0, 0]]
steps_in = Input("steps_in", ("TENSOR_QUANT8_ASYMM", [2, 4], 0.25, 7))
steps_out = Output("steps_out", ("TENSOR_QUANT8_ASYMM", [2, 4], 1 / 256, 0))
expected = softmax_rows([[(q - 7) * 0.25 for q in row] for row in steps], 1.0)
Model("quant8").Operation("SOFTMAX", steps_in, 1.0).To(steps_out)
Example(
    {steps_in: sum(steps, []), steps_out: [min(255, math.floor(256 * p + 0.5)) for p in expected]}
)
