# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases as JSON in the form of oracle_cases.capnp, and as files.

Models and requests take the way of every specification: through the spec reader's language.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Sequence
from typing import Any, Final, Optional

import numpy as np

from generators.spec_reader import emit
from generators.spec_reader.example import Example
from generators.spec_reader.expansion import expand
from generators.spec_reader.hal import WORKSPACE
from generators.spec_reader.model import Model
from generators.spec_reader.operands import (
    Input,
    NoValue,
    Omitted,
    Operand as SpecOperand,
    Output as SpecOutput,
    Parameter,
    SymmPerChannelQuantParams,
    Value,
)
from generators.spec_reader.spec import Spec
from generators.spec_reader.storage import Bytes

from .operands import Array, Operand, Output, Quantization, Role, Stored, store
from .registry import Case, Comparison, Result

SCHEMA: Final = os.path.join(WORKSPACE, "generators", "oracle", "oracle_cases.capnp")


def case_json(case: Case) -> emit.Json:
    """An OracleCase as JSON."""
    return {
        "testCase": _test_case_json(case),
        "answers": [_answer_json(result) for result in case.results],
        "comparison": case.comparison.value,
    }


def write_cases(cases: Sequence[Case], path: str, capnp: str) -> None:
    """Writes an OracleFile, by the program `capnp`. The same cases give the same bytes.

    An OSError if the file cannot be written, a RuntimeError with the program's words if it fails.
    """
    text = json.dumps({"cases": [case_json(case) for case in cases]})
    command = [capnp, "convert", "json:binary", SCHEMA, "OracleFile"]
    result = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {result.stderr.decode(errors='replace')}")
    # Nobody ever sees half a file.
    unfinished = f"{path}.unfinished"
    with open(unfinished, "wb") as file:
        file.write(result.stdout)
    os.replace(unfinished, path)


def _test_case_json(case: Case) -> emit.Json:
    spec = Spec(f"{case.name}.mod.py", None)
    with spec.reading():
        feed: dict[SpecOperand, Any] = {}
        inputs = [
            _declare_input(number, operand, feed) for number, operand in enumerate(case.inputs)
        ]
        outputs = [
            _declare_output(number, output, case, feed)
            for number, output in enumerate(case.outputs)
        ]
        model = Model().Operation(case.operation, *inputs).To(outputs)
        example = Example(feed, model=model).WithName(case.name).WithDynamicOutputShapeName(None)
        if case.comparison is Comparison.DISTRIBUTION:
            # What a driver is granted that runs the case: four standard deviations of a frequency,
            # which is at most half of one over the root of the number of samples.
            samples = case.inputs[1].stored.item()
            example.WithMultinomialDistributionTolerance(2 / samples**0.5)
        return emit.case_json(expand(spec)[0])


def _declare_input(number: int, operand: Operand, feed: dict[SpecOperand, Any]) -> SpecOperand:
    name = f"input{number}"
    # A tensor that the model leaves out has no rank. The dimensions of one that only the request
    # leaves out are 0, unknown.
    dimensions = [] if operand.role is Role.OMITTED else operand.dimensions
    type_ = _type(operand.type, dimensions, operand.quantization)
    extra = _extra_params(operand.quantization)
    if operand.role is Role.OMITTED:
        return NoValue(name, type_, extraParams=extra)
    if operand.role is Role.CONSTANT:
        return Parameter(name, type_, _bytes(operand.stored), extraParams=extra)
    declared = Input(name, type_, extraParams=extra)
    feed[declared] = Omitted
    if operand.is_given:
        feed[declared] = Value(dimensions, _bytes(operand.stored))
    return declared


def _declare_output(
    number: int, output: Output, case: Case, feed: dict[SpecOperand, Any]
) -> SpecOperand:
    parameters = output.quantization
    assert parameters is not None
    result = case.results[number]
    values = result.values
    dimensions = list(values.shape)
    declared_dimensions = dimensions
    if case.comparison is Comparison.GROUPED_ROWS:
        # How many boxes there will be is not for the model to know.
        declared_dimensions = [0, *dimensions[1:]]
    elif case.comparison is Comparison.DISTRIBUTION:
        # The answer is a distribution; as a test case, any samples do.
        dimensions = declared_dimensions = [dimensions[0], case.inputs[1].stored.item()]
        values = np.zeros(dimensions)
    declared = SpecOutput(f"output{number}", _type(output.type, declared_dimensions, parameters))
    feed[declared] = Value(dimensions, _bytes(store(output.type, values, parameters)))
    return declared


def _type(name: str, dimensions: list[int], parameters: Quantization) -> tuple[Any, ...]:
    if not parameters.stated:
        return (name, dimensions)
    return (name, dimensions, parameters.scale, parameters.zero_point)


def _extra_params(parameters: Quantization) -> Optional[SymmPerChannelQuantParams]:
    if not parameters.stated or not parameters.channel_scales:
        return None
    return SymmPerChannelQuantParams(
        channelDim=parameters.channel_dimension, scales=parameters.channel_scales
    )


def _bytes(stored: Stored) -> Bytes:
    return Bytes(stored.tobytes().hex())


def _answer_json(result: Result) -> emit.Json:
    magnitudes = result.magnitudes
    return {
        "values": _doubles_json(result.values),
        "magnitudes": "" if magnitudes is None else _doubles_json(magnitudes),
    }


def _doubles_json(values: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(values, "<f8").tobytes()).decode("ascii")
