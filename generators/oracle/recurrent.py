# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from .elementwise import activation, logistic
from .operands import Array
from .registry import Result, formula

# Rounding errors of a layer whose values are small and whose functions are contractions are small
# multiples of the roundoff: all its magnitudes are this.
_MAGNITUDE = np.float64(10.0)


def _result(values: Array) -> Result:
    return Result(values, np.maximum(_MAGNITUDE, np.abs(values)))


# ---- The basic cell ----


@formula("RNN")
def _rnn(
    values: Array,
    weights: Array,
    recurrent: Array,
    bias: Array,
    state: Array,
    code: Optional[int],
) -> list[Result]:
    # The weights' rows are the units, so it is their transposes that multiply.
    output = activation(code or 0, values @ weights.T + state @ recurrent.T + bias)
    return [_result(output), _result(output)]


def _time_first(values: Array, is_time_major: bool) -> Array:
    return values if is_time_major else values.transpose(1, 0, 2)


@formula("UNIDIRECTIONAL_SEQUENCE_RNN")
def _sequence_rnn(
    values: Array,
    weights: Array,
    recurrent: Array,
    bias: Array,
    state: Array,
    code: int,
    time_major: int,
) -> Result:
    outputs = []
    for step in _time_first(values, bool(time_major)):
        state = activation(code, step @ weights.T + state @ recurrent.T + bias)
        outputs.append(state)
    return _result(_time_first(np.array(outputs), bool(time_major)))


@formula("BIDIRECTIONAL_SEQUENCE_RNN")
def _bidirectional_rnn(*operands: Any) -> list[Result]:
    values, *rest = operands
    forward, backward = rest[:4], rest[4:8]
    auxiliary, *auxiliary_weights = rest[8:11]
    code, is_time_major, is_merged = rest[11:]
    steps = _time_first(values, is_time_major)
    auxiliary_steps = None if auxiliary is None else _time_first(auxiliary, is_time_major)
    outputs = []
    for direction, own_weights in zip((forward, backward), auxiliary_weights):
        weights, recurrent, bias, state = direction
        times = range(len(steps)) if direction is forward else reversed(range(len(steps)))
        result = [np.empty(0)] * len(steps)
        for time in times:
            total = steps[time] @ weights.T + state @ recurrent.T + bias
            if auxiliary_steps is not None:
                total = total + auxiliary_steps[time] @ own_weights.T
            state = activation(code, total)
            result[time] = state
        outputs.append(_time_first(np.array(result), is_time_major))
    if is_merged:
        return [_result(np.concatenate(outputs, 2))]
    return [_result(output) for output in outputs]


# ---- LSTM ----


def _cell_activation(code: int, values: Array) -> Array:
    """The function g: none, RELU, RELU6, tanh or the sigmoid."""
    if code == 4:
        return np.tanh(values)
    if code == 6:
        return logistic(values)
    return activation(code, values)


@dataclass(frozen=True)
class Gate:
    """What one of the four gates has: each is None where the operand is left out."""

    inputs: Optional[Array]
    recurrent: Optional[Array]
    cell: Optional[Array]
    bias: Optional[Array]
    normalization: Optional[Array] = None
    auxiliary: Optional[Array] = None

    def total(self, values: Array, state: Array, cell: Array, auxiliary: Optional[Array]) -> Array:
        """What the function of the gate is applied to.

        With layer normalization (Ba et al., section 3.1) the sum without the bias is normalized
        over the units and scaled by the weights; the bias shifts it to another centre.
        """
        assert self.inputs is not None and self.recurrent is not None and self.bias is not None
        total = values @ self.inputs.T + state @ self.recurrent.T
        if auxiliary is not None:
            assert self.auxiliary is not None
            total = total + auxiliary @ self.auxiliary.T
        if self.cell is not None:
            total = total + cell * self.cell
        if self.normalization is not None:
            mean = total.mean(1, keepdims=True)
            variance = ((total - mean) ** 2).mean(1, keepdims=True)
            total = (total - mean) / np.sqrt(variance) * self.normalization
        return np.asarray(total + self.bias)


@dataclass(frozen=True)
class LstmCell:
    """The weights of an LSTM cell, and what else stays the same from step to step."""

    input_gate: Gate
    forget_gate: Gate
    cell_gate: Gate
    output_gate: Gate
    projection: Optional[Array]
    projection_bias: Optional[Array]
    code: int
    cell_clip: float
    projection_clip: float

    def step(
        self, values: Array, state: Array, cell: Array, auxiliary: Optional[Array] = None
    ) -> tuple[Array, Array]:
        """The output state and the cell state after a step (types.hal 1.2, LSTM)."""
        forget = logistic(self.forget_gate.total(values, state, cell, auxiliary))
        if self.input_gate.inputs is None:
            # The input gate is coupled to the forget gate.
            admitted = 1 - forget
        else:
            admitted = logistic(self.input_gate.total(values, state, cell, auxiliary))
        candidate = _cell_activation(
            self.code, self.cell_gate.total(values, state, cell, auxiliary)
        )
        new_cell = _clip(forget * cell + admitted * candidate, self.cell_clip)
        # The output gate sees the new cell state.
        output = logistic(self.output_gate.total(values, state, new_cell, auxiliary))
        new_state = output * _cell_activation(self.code, new_cell)
        if self.projection is not None:
            new_state = new_state @ self.projection.T
            if self.projection_bias is not None:
                new_state = new_state + self.projection_bias
            new_state = _clip(new_state, self.projection_clip)
        return new_state, new_cell


def _clip(values: Array, threshold: float) -> Array:
    return np.clip(values, -threshold, threshold) if threshold > 0 else values


def _cell(
    operands: Sequence[Any],
    scalars: Sequence[Any],
    normalizations: Sequence[Any],
    auxiliaries: Sequence[Any] = (None,) * 4,
) -> LstmCell:
    """The cell of the 17 weights and biases in the order of LSTM's operands 1 to 17, of the
    activation and the thresholds, and of weights for each of the gates: input, forget, cell,
    output. The cell gate has no weights for the cell state."""
    inputs, recurrent = operands[0:4], operands[4:8]
    cells = [operands[8], operands[9], None, operands[10]]
    biases = operands[11:15]
    gates = [
        Gate(*weights)
        for weights in zip(inputs, recurrent, cells, biases, normalizations, auxiliaries)
    ]
    input_gate, forget_gate, cell_gate, output_gate = gates
    return LstmCell(
        input_gate, forget_gate, cell_gate, output_gate, operands[15], operands[16], *scalars
    )


@formula("LSTM")
def _lstm(*operands: Any) -> list[Result]:
    values = operands[0]
    state, cell = operands[18:20]
    normalizations = operands[23:27] or (None,) * 4
    lstm = _cell(operands[1:18], operands[20:23], normalizations)
    new_state, new_cell = lstm.step(values, state, cell)
    # What is in the scratch buffer afterwards is nobody's business.
    scratch_gates = 3 if operands[1] is None else 4
    scratch = np.zeros((values.shape[0], cell.shape[1] * scratch_gates))
    return [
        Result(scratch, np.full(scratch.shape, np.inf)),
        _result(new_state),
        _result(new_cell),
        _result(new_state),
    ]


def _run(
    lstm: LstmCell,
    steps: Array,
    state: Array,
    cell: Array,
    is_backward: bool,
    auxiliary: Optional[Array] = None,
) -> Array:
    """The output states of each step; the last step is the first one backwards."""
    outputs = [np.empty(0)] * len(steps)
    times = range(len(steps))
    for time in reversed(times) if is_backward else times:
        own = None if auxiliary is None else auxiliary[time]
        state, cell = lstm.step(steps[time], state, cell, own)
        outputs[time] = state
    return np.array(outputs)


@formula("UNIDIRECTIONAL_SEQUENCE_LSTM")
def _sequence_lstm(*operands: Any) -> Result:
    is_time_major = operands[23]
    lstm = _cell(operands[1:18], operands[20:23], operands[24:28])
    steps = _time_first(operands[0], is_time_major)
    outputs = _run(lstm, steps, operands[18], operands[19], is_backward=False)
    return _result(_time_first(outputs, is_time_major))


@formula("BIDIRECTIONAL_SEQUENCE_LSTM")
def _bidirectional_lstm(*operands: Any) -> list[Result]:
    scalars = operands[48:51]
    is_merged, is_time_major = operands[51:53]
    steps = _time_first(operands[0], is_time_major)
    auxiliary = None if operands[39] is None else _time_first(operands[39], is_time_major)
    forward = _cell(operands[1:18], scalars, operands[53:57], operands[40:44])
    backward = _cell(operands[18:35], scalars, operands[57:61], operands[44:48])
    outputs = [
        _run(forward, steps, operands[35], operands[36], False, auxiliary),
        _run(backward, steps, operands[37], operands[38], True, auxiliary),
    ]
    outputs = [_time_first(output, is_time_major) for output in outputs]
    if is_merged:
        return [_result(np.concatenate(outputs, 2))]
    return [_result(output) for output in outputs]


@formula("QUANTIZED_16BIT_LSTM")
def _quantized_lstm(*operands: Any) -> list[Result]:
    # The operands stand for real numbers, so this is an LSTM without peepholes, clips and
    # projection. Only the types of the results are documented, and not how the intermediate ones
    # are rounded.
    values = operands[0]
    weights = [*operands[1:9], None, None, None, *operands[9:13], None, None]
    lstm = _cell(weights, (4, 0.0, 0.0), (None,) * 4)
    state, cell = lstm.step(values, operands[14], operands[13])
    return [_result(cell), _result(state)]


# ---- Others ----


@formula("SVDF")
def _svdf(
    values: Array,
    weights_feature: Array,
    weights_time: Array,
    bias: Optional[Array],
    state: Array,
    rank: int,
    code: Optional[int],
) -> list[Result]:
    # The documentation gives the state (memory_size - 1) * num_units * rank entries. In Android,
    # and in all models for it, there is one more for each filter, a place to work in: it is not
    # read, and afterwards it is zero. The first dimension of the weights, which the documentation
    # calls num_units, can only be num_units * rank.
    batches = values.shape[0]
    filters, memory_size = weights_time.shape
    oldest_first = state.reshape(batches, filters, -1)[:, :, : memory_size - 1]
    newest = (values @ weights_feature.T)[:, :, None]
    memory = np.concatenate([oldest_first, newest], 2)
    by_filter = (memory * weights_time).sum(2)
    output = by_filter.reshape(batches, filters // rank, rank).sum(2)
    if bias is not None:
        output = output + bias
    # The oldest entry is dropped.
    new_state = np.zeros((batches, filters, state.shape[1] // filters))
    new_state[:, :, : memory_size - 1] = memory[:, :, 1:]
    return [_result(new_state.reshape(batches, -1)), _result(activation(code or 0, output))]
