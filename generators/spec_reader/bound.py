# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""A model together with the values of its requests: what variations transform.

Everything here is immutable: a variation returns a new BoundModel, which shares what it did not
change.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional

from .errors import SpecError
from .model import Model, ModelOperation
from .operands import (
    Dimensions,
    Kind,
    Omitted,
    Operand,
    OperandType,
    Value,
    check_count,
    flat_values,
)
from .spec import current_spec
from .storage import StoredValues, Values

Feed = Mapping[Operand, Any]


@dataclass(frozen=True)
class FeedValue:
    """What one request gives for an input, or expects of an output.

    `dimensions` is None if they are the operand's own. Ignored outputs have no values.
    """

    values: Values
    dimensions: Optional[Dimensions] = None
    is_omitted: bool = False


Retype = Callable[[OperandType], OperandType]
"""What a variation does to the type of an operand."""

Revalue = Callable[[Values, OperandType, OperandType], Values]
"""What a variation does to values, given their old and their new type."""


@dataclass(frozen=True)
class BoundOperand:
    """An operand of one variation of a model. `constant` is the value of a constant; `feeds` has
    one value for each request if the operand is an input or an output of the model."""

    operand: Operand
    kind: Kind
    type: OperandType
    constant: Values = ()
    feeds: tuple[FeedValue, ...] = ()

    def transformed(self, retype: Retype, revalue: Revalue) -> BoundOperand:
        """The operand with another type, and every value that it has with it."""
        new_type = retype(self.type)
        return dataclasses.replace(
            self,
            type=new_type,
            constant=revalue(self.constant, self.type, new_type) if self.constant else (),
            feeds=tuple(
                _transformed_feed(feed, self.type, new_type, retype, revalue) for feed in self.feeds
            ),
        )

    def as_input(self, request_count: int) -> BoundOperand:
        """The constant as an input of the model, which every request gives the same value."""
        feed = FeedValue(self.constant, is_omitted=not self.constant)
        return dataclasses.replace(
            self, kind=Kind.INPUT, constant=(), feeds=(feed,) * request_count
        )


@dataclass(frozen=True)
class BoundModel:
    """A model and its requests. `operands` are in the order of their numbers."""

    model: Model
    operations: tuple[ModelOperation, ...]
    operands: tuple[BoundOperand, ...]
    numbers: Mapping[Operand, int]
    is_relaxed: bool
    request_count: int

    def with_operands(self, changed: Mapping[int, BoundOperand]) -> BoundModel:
        """The model with other operands under some numbers."""
        operands = tuple(
            changed.get(number, operand) for number, operand in enumerate(self.operands)
        )
        return dataclasses.replace(self, operands=operands)

    def with_relaxed(self, is_relaxed: bool) -> BoundModel:
        """The model with relaxed computation allowed, or not."""
        return dataclasses.replace(self, is_relaxed=is_relaxed)

    @property
    def input_numbers(self) -> list[int]:
        """The numbers of the model's inputs in order, with those that variations made inputs."""
        stated = self.model.inputs
        numbers = [self.numbers[operand] for operand in stated]
        made = [
            number
            for number, operand in enumerate(self.operands)
            if operand.kind is Kind.INPUT and operand.operand.kind is not Kind.INPUT
        ]
        # In the order of the operands, unless the specification states another one.
        return sorted(numbers + made) if made and numbers == sorted(numbers) else numbers + made

    @property
    def output_numbers(self) -> list[int]:
        """The numbers of the model's outputs in order."""
        return [self.numbers[operand] for operand in self.model.outputs]


def bind(model: Model, feeds: Sequence[tuple[Feed, Feed]], line: Optional[int]) -> BoundModel:
    """The model with the values of the requests `feeds`, each a pair of inputs and outputs.

    A SpecError, for the line `line`, if a request does not fit the model.
    """
    numbers = {operand: number for number, operand in enumerate(model.operands)}
    inputs, outputs = set(model.inputs), set(model.outputs)
    for index, request in enumerate(feeds):
        for operand in [*request[0], *request[1]]:
            if not isinstance(operand, Operand):
                raise SpecError(
                    f"request {index} has a value for {operand!r}", "values for operands", line
                )
            if operand not in inputs and operand not in outputs:
                message = f"request {index} has a value for {operand.describe()}, which is"
                current_spec().warn(f"{message} neither input nor output of the model", line)
    operands = []
    for operand in numbers:
        values: tuple[FeedValue, ...] = ()
        if operand in inputs:
            values = tuple(
                _feed_value(operand, feed[0], index, line) for index, feed in enumerate(feeds)
            )
        elif operand in outputs:
            values = tuple(
                _feed_value(operand, feed[1], index, line) for index, feed in enumerate(feeds)
            )
        constant = operand.value if operand.kind.is_constant and operand.value else ()
        operands.append(BoundOperand(operand, operand.kind, operand.type, constant, values))
    return BoundModel(
        model,
        tuple(model.sorted_operations()),
        tuple(operands),
        numbers,
        model.is_relaxed,
        len(feeds),
    )


def _feed_value(operand: Operand, feed: Feed, index: int, line: Optional[int]) -> FeedValue:
    is_output = operand.kind.is_output
    place = f"{operand.describe()} in request {index}"
    if operand not in feed:
        if operand.kind is Kind.IGNORED_OUTPUT:
            return FeedValue(())
        raise SpecError(
            f"request {index} has no value for {operand.describe()}",
            "one for every input and output of the model",
            line,
        )
    value = feed[operand]
    if value is Omitted:
        if is_output:
            raise SpecError(f"{place} is Omitted", "a value: only inputs can be omitted", line)
        return FeedValue((), is_omitted=True)
    dimensions = None
    if isinstance(value, Value):
        dimensions, value = value.dimensions, value.values
    type_ = operand.type
    if dimensions is not None:
        type_ = dataclasses.replace(type_, dimensions=dimensions)
    if operand.kind is Kind.IGNORED_OUTPUT:
        return FeedValue((), dimensions)
    try:
        values = flat_values(value, type_)
    except SpecError as error:
        raise SpecError(f"{place}: {error.message}", error.expected, line) from None
    if dimensions is not None:
        # Requests that do not fit their model are legitimate tests: only where every dimension is
        # given must the values agree with them.
        if math.prod(dimensions) and dimensions:
            check_count(place, values, type_, line)
    elif not values and not is_output:
        # Android's way to omit an optional input, whatever its dimensions.
        return FeedValue((), is_omitted=True)
    elif type_.element_count == 0:
        # Android's examples give an output without elements one number, for C++ knows no empty
        # arrays.
        if len(values) > 1 or not is_output:
            raise SpecError(
                f"{place} has {len(values)} values, but the dimensions {list(type_.dimensions)}",
                "no values, or Value(dimensions=, values=) if a dimension is unknown",
                line,
            )
        return FeedValue(())
    else:
        check_count(place, values, type_, line)
    return FeedValue(values, dimensions)


def _transformed_feed(
    feed: FeedValue,
    old_type: OperandType,
    new_type: OperandType,
    retype: Retype,
    revalue: Revalue,
) -> FeedValue:
    if feed.dimensions is None:
        values = revalue(feed.values, old_type, new_type) if feed.values else ()
        return dataclasses.replace(feed, values=values)
    old_type = dataclasses.replace(old_type, dimensions=feed.dimensions)
    new_type = retype(old_type)
    values = revalue(feed.values, old_type, new_type) if feed.values else ()
    return FeedValue(values, new_type.dimensions)


def numbers_of(values: Values) -> Values:
    """The values as numbers alone: a variation must not keep the storage that they came from."""
    return list(values) if isinstance(values, StoredValues) else values
