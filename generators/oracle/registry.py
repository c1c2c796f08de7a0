# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The formulas of the operations and the cases to compute by them, by the operations' HAL names."""

from __future__ import annotations

import enum
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Optional, Union

import numpy as np

from . import operands
from .operands import Array, Operand, Output


@dataclass(frozen=True)
class Result:
    """One output as a formula gives it.

    `magnitudes` are those of the terms that were added up to each element: rounding errors are
    proportional to them, not to the sum, which may cancel. None: the elements' own magnitudes.
    Where a magnitude is infinite, the documentation leaves the element open: anything will do.
    """

    values: Array
    magnitudes: Optional[Array] = None


class Comparison(enum.Enum):
    """How results are compared with expectations; the values are the schema's names."""

    ELEMENTS = "elements"
    """One by one."""

    GROUPED_ROWS = "groupedRows"
    """All outputs have a row for each box, the last output says of which batch. Boxes of one batch
    stand together; their order is open."""

    DISTRIBUTION = "distribution"
    """The expected values are probabilities, a row for each row of samples."""


Outputs = Union[Array, Result, Sequence[Union[Array, Result]]]
Formula = Callable[..., Outputs]


@dataclass(frozen=True)
class Case:
    """An operation on operands, and what it should give."""

    name: str
    operation: str
    inputs: tuple[Operand, ...]
    outputs: tuple[Output, ...]
    """With scale and zero point, where there are any."""
    results: tuple[Result, ...]
    comparison: Comparison


@dataclass(frozen=True)
class _Definition:
    formula: Formula
    takes_integers: bool
    comparison: Comparison


_definitions: Final[dict[str, _Definition]] = {}
_case_makers: Final[dict[str, list[Callable[[Cases], None]]]] = {}


def formula(
    *names: str,
    takes_integers: bool = False,
    comparison: Comparison = Comparison.ELEMENTS,
) -> Callable[[Formula], Formula]:
    """Registers the formula of operations.

    It is called with a value for each operand, in the HAL's order: real numbers for a tensor (the
    integers themselves with `takes_integers`), an int, a float or a bool for a scalar, None for an
    operand that is left out. It returns an output or a sequence of outputs.
    """

    def register(function: Formula) -> Formula:
        for name in names:
            if name in _definitions:
                raise ValueError(f"{name} has two formulas")
            _definitions[name] = _Definition(function, takes_integers, comparison)
        return function

    return register


def cases(*names: str) -> Callable[[Callable[[Cases], None]], Callable[[Cases], None]]:
    """Registers a function that makes cases of operations: it is called once for each name."""

    def register(function: Callable[[Cases], None]) -> Callable[[Cases], None]:
        for name in names:
            _case_makers.setdefault(name, []).append(function)
        return function

    return register


def formula_of(name: str) -> Formula:
    """The formula of an operation."""
    return _definitions[name].formula


def comparison_of(name: str) -> Comparison:
    """How results of an operation are compared."""
    return _definitions[name].comparison


def results_of(
    name: str, inputs: Sequence[Operand], more: Sequence[Any] = ()
) -> tuple[Result, ...]:
    """What the formula of an operation gives on operands, and on `more` arguments behind them."""
    definition = _definitions[name]
    arguments = [_argument(operand, definition.takes_integers) for operand in inputs]
    with np.errstate(all="ignore"):
        return tuple(_results(definition.formula(*arguments, *more)))


def operation_names() -> list[str]:
    """The operations that have a formula."""
    return sorted(_definitions)


@dataclass
class Cases:
    """The cases of one operation in the making. Random numbers depend on the operation and on the
    order of the calls alone."""

    operation: str
    made: list[Case] = field(default_factory=list)

    def __post_init__(self) -> None:
        # random.Random is the same in every version and on every machine, unlike NumPy's
        # distributions. A string as the seed goes through SHA-512.
        self._random = random.Random(self.operation)

    def uniform(self, lowest: float, highest: float, *dimensions: int) -> Array:
        """Real numbers in [lowest, highest)."""
        count = int(np.prod(dimensions))
        numbers = [self._random.random() for _ in range(count)]
        return lowest + (highest - lowest) * np.array(numbers, np.float64).reshape(dimensions)

    def integers(self, lowest: int, highest: int, *dimensions: int) -> Array:
        """Whole numbers in [lowest, highest]."""
        return np.floor(self.uniform(lowest, highest + 1, *dimensions))

    def distinct(self, lowest: float, highest: float, *dimensions: int) -> Array:
        """Real numbers in [lowest, highest], evenly spaced, in random order: no two are equal, also
        when they are quantized finely enough."""
        count = int(np.prod(dimensions))
        numbers = list(np.linspace(lowest, highest, count))
        self._random.shuffle(numbers)
        return np.array(numbers, np.float64).reshape(dimensions)

    def add(
        self,
        name: str,
        inputs: Sequence[Operand],
        outputs: Sequence[Output],
        formula_inputs: Optional[Sequence[Any]] = None,
    ) -> None:
        """Adds a case called operation_name. Without `formula_inputs`, the formula gets the values
        of the inputs."""
        definition = _definitions[self.operation]
        arguments = (
            [_argument(operand, definition.takes_integers) for operand in inputs]
            if formula_inputs is None
            else formula_inputs
        )
        with np.errstate(all="ignore"):
            given = definition.formula(*arguments)
        results = tuple(_results(given))
        if len(results) != len(outputs):
            raise ValueError(f"{self.operation}_{name}: {len(results)} results of {len(outputs)}")
        quantized = tuple(
            _with_quantization(output, result) for output, result in zip(outputs, results)
        )
        results = tuple(_as_real(output, result) for output, result in zip(quantized, results))
        full_name = f"{self.operation}_{name}"
        if not re.fullmatch(r"\w+", full_name, re.ASCII):
            raise ValueError(f"{full_name}: expected letters, digits and underscores")
        if any(case.name == full_name for case in self.made):
            raise ValueError(f"two cases called {full_name}")
        self.made.append(
            Case(
                full_name, self.operation, tuple(inputs), quantized, results, definition.comparison
            )
        )


def all_cases() -> Iterator[Case]:
    """All cases of all operations, by operation."""
    for name in operation_names():
        made = Cases(name)
        for maker in _case_makers.get(name, []):
            maker(made)
        if not made.made:
            raise ValueError(f"{name} has a formula but no cases")
        yield from made.made


def _argument(operand: Operand, takes_integers: bool) -> Any:
    if not operand.is_given:
        return None
    is_scalar = not operand.type.startswith("TENSOR_")
    if is_scalar and operand.quantization is operands.PLAIN:
        return operand.stored.item()
    value = operand.integers if takes_integers else operand.real
    return value.item() if is_scalar else value


def _results(given: Outputs) -> Iterator[Result]:
    for output in [given] if isinstance(given, (np.ndarray, Result)) else given:
        result = output if isinstance(output, Result) else Result(output)
        values = np.asarray(result.values, np.float64)
        if result.magnitudes is None:
            yield Result(values)
        else:
            magnitudes = np.broadcast_to(np.asarray(result.magnitudes, np.float64), values.shape)
            yield Result(values, magnitudes)


def _as_real(output: Output, result: Result) -> Result:
    """The result as the real numbers that the elements stand for."""
    if not output.holds_integers or not operands.is_quantized(output.type):
        return result
    assert output.quantization is not None
    return Result(operands.dequantize(result.values, output.quantization), result.magnitudes)


def _with_quantization(output: Output, result: Result) -> Output:
    if output.quantization is not None:
        return output
    if output.type == "TENSOR_QUANT8_ASYMM":
        return Output(output.type, operands.spanning(result.values))
    if operands.is_quantized(output.type):
        raise ValueError(f"an output of {output.type} needs scale and zero point")
    return Output(output.type, operands.PLAIN)
