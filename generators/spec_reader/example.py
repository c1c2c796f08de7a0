# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Example: requests to a model, the expected results, and the variations to multiply them by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Optional, Union

from . import hal
from .bound import Feed
from .errors import SpecError
from .model import Model
from .operands import Operand
from .spec import current_spec
from .variations import (
    ActivationConverter,
    AxisConverter,
    DataLayoutConverter,
    DefaultVariation,
    ModelVariation,
    ParameterAsInputConverter,
    RelaxedModeConverter,
    implicit_variation,
)

_UNSTATED: Any = object()


class Example:
    """One or more requests to a model.

    A feed is a dict with a value for each input and output of the model, or a pair of dicts, one
    for the inputs and one for the outputs. The model is the one constructed last unless given.
    """

    def __init__(
        self, *args: Any, model: Optional[Model] = None, name: Optional[str] = None
    ) -> None:
        spec = current_spec()
        if model is None and not spec.models:
            raise SpecError("an Example without a model", "a Model before it")
        self.model = spec.models[-1] if model is None else model
        self.name = name
        self.line = spec.running_line()
        self.is_dynamic = spec.configuration.test_dynamic_output_shape
        self.groups: list[list[ModelVariation]] = []
        self.multinomial_tolerance = 0.0
        self.quantized_tolerance: Optional[int] = None
        self.deviation = ""
        self.expects_failure = False
        self.full_name: Optional[str] = None
        self.dynamic_name: Any = _UNSTATED
        self.minimum_version: Any = _UNSTATED
        self.spec_version: Any = _UNSTATED
        self.feeds = [self._pair(feed, index) for index, feed in enumerate(args)]
        spec.examples.append(self)

    @staticmethod
    def SetVersion(ver: Optional[str], *args: str) -> None:
        """Overrides the lowest HAL version of the tests with these names."""
        spec = current_spec()
        for name in args:
            spec.version_overrides[name] = (hal.check_version(ver), spec.running_line())

    # Variations. Each call adds one group; the tests are the product of the groups.

    def AddVariations(
        self, *args: Any, includeDefault: bool = True, defaultName: Optional[str] = None
    ) -> Example:
        """Adds a group: variations, shorthands, tuples of a shorthand and targets."""
        group: list[ModelVariation] = [DefaultVariation(defaultName)] if includeDefault else []
        group.extend(implicit_variation(argument) for argument in args)
        self.groups.append(group)
        return self

    def AddNchw(
        self,
        *args: Operand,
        includeDefault: bool = True,
        defaultName: Optional[str] = "nhwc",
    ) -> Example:
        """Adds the layout NCHW; `args` as for DataLayoutConverter."""
        variation = DataLayoutConverter("nchw").Identify(args)
        return self.AddVariations(variation, includeDefault=includeDefault, defaultName=defaultName)

    def AddRelaxed(
        self,
        isRelaxed: bool = True,
        includeDefault: bool = True,
        defaultName: Optional[str] = None,
    ) -> Example:
        """Adds relaxed computation."""
        variation = RelaxedModeConverter(isRelaxed)
        return self.AddVariations(variation, includeDefault=includeDefault, defaultName=defaultName)

    def AddInput(
        self, *args: Operand, includeDefault: bool = True, defaultName: Optional[str] = None
    ) -> Example:
        """Adds the parameters `args` as inputs of the model."""
        variation = ParameterAsInputConverter().Identify(args)
        return self.AddVariations(variation, includeDefault=includeDefault, defaultName=defaultName)

    def AddRelu(
        self, *args: Operand, includeDefault: bool = True, defaultName: Optional[str] = None
    ) -> Example:
        """Adds the activation RELU; `args` as for ActivationConverter."""
        variation = ActivationConverter("relu").Identify(args)
        return self.AddVariations(variation, includeDefault=includeDefault, defaultName=defaultName)

    def AddAllActivations(self, *args: Operand) -> Example:
        """Adds every activation, none included, in place of the default."""
        variations = [
            ActivationConverter(activation).Identify(args)
            for activation in sorted(ActivationConverter.ACTIVATIONS)
        ]
        return self.AddVariations(*variations, includeDefault=False)

    def AddAxis(
        self,
        axis: Union[int, Iterable[int]],
        *args: Operand,
        includeDefault: bool = True,
        defaultName: Optional[str] = None,
    ) -> Example:
        """Adds the axis, or each of the axes, `axis`.

        In this and the following methods `args` are the tensors, and, if there is one, the INT32
        with the axis: its value, or else the last axis, is the one that the example has.
        """
        origin, rank = self._axis_and_rank(args)
        targets = [axis] if isinstance(axis, int) else list(axis)
        variations = [AxisConverter(origin, target, rank).Identify(args) for target in targets]
        return self.AddVariations(
            *variations, includeDefault=includeDefault, defaultName=defaultName
        )

    def AddAllPositiveAxis(self, *args: Operand) -> Example:
        """Adds every axis, in place of the default."""
        _, rank = self._axis_and_rank(args)
        return self._add_axes(args, ((target, 0) for target in range(rank)))

    def AddAllAxis(self, *args: Operand) -> Example:
        """Adds every axis, also counted from the end, in place of the default."""
        _, rank = self._axis_and_rank(args)
        return self._add_axes(args, ((target, 0) for target in range(-rank, rank)))

    def AddDims(
        self,
        dims: Union[int, Iterable[int]],
        *args: Operand,
        includeDefault: bool = True,
        defaultName: Optional[str] = None,
    ) -> Example:
        """Adds the rank, or each of the ranks, `dims`, by dropping other axes than the axis."""
        origin, rank = self._axis_and_rank(args)
        others = [axis for axis in range(rank) if axis != origin]
        variations = [
            AxisConverter(origin, origin, rank, others[: rank - new_rank]).Identify(args)
            for new_rank in ([dims] if isinstance(dims, int) else dims)
        ]
        return self.AddVariations(
            *variations, includeDefault=includeDefault, defaultName=defaultName
        )

    def AddAllDims(self, *args: Operand) -> Example:
        """Adds every rank down to 1, in place of the default."""
        origin, rank = self._axis_and_rank(args)
        others = [axis for axis in range(rank) if axis != origin]
        variations = [
            AxisConverter(origin, origin, rank, others[:count]).Identify(args)
            for count in range(rank)
        ]
        return self.AddVariations(*variations, includeDefault=False)

    def AddAllDimsAndPositiveAxis(self, *args: Operand) -> Example:
        """Adds every rank with every axis, in place of the default."""
        _, rank = self._axis_and_rank(args)
        return self._add_axes(
            args, ((target, drop) for drop in range(rank) for target in range(drop, rank))
        )

    def AddAllDimsAndAxis(self, *args: Operand) -> Example:
        """Adds every rank with every axis, also counted from the end, in place of the default."""
        _, rank = self._axis_and_rank(args)
        return self._add_axes(
            args,
            (
                (target, drop)
                for drop in range(rank)
                for positive in range(drop, rank)
                for target in (positive, positive - rank)
            ),
        )

    # Tolerances.

    def WithMultinomialDistributionTolerance(self, expectedTolerance: float) -> Example:
        """The outputs are samples, whose frequencies are compared with softmax of the input."""
        self.multinomial_tolerance = float(expectedTolerance)
        return self

    def WithQuantizedTolerance(self, steps: int) -> Example:
        """Steps by which quantized outputs may be off (an addition to Android's language)."""
        if not isinstance(steps, int) or steps < 0:
            raise SpecError(f"the tolerance is {steps!r}", "a number of steps, 0 or more")
        self.quantized_tolerance = steps
        return self

    def WithDeviation(self, deviation: str) -> Example:
        """The expected outputs contradict the documentation, which they are judged by (an addition
        to Android's language). `deviation` is the heading in docs/deviations.md."""
        if not isinstance(deviation, str) or not deviation:
            raise SpecError(f"the deviation is {deviation!r}", "its name in docs/deviations.md")
        self.deviation = deviation
        return self

    # What Android 11's language adds.

    def DisableDynamicOutputShapeVariation(self) -> Example:
        """The tests are not run with unspecified output dimensions."""
        self.is_dynamic = False
        return self

    def DisableLifeTimeVariation(self) -> Example:
        """Says nothing here: no test has its inputs computed by operations of the reader's."""
        return self

    def ExpectFailure(self) -> Example:
        """The driver must refuse the model, or every execution must fail. The tests are not run
        with unspecified output dimensions."""
        self.expects_failure = True
        return self

    # What names and versions are otherwise derived (additions to Android's language).

    def WithName(self, name: str) -> Example:
        """The test name, in place of those of specification, model and example."""
        self.full_name = name
        return self

    def WithDynamicOutputShapeName(self, name: Optional[str]) -> Example:
        """The test name with unspecified output dimensions; None: not to be run like that."""
        self.dynamic_name = name
        return self

    def WithMinimumVersion(self, ver: Optional[str]) -> Example:
        """The lowest HAL version that can run the model, relaxed or not; None: not stated."""
        self.minimum_version = hal.check_version(ver)
        return self

    def WithSpecVersion(self, ver: Optional[str]) -> Example:
        """The version folder, in place of the one that the specification stands in."""
        self.spec_version = hal.check_version(ver)
        return self

    @property
    def has_stated_dynamic_name(self) -> bool:
        """Whether WithDynamicOutputShapeName was called."""
        return self.dynamic_name is not _UNSTATED

    def stated(self, value: Any, otherwise: Optional[str]) -> Optional[str]:
        """`value`, an attribute that one of the methods above states, or `otherwise`."""
        return otherwise if value is _UNSTATED else value

    def _pair(self, feed: Any, index: int) -> tuple[Feed, Feed]:
        if isinstance(feed, Mapping):
            inputs, outputs = self.model.inputs, self.model.outputs
            return (
                {operand: feed[operand] for operand in inputs if operand in feed},
                {operand: feed[operand] for operand in outputs if operand in feed},
            )
        is_pair = isinstance(feed, (list, tuple)) and len(feed) == 2
        if not is_pair or not all(isinstance(half, Mapping) for half in feed):
            raise SpecError(
                f"request {index} of the Example is {feed!r:.80}",
                "a dict of values, or a pair of dicts: inputs, outputs",
            )
        return (feed[0], feed[1])

    def _axis_and_rank(self, operands: Sequence[Operand]) -> tuple[int, int]:
        """The axis that the example has, counted from the start, and the rank of the tensors."""
        axis: Optional[int] = None
        ranks = set()
        for operand in operands:
            if operand.type.type == "INT32":
                axis = int(operand.value[0]) if operand.value else None
            else:
                ranks.add(len(operand.type.dimensions))
        if len(ranks) != 1:
            raise SpecError(f"tensors of the ranks {sorted(ranks)}", "tensors of one rank")
        rank = ranks.pop()
        if axis is not None and not -rank <= axis < rank:
            raise SpecError(f"axis {axis} of tensors of rank {rank}", "an axis of the tensors")
        return (rank - 1 if axis is None else axis % rank), rank

    def _add_axes(self, operands: Sequence[Operand], targets: Iterable[tuple[int, int]]) -> Example:
        """Adds a group of (target axis, number of first axes to drop) without a default."""
        origin, rank = self._axis_and_rank(operands)
        variations = [
            AxisConverter(origin, target, rank, range(drop)).Identify(operands)
            for target, drop in targets
        ]
        return self.AddVariations(*variations, includeDefault=False)
