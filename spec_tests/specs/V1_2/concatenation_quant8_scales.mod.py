# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# CONCATENATION of tensors that are quantized differently, as HAL 1.2 has it: the real numbers are
# quantized with the scale and zeroPoint of the output, and saturate.

PARTS = [  # scale, zeroPoint, steps
    (0.5, 10, [0, 9, 10, 255]),
    (0.125, 128, [0, 127, 132, 255]),
    (2.0, 0, [0, 1, 2, 255]),
]
SCALE, ZERO_POINT = 0.5, 60


def quantized(real):
    return min(255, max(0, int(math.floor(real / SCALE + ZERO_POINT + 0.5))))


inputs = [
    Input("in%d" % i, ("TENSOR_QUANT8_ASYMM", [2, 2], scale, zero_point))
    for i, (scale, zero_point, steps) in enumerate(PARTS)
]
output = Output("out", ("TENSOR_QUANT8_ASYMM", [6, 2], SCALE, ZERO_POINT))
Model().Operation("CONCATENATION", *inputs, 0).To(output)
golden = [quantized((q - zero) * scale) for scale, zero, steps in PARTS for q in steps]
Example(({x: part[2] for x, part in zip(inputs, PARTS)}, {output: golden}))
