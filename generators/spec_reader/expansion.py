# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Examples times variations: the test cases of a specification, with their names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Optional

from .bound import BoundModel, Feed, bind
from .errors import SpecError
from .example import Example
from .spec import Spec
from .variations import DynamicOutputShapeConverter, ModelVariation

# The documentation grants this specification's quantized outputs two steps, by its name.
_TWO_STEP_SPEC = "mobilenet_quantized"

# Android 11 makes these variations of every example by itself, and its specifications give versions
# to their tests. They only move inputs about, and are none of ours.
_ANDROID_11_VARIATIONS = ("_all_tensors_as_inputs", "_all_inputs_as_internal")


@dataclass
class Case:
    """One test case. The fields are those of TestCase in cases/test_case.capnp; a dynamic
    name of "" and versions of None stand for none. `line` is that of the Example."""

    name: str
    dynamic_name: str
    minimum_version: Optional[str]
    spec_version: Optional[str]
    model: BoundModel
    multinomial_tolerance: float
    quantized_tolerance: int
    deviation: str
    expects_failure: bool
    line: Optional[int]


def expand(spec: Spec) -> list[Case]:
    """The cases of the specification, in the order of its examples and their variations.

    A SpecError if a model, a request, a variation or a name is not right.
    """
    names = _Names()
    cases = [
        case
        for example, feeds in _combined(spec.examples)
        for case in _cases_of(spec, example, feeds, names)
    ]
    for name, (_, line) in spec.version_overrides.items():
        is_android_11 = any(variation in name for variation in _ANDROID_11_VARIATIONS)
        if name not in names.taken and not is_android_11:
            spec.warn(f"SetVersion of {name}, but no test is called that", line)
    return cases


class _Names:
    """The test names of a specification."""

    def __init__(self) -> None:
        self.taken: set[str] = set()

    def unique(self, *parts: Optional[str]) -> str:
        """The parts that are not empty, joined, with the first of _2, _3, ... that is needed."""
        name = "_".join(part for part in parts if part)
        unique, suffix = name, 1
        while unique in self.taken:
            suffix += 1
            unique = f"{name}_{suffix}"
        self.taken.add(unique)
        return unique

    def exactly(self, name: str, line: Optional[int]) -> str:
        """`name`; a SpecError if another test has it."""
        if name in self.taken:
            raise SpecError(f"two tests called {name}", "a name of its own for each", line)
        self.taken.add(name)
        return name


def _combined(examples: list[Example]) -> Iterator[tuple[Example, list[tuple[Feed, Feed]]]]:
    """The examples with their requests; equal examples of one model are one with the requests of
    all. Android never finds examples equal that are also run with dynamic output shapes."""
    groups: dict[object, list[Example]] = {}
    for example in examples:
        key: object = example
        if not example.is_dynamic:
            variations = tuple(tuple(group) for group in example.groups)
            judged = (
                example.multinomial_tolerance,
                example.quantized_tolerance,
                example.deviation,
                example.expects_failure,
            )
            key = (example.model, example.name, example.full_name, variations, judged)
        groups.setdefault(key, []).append(example)
    for same in groups.values():
        yield same[0], [feed for example in same for feed in example.feeds]


def _cases_of(
    spec: Spec, example: Example, feeds: list[tuple[Feed, Feed]], names: _Names
) -> Iterator[Case]:
    variants = list(_variants(bind(example.model, feeds, example.line), example.groups))
    stated_names = [example.full_name, *([example.dynamic_name] * example.has_stated_dynamic_name)]
    for name in stated_names:
        if name is not None and len(variants) > 1:
            raise SpecError(
                f"the name {name} for {len(variants)} tests", "one variation alone", example.line
            )
    prefix = (spec.name, example.model.name, example.name)
    # Android varies the output shape first of all, so every static name comes before every
    # dynamic one. That decides which of several equal names get a number.
    static_names = [
        names.unique(*prefix, *parts)
        if example.full_name is None
        else names.exactly(example.full_name, example.line)
        for _, parts in variants
    ]
    if example.has_stated_dynamic_name:
        stated = example.dynamic_name or ""
        dynamic_names = [names.exactly(stated, example.line) if stated else ""] * len(variants)
    elif example.is_dynamic and not example.expects_failure:
        prefix = prefix if example.full_name is None else (example.full_name, None, None)
        dynamic = DynamicOutputShapeConverter.NAME
        dynamic_names = [names.unique(*prefix, dynamic, *parts) for _, parts in variants]
    else:
        dynamic_names = [""] * len(variants)
    for (model, _), name, dynamic_name in zip(variants, static_names, dynamic_names):
        override = spec.version_overrides.get(name)
        version = override[0] if override is not None else example.model.version
        yield Case(
            name=name,
            dynamic_name=dynamic_name,
            minimum_version=example.stated(
                example.minimum_version, None if model.is_relaxed else version
            ),
            spec_version=example.stated(example.spec_version, spec.version),
            model=model,
            multinomial_tolerance=example.multinomial_tolerance,
            quantized_tolerance=_quantized_tolerance(spec, example),
            deviation=example.deviation,
            expects_failure=example.expects_failure,
            line=example.line,
        )


def _variants(
    model: BoundModel, groups: list[list[ModelVariation]]
) -> Iterator[tuple[BoundModel, list[str]]]:
    """The product of the groups in order: each model with the names of its variations."""
    if not groups:
        yield model, []
        return
    for variation in groups[0]:
        name = variation.default_name() if variation.name is None else variation.name
        for variant, names in _variants(variation.apply(model), groups[1:]):
            yield variant, [name, *names]


def _quantized_tolerance(spec: Spec, example: Example) -> int:
    if example.quantized_tolerance is not None:
        return example.quantized_tolerance
    return 2 if spec.name == _TWO_STEP_SPEC else 1
