# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# LSTM: all kinds of cells, by the equations of the documentation.
#
# 2 batches, 3 inputs, 4 units. Numbers are multiples of 1/16 between -1 and 1.

BATCHES, INPUTS, UNITS = 2, 3, 4

GATES = ["input", "forget", "cell", "output"]


def numbers(seed, count):
    return [((seed * 37 + i * 17 + i * i * 5) % 33) / 16 - 1 for i in range(count)]


def logistic(x):
    return 1 / (1 + math.exp(-x))


ACTIVATIONS = {
    0: lambda x: x,
    1: lambda x: max(0.0, x),
    3: lambda x: min(6.0, max(0.0, x)),
    4: math.tanh,
    6: logistic,
}


def clip(x, limit):
    return x if limit == 0 else max(-limit, min(limit, x))


def step(values, outputs, activation, cell_clip, projection_clip):
    """The new output state and cell state, of the operands' values by name; None is left out."""
    g = ACTIVATIONS[activation]
    output_state, cell_state = [], []
    for batch in range(BATCHES):
        x = values["input"][batch * INPUTS : (batch + 1) * INPUTS]
        h = values["output_state_in"][batch * outputs : (batch + 1) * outputs]
        old = values["cell_state_in"][batch * UNITS : (batch + 1) * UNITS]

        def argument(gate, cell):
            result = []
            for unit in range(UNITS):
                w = values["input_to_" + gate][unit * INPUTS : (unit + 1) * INPUTS]
                r = values["recurrent_to_" + gate][unit * outputs : (unit + 1) * outputs]
                total = sum(p * q for p, q in zip(w, x)) + sum(p * q for p, q in zip(r, h))
                total += values[gate + "_bias"][unit]
                peephole = values.get("cell_to_" + gate)
                if peephole is not None:
                    total += peephole[unit] * cell[unit]
                result.append(total)
            return result

        forget = [logistic(z) for z in argument("forget", old)]
        if values["input_to_input"] is None:
            gate = [1 - z for z in forget]
        else:
            gate = [logistic(z) for z in argument("input", old)]
        new = [
            clip(f * c + i * g(z), cell_clip)
            for f, c, i, z in zip(forget, old, gate, argument("cell", old))
        ]
        hidden = [logistic(z) * g(c) for z, c in zip(argument("output", new), new)]
        cell_state += new
        if values["projection"] is None:
            output_state += hidden
        else:
            for k in range(outputs):
                row = values["projection"][k * UNITS : (k + 1) * UNITS]
                total = sum(p * q for p, q in zip(row, hidden))
                if values["projection_bias"] is not None:
                    total += values["projection_bias"][k]
                output_state.append(clip(total, projection_clip))
    return output_state, cell_state


def cell(
    name,
    left_out=(),
    outputs=UNITS,
    activation=4,
    cell_clip=0.0,
    projection_clip=0.0,
):
    """A model and its example. Operands called in `left_out` are inputs without a value."""
    left_out = set(left_out)
    if outputs == UNITS:
        left_out |= {"projection", "projection_bias"}
    shapes = {"input": [BATCHES, INPUTS]}
    shapes.update(("input_to_" + gate, [UNITS, INPUTS]) for gate in GATES)
    shapes.update(("recurrent_to_" + gate, [UNITS, outputs]) for gate in GATES)
    shapes.update(("cell_to_" + gate, [UNITS]) for gate in GATES if gate != "cell")
    shapes.update((gate + "_bias", [UNITS]) for gate in GATES)
    shapes["projection"] = [outputs, UNITS]
    shapes["projection_bias"] = [outputs]
    shapes["output_state_in"] = [BATCHES, outputs]
    shapes["cell_state_in"] = [BATCHES, UNITS]

    operands, values, feed = [], {}, {}
    for seed, (operand, shape) in enumerate(shapes.items()):
        if operand in left_out:
            values[operand] = None
            given = Input(operand, ("TENSOR_FLOAT32", [0] * len(shape)))
            feed[given] = []
        else:
            values[operand] = numbers(seed, math.prod(shape))
            given = Input(operand, ("TENSOR_FLOAT32", shape))
            feed[given] = values[operand]
        operands.append(given)

    gates = 3 if "input_to_input" in left_out else 4
    scratch = IgnoredOutput("scratch", ("TENSOR_FLOAT32", [BATCHES, UNITS * gates]))
    output_state_out = Output("output_state_out", ("TENSOR_FLOAT32", [BATCHES, outputs]))
    cell_state_out = Output("cell_state_out", ("TENSOR_FLOAT32", [BATCHES, UNITS]))
    output = Output("output", ("TENSOR_FLOAT32", [BATCHES, outputs]))
    model = Model(name).Operation(
        "LSTM",
        *operands,
        Int32Scalar("activation", activation),
        Float32Scalar("cell_clip", cell_clip),
        Float32Scalar("projection_clip", projection_clip),
    )
    model.To([scratch, output_state_out, cell_state_out, output])
    output_state, cell_state = step(values, outputs, activation, cell_clip, projection_clip)
    feed[scratch] = [0] * (BATCHES * UNITS * gates)
    feed[output_state_out] = output_state
    feed[cell_state_out] = cell_state
    feed[output] = output_state
    return Example(feed, model=model)


PEEPHOLE = ["cell_to_input", "cell_to_forget", "cell_to_output"]
INPUT_GATE = ["input_to_input", "recurrent_to_input", "input_bias"]

cell("plain", PEEPHOLE).AddRelaxed()
cell("coupled", PEEPHOLE + INPUT_GATE)
cell("peephole")
cell("coupled_peephole", INPUT_GATE + ["cell_to_input"])
cell("projection", PEEPHOLE + ["projection_bias"], outputs=2)
cell("projection_bias_clip", PEEPHOLE, outputs=3, projection_clip=0.5)
cell("cell_clip", PEEPHOLE, cell_clip=0.25)
for activation in [0, 1, 3, 6]:
    cell("activation_%d" % activation, PEEPHOLE, activation=activation)
