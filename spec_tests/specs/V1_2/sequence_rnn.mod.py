# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN: 3 steps, 2 batches, 2 inputs; 2 units forward, 3 backward.

STEPS, BATCHES, INPUTS = 3, 2, 2

# By step and batch.
sequence = [[[1, 0.5], [-1, 2]], [[0, -0.5], [0.25, 1]], [[2, 2], [-0.75, 0]]]
aux_sequence = [[[0.5, 0], [1, 1]], [[-2, 1], [0, 0.5]], [[1, -1], [0.25, -0.5]]]
# Weights, recurrent weights, bias, hidden state, auxiliary weights.
FORWARD = (
    [[1, -1], [0.5, 0.25]],
    [[0.5, 0], [0.25, -0.5]],
    [0.125, -0.25],
    [[1, 2], [-1, 0]],
    [[0.5, 0.5], [-1, 2]],
)
BACKWARD = (
    [[2, 0], [-0.5, 1], [0, 0.25]],
    [[0.5, 0, 0.5], [0, 0.25, 0], [-0.5, 0.5, 0]],
    [0, 0.5, -1],
    [[0, 1, -1], [2, 0, 0.5]],
    [[1, 0], [0, 1], [0.25, -0.25]],
)


def product(rows, vector):
    return [sum(p * q for p, q in zip(row, vector)) for row in rows]


def run(cell, steps, has_aux):
    """The outputs of the cell by step and batch, when it takes the steps in this order."""
    weights, recurrent_weights, bias, states, aux_weights = cell
    outputs = {}
    for step in steps:
        new_states = []
        for batch in range(BATCHES):
            terms = [
                product(weights, sequence[step][batch]),
                product(recurrent_weights, states[batch]),
                bias,
            ]
            if has_aux:
                terms.append(product(aux_weights, aux_sequence[step][batch]))
            new_states.append([max(-1, min(1, sum(column))) for column in zip(*terms)])
        states = new_states
        outputs[step] = states
    return [outputs[step] for step in range(STEPS)]


def laid_out(rows, is_time_major):
    """Time-major vectors as flat numbers of either layout."""
    if not is_time_major:
        rows = [[rows[step][batch] for step in range(len(rows))] for batch in range(len(rows[0]))]
    return [number for outer in rows for vector in outer for number in vector]


def sequence_type(size, is_time_major):
    return ("TENSOR_FLOAT32", [STEPS, BATCHES, size] if is_time_major else [BATCHES, STEPS, size])


def parameters(prefix, cell):
    weights, recurrent_weights, bias, states, _ = cell
    units = len(bias)
    return [
        Parameter(prefix + "weights", ("TENSOR_FLOAT32", [units, INPUTS]), sum(weights, [])),
        Parameter(
            prefix + "recurrent_weights",
            ("TENSOR_FLOAT32", [units, units]),
            sum(recurrent_weights, []),
        ),
        Parameter(prefix + "bias", ("TENSOR_FLOAT32", [units]), bias),
        Parameter(prefix + "hidden_state", ("TENSOR_FLOAT32", [BATCHES, units]), sum(states, [])),
    ]


def unidirectional(is_time_major):
    x = Input("input", sequence_type(INPUTS, is_time_major))
    output = Output("output", sequence_type(2, is_time_major))
    model = Model("unidirectional_" + ("time_major" if is_time_major else "batch_major"))
    operands = parameters("", FORWARD)
    model.Operation("UNIDIRECTIONAL_SEQUENCE_RNN", x, *operands, 2, 1 if is_time_major else 0).To(
        output
    )
    expected = run(FORWARD, range(STEPS), False)
    feed = {x: laid_out(sequence, is_time_major), output: laid_out(expected, is_time_major)}
    Example(feed, model=model).AddVariations("relaxed", "float16")


def bidirectional(is_time_major, is_merged, has_aux):
    name = "time_major" if is_time_major else "batch_major"
    name += ("_merged" if is_merged else "") + ("_aux" if has_aux else "")
    x = Input("input", sequence_type(INPUTS, is_time_major))
    operands = [x] + parameters("fw_", FORWARD) + parameters("bw_", BACKWARD)
    feed = {x: laid_out(sequence, is_time_major)}
    aux = Input("aux_input", sequence_type(INPUTS, is_time_major))
    aux_weights = [
        Input("fw_aux_weights", ("TENSOR_FLOAT32", [2, INPUTS])),
        Input("bw_aux_weights", ("TENSOR_FLOAT32", [3, INPUTS])),
    ]
    operands += [aux] + aux_weights
    feed[aux] = laid_out(aux_sequence, is_time_major) if has_aux else []
    feed[aux_weights[0]] = sum(FORWARD[4], []) if has_aux else []
    feed[aux_weights[1]] = sum(BACKWARD[4], []) if has_aux else []
    forward = run(FORWARD, range(STEPS), has_aux)
    backward = run(BACKWARD, reversed(range(STEPS)), has_aux)
    model = Model("bidirectional_" + name)
    model.Operation("BIDIRECTIONAL_SEQUENCE_RNN", *operands, 2, is_time_major, is_merged)
    if is_merged:
        merged = [[f + b for f, b in zip(fs, bs)] for fs, bs in zip(forward, backward)]
        output = Output("output", sequence_type(5, is_time_major))
        feed[output] = laid_out(merged, is_time_major)
        model.To(output)
    else:
        fw_output = Output("fw_output", sequence_type(2, is_time_major))
        bw_output = Output("bw_output", sequence_type(3, is_time_major))
        feed[fw_output] = laid_out(forward, is_time_major)
        feed[bw_output] = laid_out(backward, is_time_major)
        model.To(fw_output, bw_output)
    Example(feed, model=model).AddVariations("relaxed", "float16")


for is_time_major in [True, False]:
    unidirectional(is_time_major)
    for is_merged in [False, True]:
        bidirectional(is_time_major, is_merged, is_time_major == is_merged)
