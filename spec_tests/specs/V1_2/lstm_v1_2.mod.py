# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# LSTM in halves and with layer normalization, by the equations of the documentation.
#
# A coupled cell of 1 batch, 2 inputs, 3 units: the input gate is one less the forget gate.


def logistic(x):
    return 1 / (1 + math.exp(-x))


def normalized(numbers):
    mean = sum(numbers) / len(numbers)
    variance = sum((x - mean) ** 2 for x in numbers) / len(numbers)
    return [(x - mean) / math.sqrt(variance) for x in numbers]


x = [0.5, -1.0]
h = [0.25, -0.5, 0.75]
c = [1.0, -0.5, 0.125]
# Rows of weights, of x and of h, by gate; bias; weights of the normalization.
gates = {
    "forget": ([[1, 0], [0.5, 1], [-1, 2]], [[0, 1, 0], [1, 0, 0], [0, 0, 1]], [0.5, 0, -0.5]),
    "cell": ([[0, 2], [1, 1], [-2, 0]], [[1, 0, 0], [0, 0, 1], [0, 1, 0]], [0.25, -0.25, 0]),
    "output": ([[2, 1], [0, -1], [1, 0]], [[0, 0, 1], [0, 1, 0], [1, 0, 0]], [0, 1, 0.5]),
}
norms = {"forget": [1, 0.5, 2], "cell": [0.5, 1, 1.5], "output": [2, 1, 0.25]}


def step(has_norm):
    """The new output state and cell state."""
    arguments = {}
    for gate, (input_weights, recurrent_weights, bias) in gates.items():
        sums = [
            sum(p * q for p, q in zip(w + r, x + h))
            for w, r in zip(input_weights, recurrent_weights)
        ]
        if has_norm:
            sums = [scale * z for scale, z in zip(norms[gate], normalized(sums))]
        arguments[gate] = [z + b for z, b in zip(sums, bias)]
    forget = [logistic(z) for z in arguments["forget"]]
    cell = [f * old + (1 - f) * math.tanh(z) for f, old, z in zip(forget, c, arguments["cell"])]
    output = [logistic(z) * math.tanh(new) for z, new in zip(arguments["output"], cell)]
    return output, cell


def matrix(name, rows):
    return Parameter(name, ("TENSOR_FLOAT32", [len(rows), len(rows[0])]), sum(rows, []))


def vector(name, numbers):
    return Parameter(name, ("TENSOR_FLOAT32", [len(numbers)]), numbers)


for has_norm in [False, True]:
    left_out = []

    def omitted(rank):
        left_out.append(Input("omitted", ("TENSOR_FLOAT32", [0] * rank)))
        return left_out[-1]

    input_ = Input("input", ("TENSOR_FLOAT32", [1, 2]))
    output_state_in = Input("output_state_in", ("TENSOR_FLOAT32", [1, 3]))
    cell_state_in = Input("cell_state_in", ("TENSOR_FLOAT32", [1, 3]))
    operands = [input_, omitted(2)]
    operands += [matrix("input_to_" + gate, gates[gate][0]) for gate in gates]
    operands += [omitted(2)]
    operands += [matrix("recurrent_to_" + gate, gates[gate][1]) for gate in gates]
    operands += [omitted(1), omitted(1), omitted(1), omitted(1)]
    operands += [vector(gate + "_bias", gates[gate][2]) for gate in gates]
    operands += [omitted(2), omitted(1), output_state_in, cell_state_in]
    operands += [4, 0.0, 0.0]
    if has_norm:
        operands += [omitted(1)] + [vector(gate + "_norm", norms[gate]) for gate in gates]

    scratch = IgnoredOutput("scratch", ("TENSOR_FLOAT32", [1, 9]))
    output_state_out = Output("output_state_out", ("TENSOR_FLOAT32", [1, 3]))
    cell_state_out = Output("cell_state_out", ("TENSOR_FLOAT32", [1, 3]))
    output = Output("output", ("TENSOR_FLOAT32", [1, 3]))
    model = Model("layer_norm" if has_norm else "plain").Operation("LSTM", *operands)
    model.To([scratch, output_state_out, cell_state_out, output])

    expected_output, expected_cell = step(has_norm)
    feed = {
        input_: x,
        output_state_in: h,
        cell_state_in: c,
        scratch: [0] * 9,
        output_state_out: expected_output,
        cell_state_out: expected_cell,
        output: expected_output,
    }
    feed.update((operand, []) for operand in left_out)
    Example(feed, model=model).AddVariations("relaxed", "float16")
