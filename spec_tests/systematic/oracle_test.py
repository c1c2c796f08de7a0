# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The outputs of systematic cases are those that the independent oracle gives.

What cases expect comes from the reference, and here NumPy computes it once more (docs/oracle.md):
every case of a single operation, but for those whose rows have no order, and samples.
"""

from __future__ import annotations

import base64
import json
import os
import pathlib
import subprocess
import unittest
from collections.abc import Iterator
from typing import Any, Final, Optional

import numpy as np

from generators.oracle import families, operands, registry
from generators.oracle.operands import Array, Operand, Quantization, Role, Stored
from generators.oracle.registry import Comparison, Result
from generators.spec_reader import hal

_CASES: Final = pathlib.Path("spec_tests/systematic")
_SCHEMA: Final = pathlib.Path("cases/test_case.capnp")

# Halves and floats are rounded to the nearest; of quantized elements either neighbour will do where
# the answer is so close to a tie.
_HALF_STEPS: Final = {"TENSOR_FLOAT32": 2.0**-24, "TENSOR_FLOAT16": 2.0**-11}
_LEAST: Final = {"TENSOR_FLOAT32": 2.0**-149, "TENSOR_FLOAT16": 2.0**-24}
_SLACK: Final = 1e-10

# How far apart the cases are that are computed: all of them take half a minute.
_STRIDE: Final = int(os.environ.get("NNCERT_ORACLE_STRIDE", "8"))

_Json = dict[str, Any]


def _cases() -> Iterator[_Json]:
    for path in sorted(_CASES.glob("*.case")):
        command = ["capnp", "convert", "binary:json", str(_SCHEMA), "CaseFile"]
        with path.open("rb") as file:
            text = subprocess.run(command, stdin=file, stdout=subprocess.PIPE, check=True).stdout
        yield from json.loads(text)["cases"]


class _Case:
    """A case of one operation, with its operands."""

    def __init__(self, case: _Json) -> None:
        self.name: str = case["name"]
        self._model: _Json = case["model"]
        self._types = {element.code: name for name, element in hal.operand_types().items()}
        operations = {code: name for name, code in hal.operations().items()}
        (operation,) = self._model["operations"]
        self.operation = operations[operation["type"]]
        self._example: _Json = case["examples"][0]
        self.inputs = [self._operand(index) for index in operation["inputs"]]
        self._scale_bias()
        self.outputs = [int(index) for index in operation["outputs"]]

    def type_of(self, index: int) -> str:
        return self._types[self._model["operands"][index]["type"]]

    def quantization_of(self, index: int) -> Quantization:
        operand = self._model["operands"][index]
        channels = operand.get("extraParams", {}).get("channelQuant")
        if channels is not None:
            return operands.channel_quantization(channels["scales"], channels.get("channelDim", 0))
        scale = operand.get("scale", 0)
        return (
            operands.quantization(scale, operand.get("zeroPoint", 0)) if scale else operands.PLAIN
        )

    def expected(self, number: int) -> Optional[Stored]:
        """An output; None for one that is not compared."""
        index = self.outputs[number]
        place = self._model["outputIndexes"].index(index)
        output = self._example["outputs"][place]
        if output.get("ignored", False):
            return None
        return self._stored(index, output.get("data", ""), output.get("dimensions", []))

    def _stored(self, index: int, data: str, dimensions: list[int]) -> Stored:
        dtype = operands.dtype_of(self.type_of(index))
        return np.frombuffer(base64.b64decode(data), dtype).reshape(dimensions)

    def _operand(self, index: int) -> Operand:
        operand = self._model["operands"][index]
        type_ = self.type_of(index)
        lifetime = operand.get("lifetime", "temporaryVariable")
        if lifetime == "noValue":
            return operands.omitted(type_)
        if lifetime == "modelInput":
            given = self._example["inputs"][self._model["inputIndexes"].index(index)]
            if given.get("hasNoValue", False):
                return operands.omitted(type_)
            stored = self._stored(index, given.get("data", ""), given.get("dimensions", []))
            return Operand(type_, stored, self.quantization_of(index), Role.INPUT)
        location = operand["location"]
        where = (
            self._model["operandValues"]
            if lifetime == "constantCopy"
            else self._model["pools"][location.get("poolIndex", 0)]["content"]
        )
        offset = location.get("offset", 0)
        content = base64.b64decode(where)[offset : offset + location.get("length", 0)]
        stored = np.frombuffer(content, operands.dtype_of(type_))
        dimensions = operand.get("dimensions", [])
        return Operand(
            type_, stored.reshape(dimensions), self.quantization_of(index), Role.CONSTANT
        )

    def _scale_bias(self) -> None:
        """Gives a bias beside a filter with a scale for each channel the scales that follow."""
        if len(self.inputs) < 3 or not self.inputs[1].quantization.channel_scales:
            return
        image, weights, bias = self.inputs[:3]
        scales = [image.quantization.scale * each for each in weights.quantization.channel_scales]
        parameters = Quantization(0.0, 0, tuple(scales), 0, stated=False)
        self.inputs[2] = Operand(bias.type, bias.stored, parameters, bias.role)


def _difference(
    stored: Stored, type_: str, parameters: Quantization, result: Result
) -> Optional[str]:
    """The first element that is not what it should be, and none where all are."""
    values = result.values
    # There are no tensors without dimensions.
    if values.ndim == 0:
        values = values.reshape(1)
    if stored.shape != values.shape:
        return f"dimensions {stored.shape}, expected {values.shape}"
    magnitudes = np.abs(values) if result.magnitudes is None else result.magnitudes
    is_open = np.isinf(magnitudes) & np.isfinite(values)
    slack = _SLACK * np.where(np.isfinite(magnitudes), magnitudes, 0)
    found = stored.astype(np.float64)
    with np.errstate(all="ignore"):
        if type_ in _HALF_STEPS:
            most = slack + _HALF_STEPS[type_] * (1 + 1e-9) * np.abs(values) + _LEAST[type_]
            is_right = np.abs(found - values) <= most
        elif operands.is_quantized(type_):
            steps = values / parameters.scales_for(values.ndim)
            close = slack / parameters.scales_for(values.ndim) + _SLACK * np.abs(steps)
            info = np.iinfo(stored.dtype)
            lowest = np.clip(
                np.ceil(steps - close - 0.5) + parameters.zero_point, info.min, info.max
            )
            highest = np.clip(
                np.floor(steps + close + 0.5) + parameters.zero_point, info.min, info.max
            )
            is_right = (found >= lowest) & (found <= highest)
        else:
            is_right = found == values
    wrong = np.argwhere(~(is_right | is_open | (np.isnan(found) & np.isnan(values))))
    if len(wrong) == 0:
        return None
    place = tuple(int(each) for each in wrong[0])
    return f"element {list(place)} is {found[place]}, expected {values[place]} in {type_}"


class SystematicCasesOracleTest(unittest.TestCase):
    def test_outputs_are_those_of_the_oracle(self) -> None:
        families.load()
        compared: set[tuple[str, str]] = set()
        count = 0
        wrong = []
        for case in list(_cases())[::_STRIDE]:
            if len(case["model"]["operations"]) != 1:
                continue
            made = _Case(case)
            if registry.comparison_of(made.operation) is not Comparison.ELEMENTS:
                continue
            with self.subTest(case=made.name):
                results = self._results(made)
                for number, result in enumerate(results):
                    stored = made.expected(number)
                    if stored is None:
                        continue
                    index = made.outputs[number]
                    difference = _difference(
                        stored, made.type_of(index), made.quantization_of(index), result
                    )
                    if difference is not None:
                        wrong.append(f"{made.name}: output {number}: {difference}")
            count += 1
            compared.add((made.operation, made.inputs[0].type))
        print(f"{count} cases, {len(compared)} pairs of operation and type, {len(wrong)} wrong")
        self.assertEqual(wrong[:20], [])
        self.assertGreater(len(compared), 200)

    def _results(self, made: _Case) -> tuple[Result, ...]:
        """What the oracle gives. Of three operations formulas do not take what operands hold."""
        operation, inputs = made.operation, made.inputs
        if operation == "CAST":
            output = made.outputs[0]
            (result,) = registry.results_of(operation, inputs, [made.type_of(output)])
            # It casts to the integers that elements are stored as.
            parameters = made.quantization_of(output)
            return (Result(operands.dequantize(result.values, parameters), result.magnitudes),)
        if operation == "LSH_PROJECTION":
            functions, items, weights, type_ = inputs
            given = weights.real if weights.is_given else None
            return registry.results_of(operation, [functions], [items, given, type_.stored.item()])
        if operation == "PAD_V2" and operands.is_quantized(inputs[0].type):
            # The value is an element of the first input.
            value = Operand(inputs[2].type, inputs[2].stored, inputs[0].quantization)
            return registry.results_of(operation, [*inputs[:2], value])
        return registry.results_of(operation, inputs)


if __name__ == "__main__":
    unittest.main()
