# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of emit.py: cases as JSON and as case files."""

from __future__ import annotations

import base64
import json
import math
import os
import struct
import subprocess
import tempfile
import unittest
from typing import Any

from . import emit
from .evaluate import read_spec
from .testing import ADD, Json, constant, numbers, read_one, write_spec

CONSTANTS = """
b = Parameter("b", ("TENSOR_BOOL8", [3]), [True, False, True])
h = Parameter("h", ("TENSOR_FLOAT16", [1]), [1])
c = BoolScalar("c", True)
f = Parameter("f", ("TENSOR_FLOAT32", [2]), [1, 2])
e = Parameter("e", ("TENSOR_INT32", [0]), [])
y = IgnoredOutput("y", ("TENSOR_FLOAT32", [1]))
Model().Operation("ADD", b, h, c, f, e).To(y)
Example(({}, {}))
"""


def locations(case: Json) -> list[tuple[int, ...]]:
    return [tuple(operand["location"].values()) for operand in case["model"]["operands"]]


def case_file(source: str) -> Any:
    """The case file of a specification, as the tool of Cap'n Proto prints it."""
    with tempfile.TemporaryDirectory() as folder:
        _, cases = read_spec(write_spec(folder, source))
        path = os.path.join(folder, "sample.case")
        emit.write_case_file("sample.mod.py", cases, path, "capnp")
        with open(path, "rb") as file:
            command = ["capnp", "convert", "binary:json", emit.SCHEMA, "CaseFile"]
            return json.loads(subprocess.run(command, stdin=file, capture_output=True).stdout)


class ConstantsTest(unittest.TestCase):
    def test_values_are_aligned_to_their_elements(self) -> None:
        case = read_one(CONSTANTS)
        expected = [(0, 0, 3), (0, 4, 2), (0, 6, 1), (0, 8, 8), (0, 16, 0), (0, 0, 0)]
        self.assertEqual(locations(case), expected)
        values = base64.b64decode(case["model"]["operandValues"]).hex()
        self.assertEqual(values, "01000100003c01000000803f00000040")
        self.assertEqual(case["model"]["pools"], [])

    def test_shared_memory_is_one_pool(self) -> None:
        case = read_one("Configuration.use_shm_for_weights = True" + CONSTANTS)
        self.assertEqual(case["model"]["operandValues"], "")
        (pool,) = case["model"]["pools"]
        self.assertEqual(pool["name"], "ashmem")
        self.assertEqual(
            base64.b64decode(pool["content"]).hex(), "01000100003c01000000803f00000040"
        )
        self.assertEqual(locations(case)[3], (0, 8, 8))

    def test_flag_counts_when_a_parameter_is_constructed(self) -> None:
        source = """
a = Int32Scalar("a", 1)
Configuration.use_shm_for_weights = True
b = Int32Scalar("b", 2)
Configuration.use_shm_for_weights = False
y = IgnoredOutput("y", ("TENSOR_FLOAT32", [1]))
Model().Operation("ADD", a, b, 3).To(y)
Example(({}, {}))
"""
        case = read_one(source)
        lifetimes = [operand["lifetime"] for operand in case["model"]["operands"]]
        expected = ["constantCopy", "constantReference", "constantCopy", "modelOutput"]
        self.assertEqual(lifetimes, expected)
        self.assertEqual([constant(case, number)[0] for number in range(3)], [1, 2, 3])


class CaseFileTest(unittest.TestCase):
    def test_holds_what_the_json_says(self) -> None:
        source = """
t = ("TENSOR_QUANT8_ASYMM", [1, 2], 0.1, 7)
channels = SymmPerChannelQuantParams(channelDim=1, scales=[0.5, 0.1])
x, z, y = Input("x", t), Input("z", t), Output("y", t)
p = Parameter("p", ("TENSOR_QUANT8_SYMM_PER_CHANNEL", [1, 2]), [-1, 1], extraParams=channels)
Model().Operation("ADD", x, z, p, NoValue("n", ("TENSOR_INT32", [0])), 3).To(y)
example = Example({x: [1, 2], z: [], y: [3, 4]}).WithMultinomialDistributionTolerance(0.5)
example.WithDeviation("ADD-ä")
"""
        actual = case_file(source)
        self.assertEqual(actual["origin"], "sample.mod.py")
        (case,) = actual["cases"]
        self.assertEqual(case["name"], "sample")
        self.assertEqual(case["dynamicOutputShapeName"], "sample_dynamic_output_shape")
        self.assertEqual(case["minimumVersion"], "unspecified")
        self.assertEqual(case["multinomialDistributionTolerance"], 0.5)
        self.assertEqual(case["quantizedTolerance"], 1)
        self.assertEqual(case["deviation"], "ADD-ä")
        operands = case["model"]["operands"]
        self.assertEqual([o["type"] for o in operands], [5, 5, 11, 4, 1, 5])
        self.assertEqual(
            [o["lifetime"] for o in operands][2:5], ["constantCopy", "noValue", "constantCopy"]
        )
        self.assertEqual((operands[0]["dimensions"], operands[0]["zeroPoint"]), ([1, 2], 7))
        single = struct.unpack("f", struct.pack("f", 0.1))[0]
        self.assertEqual(operands[0]["scale"], single)
        channel = {"scales": [0.5, single], "channelDim": 1}
        self.assertEqual(operands[2]["extraParams"], {"channelQuant": channel})
        operation = {"type": 0, "inputs": [0, 1, 2, 3, 4], "outputs": [5]}
        self.assertEqual(case["model"]["operations"], [operation])
        (example,) = case["examples"]
        self.assertTrue(example["inputs"][1]["hasNoValue"])
        self.assertEqual(numbers(example["outputs"][0], "B"), [3, 4])

    def test_floats_that_json_cannot_say_are_kept(self) -> None:
        source = """
t = ("TENSOR_FLOAT32", [1], float("inf"))
x, y = Input("x", t), Output("y", ("TENSOR_FLOAT32", [1], float("nan")))
Model().Operation("EXP", x).To(y)
Example({x: [1], y: [1]})
"""
        operands = case_file(source)["cases"][0]["model"]["operands"]
        self.assertEqual([operand["scale"] for operand in operands], ["Infinity", "NaN"])

    def test_failure_of_the_tool_is_an_error_and_leaves_no_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            _, cases = read_spec(write_spec(folder, ADD + "Example(values)"))
            path = os.path.join(folder, "sample.case")
            with self.assertRaises(OSError):
                emit.write_case_file("sample", cases, path, os.path.join(folder, "no_such_tool"))
            with self.assertRaises(RuntimeError):
                emit.write_case_file("sample", cases, path, "/bin/false")
            self.assertFalse(os.path.exists(path))


class ReadBackTest(unittest.TestCase):
    """What a program that writes specifications of failing cases relies on."""

    def test_floats_are_read_exactly(self) -> None:
        doubles = [1e-45, 3.4028234663852886e38, 0.1, 1 / 3, -0.0, math.inf, -math.inf]
        storage = struct.pack("<7f", *doubles)
        singles = struct.unpack("<7f", storage)
        for literal in (lambda v: f"float({str(v)!r})", lambda v: f"float.fromhex({v.hex()!r})"):
            source = f"""
x = Parameter("x", ("TENSOR_FLOAT32", [7]), [{", ".join(map(literal, singles))}])
y = IgnoredOutput("y", ("TENSOR_FLOAT32", [7]))
Model().Operation("EXP", x).To(y)
Example(({{}}, {{}}))
"""
            self.assertEqual(constant(read_one(source), 0), storage)

    def test_nan_is_read_as_a_nan(self) -> None:
        source = ADD + "Example({**values, a: [float('nan'), math.nan]})"
        values = numbers(read_one(source)["examples"][0]["inputs"][0], "f")
        self.assertTrue(all(math.isnan(value) for value in values))

    def test_whole_case_can_be_said_explicitly(self) -> None:
        source = """
op0 = Input("op0", ("TENSOR_FLOAT32", [0, 2]))
op1 = Input("op1", ("FLOAT32", []))
op2 = NoValue("op2", ("TENSOR_INT32", [0]))
Configuration.use_shm_for_weights = True
op3 = Parameter("op3", ("TENSOR_FLOAT32", [1]), [float("nan")])
Configuration.use_shm_for_weights = False
op4 = Parameter("op4", ("INT32", []), [2])
op5 = Internal("op5", ("TENSOR_FLOAT32", []))
op6 = Output("op6", ("TENSOR_FLOAT32", [0]))
op7 = IgnoredOutput("op7", ("TENSOR_FLOAT32", [0]))
op8 = Internal("op8", ("TENSOR_FLOAT32", [5]))
model = Model().DeclareOperands(op0, op1, op2, op3, op4, op5, op6, op7, op8)
model.IdentifyInputsAndOutputs([op1, op0], [op7, op6])
model.Operation("ADD", op0, op1, op2).To(op5).Operation(4711, op5, op3, op4).To(op6, op7)
model.RelaxedExecution(True)
example = Example((
    {op0: Value(dimensions=[3, 2], values=[1, 2, 3, 4, 5, 6]), op1: Omitted},
    {op6: Value(dimensions=[2], values=[1, 2]), op7: Value(dimensions=[7])},
), model=model).WithName("other").WithDynamicOutputShapeName(None)
example.WithMinimumVersion("V1_1").WithSpecVersion(None)
example.WithQuantizedTolerance(2).WithMultinomialDistributionTolerance(0.5)
"""
        case = read_one(source)
        model = case["model"]
        self.assertEqual((case["name"], case["dynamicOutputShapeName"]), ("other", ""))
        self.assertEqual((case["minimumVersion"], case["specVersion"]), ("v11", "unspecified"))
        self.assertEqual(
            (case["quantizedTolerance"], case["multinomialDistributionTolerance"]), (2, 0.5)
        )
        self.assertEqual((model["inputIndexes"], model["outputIndexes"]), ([1, 0], [7, 6]))
        self.assertEqual([o["type"] for o in model["operations"]], [0, 4711])
        self.assertEqual(len(model["operands"]), 9)
        (example,) = case["examples"]
        self.assertEqual([v["hasNoValue"] for v in example["inputs"]], [True, False])
        self.assertEqual(example["inputs"][1]["dimensions"], (3, 2))
        self.assertEqual([v["dimensions"] for v in example["outputs"]], [(7,), (2,)])
        self.assertEqual([v["ignored"] for v in example["outputs"]], [True, False])
