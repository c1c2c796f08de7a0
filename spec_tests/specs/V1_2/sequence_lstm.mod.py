# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
# UNIDIRECTIONAL_SEQUENCE_LSTM and BIDIRECTIONAL_SEQUENCE_LSTM, by the equations of LSTM's documentation.
#
# 3 steps, 2 batches, 3 inputs, 4 units. Numbers are multiples of 1/16 between -1 and 1.

STEPS, BATCHES, INPUTS, UNITS = 3, 2, 3, 4
GATES = ["input", "forget", "cell", "output"]


def numbers(seed, count):
    return [((seed * 37 + i * 17 + i * i * 5) % 33) / 16 - 1 for i in range(count)]


def logistic(x):
    return 1 / (1 + math.exp(-x))


def rows_of(flat, size):
    return [flat[i : i + size] for i in range(0, len(flat), size)]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def normalized(values):
    mean = sum(values) / len(values)
    variance = sum((z - mean) ** 2 for z in values) / len(values)
    return [(z - mean) / math.sqrt(variance) for z in values]


class Cell:
    """The tensors of a cell by name, in the order of the operands; those `left_out` are None."""

    def __init__(self, seed, left_out=(), outputs=UNITS):
        self.outputs = outputs
        shapes = {"input_to_" + gate: [UNITS, INPUTS] for gate in GATES}
        shapes.update(("recurrent_to_" + gate, [UNITS, outputs]) for gate in GATES)
        shapes.update(("cell_to_" + gate, [UNITS]) for gate in GATES if gate != "cell")
        shapes.update((gate + "_bias", [UNITS]) for gate in GATES)
        shapes["projection"] = [outputs, UNITS]
        shapes["projection_bias"] = [outputs]
        self.weights = list(shapes)
        shapes["output_state"] = [BATCHES, outputs]
        shapes["cell_state"] = [BATCHES, UNITS]
        self.aux = ["aux_to_" + gate for gate in GATES]
        shapes.update((name, [UNITS, INPUTS]) for name in self.aux)
        self.norms = [gate + "_norm" for gate in GATES]
        shapes.update((name, [UNITS]) for name in self.norms)
        self.shapes = shapes
        self.values = {}
        for number, (name, shape) in enumerate(shapes.items()):
            is_given = not any(name.startswith(prefix) for prefix in left_out)
            self.values[name] = numbers(seed + number, math.prod(shape)) if is_given else None

    def operands(self, prefix, names):
        result = []
        for name in names:
            shape, values = self.shapes[name], self.values[name]
            if values is None:
                result.append(NoValue(prefix + name, ("TENSOR_FLOAT32", [0] * len(shape))))
            else:
                result.append(Parameter(prefix + name, ("TENSOR_FLOAT32", shape), values))
        return result

    def step(self, x, aux, h, c):
        """The new output state and cell state of one batch."""
        v = self.values

        def argument(gate, cell):
            sums = [dot(row, x) for row in rows_of(v["input_to_" + gate], INPUTS)]
            terms = [[dot(row, h) for row in rows_of(v["recurrent_to_" + gate], self.outputs)]]
            if aux is not None:
                terms.append([dot(row, aux) for row in rows_of(v["aux_to_" + gate], INPUTS)])
            if v.get("cell_to_" + gate) is not None:
                terms.append([w * s for w, s in zip(v["cell_to_" + gate], cell)])
            sums = [sum(column) for column in zip(sums, *terms)]
            if v[gate + "_norm"] is not None:
                sums = [w * z for w, z in zip(v[gate + "_norm"], normalized(sums))]
            return [z + b for z, b in zip(sums, v[gate + "_bias"])]

        forget = [logistic(z) for z in argument("forget", c)]
        if v["input_to_input"] is None:
            gate = [1 - f for f in forget]
        else:
            gate = [logistic(z) for z in argument("input", c)]
        new = [f * s + i * math.tanh(z) for f, s, i, z in zip(forget, c, gate, argument("cell", c))]
        hidden = [logistic(z) * math.tanh(s) for z, s in zip(argument("output", new), new)]
        if v["projection"] is None:
            return hidden, new
        bias = v["projection_bias"] or [0] * self.outputs
        return [dot(row, hidden) + b for row, b in zip(rows_of(v["projection"], UNITS), bias)], new

    def run(self, steps, sequence, aux):
        """The outputs by step and batch, when the cell takes the steps in this order."""
        outputs = [[None] * BATCHES for _ in range(STEPS)]
        for batch in range(BATCHES):
            h = rows_of(self.values["output_state"], self.outputs)[batch]
            c = rows_of(self.values["cell_state"], UNITS)[batch]
            for step in steps:
                h, c = self.step(sequence[step][batch], aux[step][batch] if aux else None, h, c)
                outputs[step][batch] = h
        return outputs


def sequence_of(seed):
    flat = numbers(seed, STEPS * BATCHES * INPUTS)
    return rows_of(rows_of(flat, INPUTS), BATCHES)


def laid_out(rows, is_time_major):
    """Time-major vectors as flat numbers of either layout."""
    if not is_time_major:
        rows = [[rows[step][batch] for step in range(STEPS)] for batch in range(BATCHES)]
    return [number for outer in rows for vector in outer for number in vector]


def sequence_type(size, is_time_major):
    return ("TENSOR_FLOAT32", [STEPS, BATCHES, size] if is_time_major else [BATCHES, STEPS, size])


SEQUENCE = sequence_of(91)
AUX = sequence_of(92)


def unidirectional(name, cell, is_time_major):
    x = Input("input", sequence_type(INPUTS, is_time_major))
    output = Output("output", sequence_type(cell.outputs, is_time_major))
    operands = [x] + cell.operands("", cell.weights + ["output_state", "cell_state"])
    operands += [4, 0.0, 0.0, is_time_major] + cell.operands("", cell.norms)
    model = (
        Model("unidirectional_" + name)
        .Operation("UNIDIRECTIONAL_SEQUENCE_LSTM", *operands)
        .To(output)
    )
    expected = cell.run(range(STEPS), SEQUENCE, None)
    feed = {x: laid_out(SEQUENCE, is_time_major), output: laid_out(expected, is_time_major)}
    Example(feed, model=model).AddVariations("relaxed")


def bidirectional(name, forward, backward, is_time_major, is_merged, has_aux):
    x = Input("input", sequence_type(INPUTS, is_time_major))
    feed = {x: laid_out(SEQUENCE, is_time_major)}
    if has_aux:
        aux = Input("aux_input", sequence_type(INPUTS, is_time_major))
        feed[aux] = laid_out(AUX, is_time_major)
    else:
        aux = NoValue("aux_input", ("TENSOR_FLOAT32", [0, 0, 0]))
    operands = (
        [x] + forward.operands("fw_", forward.weights) + backward.operands("bw_", backward.weights)
    )
    operands += forward.operands("fw_", ["output_state", "cell_state"])
    operands += backward.operands("bw_", ["output_state", "cell_state"])
    operands += (
        [aux] + forward.operands("fw_", forward.aux) + backward.operands("bw_", backward.aux)
    )
    operands += [4, 0.0, 0.0, is_merged, is_time_major]
    operands += forward.operands("fw_", forward.norms) + backward.operands("bw_", backward.norms)
    model = Model("bidirectional_" + name).Operation("BIDIRECTIONAL_SEQUENCE_LSTM", *operands)
    forward_rows = forward.run(range(STEPS), SEQUENCE, AUX if has_aux else None)
    backward_rows = backward.run(list(reversed(range(STEPS))), SEQUENCE, AUX if has_aux else None)
    if is_merged:
        output = Output("output", sequence_type(forward.outputs + backward.outputs, is_time_major))
        merged = [[f + b for f, b in zip(*pair)] for pair in zip(forward_rows, backward_rows)]
        feed[output] = laid_out(merged, is_time_major)
        model.To(output)
    else:
        fw_output = Output("fw_output", sequence_type(forward.outputs, is_time_major))
        bw_output = Output("bw_output", sequence_type(backward.outputs, is_time_major))
        feed[fw_output] = laid_out(forward_rows, is_time_major)
        feed[bw_output] = laid_out(backward_rows, is_time_major)
        model.To(fw_output, bw_output)
    Example(feed, model=model).AddVariations("relaxed")


INPUT_GATE = [
    "input_to_input",
    "recurrent_to_input",
    "input_bias",
    "cell_to_input",
    "aux_to_input",
    "input_norm",
]
PEEPHOLE = ["cell_to_"]
PROJECTION = ["projection"]
NORMS = [gate + "_norm" for gate in GATES]
AUX_WEIGHTS = ["aux_to_"]

plain = Cell(1, PEEPHOLE + PROJECTION + NORMS + AUX_WEIGHTS)
coupled = Cell(2, INPUT_GATE + PROJECTION + NORMS + AUX_WEIGHTS)
projected = Cell(3, PEEPHOLE + NORMS + AUX_WEIGHTS, outputs=2)
normalized_cell = Cell(4, PEEPHOLE + PROJECTION + AUX_WEIGHTS)
unidirectional("plain", plain, True)
unidirectional("coupled_peephole", coupled, False)
unidirectional("projection", projected, False)
unidirectional("layer_norm", normalized_cell, True)
bidirectional("separate", plain, coupled, True, False, False)
bidirectional("merged", projected, coupled, False, True, False)
bidirectional(
    "aux",
    Cell(5, PROJECTION + NORMS),
    Cell(6, INPUT_GATE + PEEPHOLE + NORMS, outputs=3),
    False,
    False,
    True,
)
bidirectional(
    "aux_merged",
    Cell(7, PEEPHOLE + PROJECTION + NORMS),
    Cell(8, PEEPHOLE + PROJECTION),
    True,
    True,
    True,
)
