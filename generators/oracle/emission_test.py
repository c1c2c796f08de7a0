# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of cases as JSON and as files."""

from __future__ import annotations

import base64
import os
import shutil
import struct
import subprocess
import tempfile
import unittest
from typing import Any

import numpy as np

from generators.oracle import emission, families
from generators.oracle.operands import (
    FLOAT16,
    FLOAT32,
    QUANT8,
    Output,
    Role,
    channel_quantization,
    int32,
    int32s,
    integers,
    quantization,
    tensor,
)
from generators.oracle.registry import Case, Cases, operation_names
from generators.spec_reader import hal

_CAPNP = shutil.which("capnp") or "/usr/bin/capnp"


def _data(text: str, form: str) -> tuple[Any, ...]:
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // struct.calcsize(form)}{form}", data)


class EmissionTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        families.load()

    def _case(self, operation: str, *arguments: Any) -> Case:
        made = Cases(operation)
        made.add("test", *arguments)
        return made.made[0]

    def test_a_case_has_model_example_and_answers(self) -> None:
        inputs = [FLOAT32.make([1.0, 2.5]), FLOAT32.make([0.1]), int32(0)]
        written = emission.case_json(self._case("ADD", inputs, [FLOAT32.output()]))
        test_case = written["testCase"]
        self.assertEqual(test_case["name"], "ADD_test")
        self.assertEqual(test_case["dynamicOutputShapeName"], "")
        model = test_case["model"]
        self.assertEqual(model["inputIndexes"], [0, 1])
        self.assertEqual(model["outputIndexes"], [3])
        self.assertEqual(model["operations"], [{"type": 0, "inputs": [0, 1, 2], "outputs": [3]}])
        example = test_case["examples"][0]
        self.assertEqual(_data(example["inputs"][0]["data"], "f"), (1.0, 2.5))
        # 0.1 in single precision, and what it makes of the sums.
        tenth = 0.10000000149011612
        self.assertEqual(_data(written["answers"][0]["values"], "d"), (1 + tenth, 2.5 + tenth))
        self.assertEqual(_data(written["answers"][0]["magnitudes"], "d"), (1 + tenth, 2.5 + tenth))
        rounded = np.array([1 + tenth, 2.5 + tenth]).astype(np.float32)
        self.assertEqual(_data(example["outputs"][0]["data"], "f"), tuple(rounded.tolist()))
        self.assertEqual(written["comparison"], "elements")

    def test_constants_and_quantization_are_part_of_the_model(self) -> None:
        operand = tensor(QUANT8.tensor, [[0.0, 1.0]], quantization(0.5, 7), Role.CONSTANT)
        case = self._case("RESHAPE", [operand, int32s([2])], [QUANT8.output(quantization(0.5, 7))])
        model = emission.case_json(case)["testCase"]["model"]
        self.assertEqual(model["inputIndexes"], [])
        self.assertEqual([each["scale"] for each in model["operands"]], [0.5, 0.0, 0.5])
        self.assertEqual([each["zeroPoint"] for each in model["operands"]], [7, 0, 7])
        self.assertEqual(model["operands"][0]["lifetime"], "constantCopy")

    def test_scales_by_channel_are_stated_or_not(self) -> None:
        weights = integers(
            "TENSOR_QUANT8_SYMM_PER_CHANNEL", np.ones((2, 3)), channel_quantization([0.5, 2.0], 0)
        )
        written = emission.case_json(self._case("DEQUANTIZE", [weights], [FLOAT32.output()]))
        operand = written["testCase"]["model"]["operands"][0]
        self.assertEqual(
            operand["extraParams"], {"channelQuant": {"scales": [0.5, 2.0], "channelDim": 0}}
        )
        self.assertEqual(_data(written["answers"][0]["values"], "d"), (0.5,) * 3 + (2.0,) * 3)
        hidden = integers("INT32", 8, quantization(0.5, 2, stated=False), Role.CONSTANT)
        values = tensor(QUANT8.tensor, [1.0], quantization(0.5, 2))
        case = self._case(
            "PAD_V2",
            [values, int32s([[1, 0]]), hidden],
            [QUANT8.output(quantization(0.5, 2))],
        )
        written = emission.case_json(case)
        self.assertEqual(written["testCase"]["model"]["operands"][2]["scale"], 0.0)
        self.assertEqual(_data(written["answers"][0]["values"], "d"), (3.0, 1.0))

    def test_operands_are_left_out_by_model_or_request(self) -> None:
        for omitted, inputs in ((FLOAT16.omitted(), 4), (FLOAT16.omitted(1), 5)):
            tensors = [FLOAT16.make(np.ones(shape)) for shape in ((1, 2), (1, 2), (1, 3))]
            state = FLOAT16.make(np.ones((1, 3)))
            operands = [*tensors, omitted, state, int32(1), int32(0)]
            case = self._case("SVDF", operands, [FLOAT16.output()] * 2)
            test_case = emission.case_json(case)["testCase"]
            self.assertEqual(len(test_case["model"]["inputIndexes"]), inputs)
            given = test_case["examples"][0]["inputs"]
            self.assertEqual([each["hasNoValue"] for each in given].count(True), inputs - 4)
            lifetime = test_case["model"]["operands"][3]["lifetime"]
            self.assertEqual(lifetime, "noValue" if inputs == 4 else "modelInput")

    def test_samples_are_expected_to_follow_a_distribution(self) -> None:
        inputs = [FLOAT32.make([[0.0, 0.0]]), int32(400), int32s([1, 2], Role.INPUT)]
        case = self._case("RANDOM_MULTINOMIAL", inputs, [Output("TENSOR_INT32")])
        written = emission.case_json(case)
        self.assertEqual(written["comparison"], "distribution")
        self.assertEqual(_data(written["answers"][0]["values"], "d"), (0.5, 0.5))
        self.assertEqual(written["testCase"]["multinomialDistributionTolerance"], 0.1)
        self.assertEqual(written["testCase"]["examples"][0]["outputs"][0]["dimensions"], (1, 400))

    def test_a_file_holds_the_cases(self) -> None:
        case = self._case("ABS", [FLOAT32.make([-2.0])], [FLOAT32.output()])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cases")
            emission.write_cases([case, case], path, _CAPNP)
            command = [_CAPNP, "convert", "binary:text", emission.SCHEMA, "OracleFile"]
            with open(path, "rb") as file:
                text = subprocess.run(command, stdin=file, capture_output=True, check=True).stdout
        self.assertEqual(text.count(b'name = "ABS_test"'), 2)

    def test_a_failing_tool_is_an_error(self) -> None:
        with self.assertRaises(RuntimeError):
            emission.write_cases([], os.devnull, "/bin/false")


class OperationsTest(unittest.TestCase):
    def test_every_operation_of_the_hal_has_a_formula(self) -> None:
        families.load()
        known = {name for name in operation_names() if not name.startswith("TEST_")}
        self.assertEqual(known, set(hal.operations()) - {"OEM_OPERATION"})


if __name__ == "__main__":
    unittest.main()
