# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# QUANTIZED_16BIT_LSTM, by the real equations of the documentation. 2 batches, 3 inputs, 2 outputs.
#
# The numbers are such that both outputs are far from a tie, so that what 16-bit arithmetic loses changes no rounding of
# the output, and that the cell state is small, so that it changes that by a step at most.

BATCHES, INPUTS, OUTPUTS = 2, 3, 2
SCALE, ZERO_POINT = 1 / 64, 120
GATES = ["input", "forget", "cell", "output"]

x = [[100, 160, 128], [200, 90, 140]]
h = [[130, 120], [150, 110]]
c = [[500, -300], [-700, 250]]
input_weights = {
    "input": [[130, 110, 100], [140, 90, 125]],
    "forget": [[150, 100, 120], [110, 115, 160]],
    "cell": [[200, 180, 90], [60, 130, 170]],
    "output": [[120, 140, 110], [90, 150, 100]],
}
recurrent_weights = {
    "input": [[100, 130], [125, 150]],
    "forget": [[140, 120], [90, 110]],
    "cell": [[170, 60], [100, 190]],
    "output": [[130, 115], [160, 105]],
}
biases = {
    "input": [1000, -2000],
    "forget": [-1500, 500],
    "cell": [4000, -6000],
    "output": [300, 2500],
}


def logistic(z):
    return 1 / (1 + math.exp(-z))


def argument(gate, batch, unit):
    total = biases[gate][unit] * SCALE / 128
    for weights, values in [(input_weights, x), (recurrent_weights, h)]:
        for weight, value in zip(weights[gate][unit], values[batch]):
            total += (weight - ZERO_POINT) * SCALE * (value - 128) / 128
    return total


states, outputs = [], []
for batch in range(BATCHES):
    for unit in range(OUTPUTS):
        i, f, g, o = (argument(gate, batch, unit) for gate in GATES)
        state = logistic(f) * c[batch][unit] / 2048 + logistic(i) * math.tanh(g)
        states.append(round(state * 2048))
        outputs.append(128 + round(logistic(o) * math.tanh(state) * 128))


def flat(rows):
    return sum(rows, [])


VALUE = ("TENSOR_QUANT8_ASYMM", [BATCHES, OUTPUTS], 1 / 128, 128)
STATE = ("TENSOR_QUANT16_SYMM", [BATCHES, OUTPUTS], 1 / 2048, 0)
operands = [Input("input", ("TENSOR_QUANT8_ASYMM", [BATCHES, INPUTS], 1 / 128, 128))]
feed = {operands[0]: flat(x)}
for origin, columns, weights in [
    ("input", INPUTS, input_weights),
    ("recurrent", OUTPUTS, recurrent_weights),
]:
    for gate in GATES:
        kind = ("TENSOR_QUANT8_ASYMM", [OUTPUTS, columns], SCALE, ZERO_POINT)
        operands.append(Parameter(origin + "_to_" + gate + "_weights", kind, flat(weights[gate])))
for gate in GATES:
    operands.append(
        Parameter(gate + "_bias", ("TENSOR_INT32", [OUTPUTS], SCALE / 128, 0), biases[gate])
    )
operands += [Input("cell_state_in", STATE), Input("output_in", VALUE)]
feed[operands[13]] = flat(c)
feed[operands[14]] = flat(h)
cell_state_out = Output("cell_state_out", STATE)
output = Output("output", VALUE)
feed[cell_state_out] = states
feed[output] = outputs
Model().Operation("QUANTIZED_16BIT_LSTM", *operands).To(cell_state_out, output)
Example(feed)
