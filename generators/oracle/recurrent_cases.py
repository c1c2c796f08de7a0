# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases of the operations of recurrent.py."""

from __future__ import annotations

import dataclasses
import itertools
from dataclasses import dataclass
from typing import Final

from .operands import (
    FLOATS,
    QUANT8,
    Kind,
    Operand,
    Output,
    Quantization,
    boolean,
    int32,
    integers,
    omitted,
    quantization,
)
from .registry import Cases, cases

_BATCHES, _INPUTS, _STEPS = 2, 3, 4


def _tensor(made: Cases, kind: Kind, *dimensions: int) -> Operand:
    return kind.make(made.uniform(-1, 1, *dimensions))


def _rnn_cell(made: Cases, kind: Kind, units: int) -> list[Operand]:
    """Weights, recurrent weights, bias and hidden state."""
    shapes = [(units, _INPUTS), (units, units), (units,), (_BATCHES, units)]
    return [_tensor(made, kind, *shape) for shape in shapes]


def _sequence_shape(is_time_major: bool, size: int = _INPUTS) -> tuple[int, int, int]:
    return (_STEPS, _BATCHES, size) if is_time_major else (_BATCHES, _STEPS, size)


@cases("RNN")
def _rnn(made: Cases) -> None:
    for kind, code in itertools.product(FLOATS, range(4)):
        values = _tensor(made, kind, _BATCHES, _INPUTS)
        cell = _rnn_cell(made, kind, 4)
        made.add(f"{kind.name}_activation{code}", [values, *cell, int32(code)], [kind.output()] * 2)
    for kind in FLOATS:
        values = _tensor(made, kind, _BATCHES, _INPUTS)
        cell = _rnn_cell(made, kind, 4)
        made.add(
            f"{kind.name}_no_activation", [values, *cell, omitted("INT32")], [kind.output()] * 2
        )


@cases("UNIDIRECTIONAL_SEQUENCE_RNN")
def _sequence_rnn(made: Cases) -> None:
    for kind, code, is_time_major in itertools.product(FLOATS, range(4), (False, True)):
        values = _tensor(made, kind, *_sequence_shape(is_time_major))
        made.add(
            f"{kind.name}_activation{code}_{_major(is_time_major)}",
            [values, *_rnn_cell(made, kind, 4), int32(code), int32(is_time_major)],
            [kind.output()],
        )


def _major(is_time_major: bool) -> str:
    return "time_major" if is_time_major else "batch_major"


def _merged(is_merged: bool) -> str:
    return "merged" if is_merged else "separate"


@cases("BIDIRECTIONAL_SEQUENCE_RNN")
def _bidirectional_rnn(made: Cases) -> None:
    flags = (False, True)
    for kind, is_time_major, is_merged, has_auxiliary, code in itertools.product(
        FLOATS, flags, flags, flags, range(4)
    ):
        shape = _sequence_shape(is_time_major)
        # A model may also call operands that it leaves out vectors.
        auxiliaries = [kind.omitted(1 if code == 3 else None)] * 3
        if has_auxiliary:
            auxiliaries = [
                _tensor(made, kind, *shape),
                _tensor(made, kind, 4, _INPUTS),
                _tensor(made, kind, 5, _INPUTS),
            ]
        made.add(
            f"{kind.name}_activation{code}_{_major(is_time_major)}_{_merged(is_merged)}"
            f"{'_auxiliary' * has_auxiliary}",
            [
                _tensor(made, kind, *shape),
                *_rnn_cell(made, kind, 4),
                *_rnn_cell(made, kind, 5),
                *auxiliaries,
                int32(code),
                boolean(is_time_major),
                boolean(is_merged),
            ],
            [kind.output()] * (1 if is_merged else 2),
        )


@dataclass(frozen=True)
class _LstmForm:
    """Which of the optional operands an LSTM has."""

    name: str
    is_coupled: bool = False
    has_peepholes: bool = False
    has_projection: bool = False
    has_projection_bias: bool = False
    is_normalized: bool = False
    code: int = 4
    cell_clip: float = 0.0
    projection_clip: float = 0.0
    units: int = 4
    omits_at_run_time: bool = False

    @property
    def outputs(self) -> int:
        """The size of the output."""
        return 3 if self.has_projection else self.units


_FORMS: Final = (
    _LstmForm("plain"),
    _LstmForm("coupled", is_coupled=True),
    _LstmForm("peepholes", has_peepholes=True),
    _LstmForm("coupled_peepholes", is_coupled=True, has_peepholes=True, cell_clip=0.5),
    _LstmForm("projection", has_projection=True),
    _LstmForm(
        "projection_bias", has_projection=True, has_projection_bias=True, projection_clip=0.25
    ),
    _LstmForm("cell_clip", cell_clip=0.25),
    _LstmForm("normalized", is_normalized=True),
    _LstmForm("normalized_coupled", is_normalized=True, is_coupled=True),
    _LstmForm(
        "everything",
        has_peepholes=True,
        has_projection=True,
        has_projection_bias=True,
        is_normalized=True,
        cell_clip=0.5,
        projection_clip=0.5,
    ),
    _LstmForm(
        "everything_coupled",
        is_coupled=True,
        has_peepholes=True,
        has_projection=True,
        has_projection_bias=True,
        is_normalized=True,
    ),
    _LstmForm("no_activation", code=0),
    _LstmForm("relu", code=1),
    _LstmForm("relu6", code=3),
    _LstmForm("sigmoid", code=6, has_peepholes=True),
    _LstmForm("omitted_by_request", is_coupled=True, omits_at_run_time=True),
)


def _maybe(made: Cases, kind: Kind, form: _LstmForm, is_given: bool, *dimensions: int) -> Operand:
    if is_given:
        return _tensor(made, kind, *dimensions)
    return kind.omitted(len(dimensions) if form.omits_at_run_time else None)


def _lstm_weights(made: Cases, kind: Kind, form: _LstmForm) -> list[Operand]:
    """Operands 1 to 17 of LSTM."""
    units, outputs, has_input_gate = form.units, form.outputs, not form.is_coupled
    return [
        _maybe(made, kind, form, has_input_gate, units, _INPUTS),
        *(_tensor(made, kind, units, _INPUTS) for _ in range(3)),
        _maybe(made, kind, form, has_input_gate, units, outputs),
        *(_tensor(made, kind, units, outputs) for _ in range(3)),
        _maybe(made, kind, form, form.has_peepholes and has_input_gate, units),
        *(_maybe(made, kind, form, form.has_peepholes, units) for _ in range(2)),
        _maybe(made, kind, form, has_input_gate, units),
        *(_tensor(made, kind, units) for _ in range(3)),
        _maybe(made, kind, form, form.has_projection, outputs, units),
        _maybe(made, kind, form, form.has_projection_bias, outputs),
    ]


def _lstm_states(made: Cases, kind: Kind, form: _LstmForm) -> list[Operand]:
    return [
        _tensor(made, kind, _BATCHES, form.outputs),
        _tensor(made, kind, _BATCHES, form.units),
    ]


def _lstm_scalars(kind: Kind, form: _LstmForm) -> list[Operand]:
    return [int32(form.code), kind.real(form.cell_clip), kind.real(form.projection_clip)]


def _normalizations(made: Cases, kind: Kind, form: _LstmForm) -> list[Operand]:
    return [
        _maybe(made, kind, form, form.is_normalized and not form.is_coupled, form.units),
        *(_maybe(made, kind, form, form.is_normalized, form.units) for _ in range(3)),
    ]


@cases("LSTM")
def _lstm(made: Cases) -> None:
    for kind, form in itertools.product(FLOATS, _FORMS):
        # The four weights of the normalization may also not be there at all.
        for is_long in (True,) if form.is_normalized else (False, True):
            made.add(
                f"{kind.name}_{form.name}{'_27' * is_long}",
                [
                    _tensor(made, kind, _BATCHES, _INPUTS),
                    *_lstm_weights(made, kind, form),
                    *_lstm_states(made, kind, form),
                    *_lstm_scalars(kind, form),
                    *(_normalizations(made, kind, form) if is_long else []),
                ],
                [kind.output()] * 4,
            )


@cases("UNIDIRECTIONAL_SEQUENCE_LSTM")
def _sequence_lstm(made: Cases) -> None:
    for kind, form, is_time_major in itertools.product(FLOATS, _FORMS, (False, True)):
        made.add(
            f"{kind.name}_{form.name}_{_major(is_time_major)}",
            [
                _tensor(made, kind, *_sequence_shape(is_time_major)),
                *_lstm_weights(made, kind, form),
                *_lstm_states(made, kind, form),
                *_lstm_scalars(kind, form),
                boolean(is_time_major),
                *_normalizations(made, kind, form),
            ],
            [kind.output()],
        )


def _auxiliary_weights(
    made: Cases, kind: Kind, form: _LstmForm, has_auxiliary: bool
) -> list[Operand]:
    has_input_gate = not form.is_coupled
    return [
        _maybe(made, kind, form, has_auxiliary and has_input_gate, form.units, _INPUTS),
        *(_maybe(made, kind, form, has_auxiliary, form.units, _INPUTS) for _ in range(3)),
    ]


@cases("BIDIRECTIONAL_SEQUENCE_LSTM")
def _bidirectional_lstm(made: Cases) -> None:
    flags = (False, True)
    for kind, form, number in itertools.product(FLOATS, _FORMS, range(3)):
        # Flags take turns: each comes with each kind of form.
        is_time_major, is_merged = flags[number % 2], flags[(number // 2 + _FORMS.index(form)) % 2]
        has_auxiliary = number == 2
        backward = dataclasses.replace(form, units=5)
        auxiliary = _maybe(made, kind, form, has_auxiliary, *_sequence_shape(is_time_major))
        made.add(
            f"{kind.name}_{form.name}_{_major(is_time_major)}_{_merged(is_merged)}"
            f"{'_auxiliary' * has_auxiliary}",
            [
                _tensor(made, kind, *_sequence_shape(is_time_major)),
                *_lstm_weights(made, kind, form),
                *_lstm_weights(made, kind, backward),
                *_lstm_states(made, kind, form),
                *_lstm_states(made, kind, backward),
                auxiliary,
                *_auxiliary_weights(made, kind, form, has_auxiliary),
                *_auxiliary_weights(made, kind, backward, has_auxiliary),
                *_lstm_scalars(kind, form),
                boolean(is_merged),
                boolean(is_time_major),
                *_normalizations(made, kind, form),
                *_normalizations(made, kind, backward),
            ],
            [kind.output()] * (1 if is_merged else 2),
        )


@cases("QUANTIZED_16BIT_LSTM")
def _quantized_lstm(made: Cases) -> None:
    state = quantization(1 / 128, 128)
    cell_state = quantization(1 / 2048, 0)
    for name, weight_scale, zero_point in (("fine", 1 / 64, 128), ("coarse", 0.0125, 90)):
        for outputs in (1, 4, 7):
            weights = quantization(weight_scale, zero_point)
            bias = quantization(weights.scale / 128)
            shapes = [(outputs, _INPUTS)] * 4 + [(outputs, outputs)] * 4
            quant16 = "TENSOR_QUANT16_SYMM"
            made.add(
                f"{name}_{outputs}",
                [
                    _quant8(made, state, _BATCHES, _INPUTS),
                    *(_quant8(made, weights, *shape) for shape in shapes),
                    *(
                        integers("TENSOR_INT32", made.integers(-9000, 9000, outputs), bias)
                        for _ in range(4)
                    ),
                    integers(quant16, made.integers(-9000, 9000, _BATCHES, outputs), cell_state),
                    _quant8(made, state, _BATCHES, outputs),
                ],
                [Output(quant16, cell_state), QUANT8.output(state)],
            )


def _quant8(made: Cases, parameters: Quantization, *dimensions: int) -> Operand:
    return integers(QUANT8.tensor, made.integers(0, 255, *dimensions), parameters)


@cases("SVDF")
def _svdf(made: Cases) -> None:
    for kind, rank, code, has_bias, has_work_place in itertools.product(
        FLOATS, (1, 3), (*range(4), None), (True, False), (True, False)
    ):
        units, memory = 3, 4
        filters = units * rank
        bias = _tensor(made, kind, units) if has_bias else kind.omitted()
        made.add(
            f"{kind.name}_rank{rank}_{'no_activation' if code is None else f'activation{code}'}"
            f"{'_bias' * has_bias}"
            f"{'_documented_state' * (not has_work_place)}",
            [
                _tensor(made, kind, _BATCHES, _INPUTS),
                _tensor(made, kind, filters, _INPUTS),
                _tensor(made, kind, filters, memory),
                bias,
                _tensor(made, kind, _BATCHES, (memory if has_work_place else memory - 1) * filters),
                int32(rank),
                omitted("INT32") if code is None else int32(code),
            ],
            [kind.output()] * 2,
        )
