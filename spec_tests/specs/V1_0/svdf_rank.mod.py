# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# SVDF: 2 batches, 2 inputs, 4 filters, memory of 3. The state has 3 entries for each filter, of which the last is not
# looked at, and 0 afterwards.

BATCHES, INPUTS, FILTERS, MEMORY = 2, 2, 4, 3

frames = [[1, 3], [-0.5, 2]]
weights_feature = [[2, 1], [-1, 0.5], [0, 4], [1, 1]]
weights_time = [[10, 20, 30], [1, -1, 2], [0.5, 0.25, -0.125], [-3, 0, 2]]
state = [
    [[1, 2, 9], [3, 4, 9], [-8, 4, 9], [0, 1, 9]],
    [[0, 0, 9], [1, 1, 9], [2, -2, 9], [5, 7, 9]],
]


def run(rank, bias):
    """The new state and the output, flat."""
    state_out, output = [], []
    for frame, memories in zip(frames, state):
        sums = []
        for weights, time_weights, memory in zip(weights_feature, weights_time, memories):
            newest = sum(p * q for p, q in zip(weights, frame))
            entries = memory[: MEMORY - 1] + [newest]
            sums.append(sum(p * q for p, q in zip(time_weights, entries)))
            state_out += entries[1:] + [0]
        for unit in range(FILTERS // rank):
            output.append(sum(sums[unit * rank : (unit + 1) * rank]) + bias[unit])
    return state_out, output


def flat(rows):
    return [number for row in rows for number in (flat(row) if isinstance(row, list) else [row])]


def svdf(name, rank, bias):
    units = FILTERS // rank
    width = MEMORY * FILTERS
    x = Input("input", ("TENSOR_FLOAT32", [BATCHES, INPUTS]))
    given_bias = Input("bias", ("TENSOR_FLOAT32", [units]))
    state_in = Input("state_in", ("TENSOR_FLOAT32", [BATCHES, width]))
    state_out = Output("state_out", ("TENSOR_FLOAT32", [BATCHES, width]))
    output = Output("output", ("TENSOR_FLOAT32", [BATCHES, units]))
    feature = Parameter(
        "weights_feature", ("TENSOR_FLOAT32", [FILTERS, INPUTS]), flat(weights_feature)
    )
    time = Parameter("weights_time", ("TENSOR_FLOAT32", [FILTERS, MEMORY]), flat(weights_time))
    model = Model(name).Operation("SVDF", x, feature, time, given_bias, state_in, rank, 0)
    model.To(state_out, output)
    new_state, expected = run(rank, bias or [0] * units)
    feed = {
        x: flat(frames),
        given_bias: bias,
        state_in: flat(state),
        state_out: new_state,
        output: expected,
    }
    Example(feed, model=model).AddVariations("relaxed")


svdf("rank_1", 1, [1, -2, 3, 0.5])
svdf("rank_2", 2, [0.25, -100])
svdf("rank_4_without_bias", 4, [])
