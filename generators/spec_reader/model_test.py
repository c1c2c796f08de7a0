# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of model.py: models as specifications state them."""

from __future__ import annotations

import unittest

from .testing import Json, error_of, read_one

PREAMBLE = """
t = ("TENSOR_FLOAT32", [1])
a, b, c = [Input(name, t) for name in "abc"]
x, y, z = [Internal(name, t) for name in "xyz"]
o, p = [Output(name, t) for name in "op"]
feed = {a: [1], b: [2], c: [3], o: [4], p: [5]}
"""


def model_of(source: str) -> Json:
    """The model of the one example after PREAMBLE."""
    model: Json = read_one(PREAMBLE + source + "\nExample(feed)")["model"]
    return model


def operations_of(source: str) -> list[tuple[list[int], list[int]]]:
    """The inputs and outputs of the operations."""
    operations = model_of(source)["operations"]
    return [(operation["inputs"], operation["outputs"]) for operation in operations]


class OperandOrderTest(unittest.TestCase):
    def test_operands_are_numbered_by_first_appearance(self) -> None:
        source = 'Model().Operation("ADD", b, a, 0).To(x).Operation("ADD", x, b, 0).To(o)'
        self.assertEqual(operations_of(source), [([0, 1, 2], [3]), ([3, 0, 4], [5])])
        model = model_of(source)
        self.assertEqual(model["inputIndexes"], [0, 1])
        self.assertEqual(model["outputIndexes"], [5])

    def test_outputs_may_be_a_list(self) -> None:
        for outputs in ("o, p", "[o, p]", "(o, p)"):
            source = f'Model().Operation("SPLIT", a, 0, 2).To({outputs})'
            self.assertEqual(operations_of(source), [([0, 1, 2], [3, 4])])

    def test_declared_operands_come_first(self) -> None:
        model = model_of(
            """
Model().DeclareOperands(p, x, o).DeclareOperands([c]).Operation("ADD", a, b, 0).To(o)
"""
        )
        self.assertEqual(model["operations"][0], {"type": 0, "inputs": [4, 5, 6], "outputs": [2]})
        self.assertEqual(len(model["operands"]), 7)
        self.assertEqual((model["inputIndexes"], model["outputIndexes"]), ([3, 4, 5], [0, 2]))

    def test_inputs_and_outputs_may_be_stated(self) -> None:
        model = model_of(
            """
model = Model().Operation("ADD", a, b, 0).To(o, p)
model.IdentifyInputsAndOutputs([b, a], [p, o])
"""
        )
        self.assertEqual((model["inputIndexes"], model["outputIndexes"]), ([1, 0], [4, 3]))


class OperationOrderTest(unittest.TestCase):
    def test_operations_follow_what_they_need(self) -> None:
        source = """
model = Model()
model.Operation("ADD", x, y, 0).To(o)
model.Operation("EXP", a).To(y)
model.Operation("LOG", b).To(x)
"""
        # By the number of the operand, x before y, and not by the order of the operations.
        codes = [operation["type"] for operation in model_of(source)["operations"]]
        self.assertEqual(codes, [60, 49, 0])

    def test_stated_order_is_kept_if_it_can_be_executed(self) -> None:
        source = """
model = Model()
model.Operation("LOG", b).To(x)
model.Operation("EXP", a).To(y)
model.Operation("ADD", y, x, 0).To(o)
"""
        codes = [operation["type"] for operation in model_of(source)["operations"]]
        self.assertEqual(codes, [60, 49, 0])

    def test_long_chains_are_sorted(self) -> None:
        source = """
inner = [Internal("i", t) for _ in range(3000)]
model = Model().Operation("EXP", inner[-1]).To(o)
for k in reversed(range(2999)):
    model.Operation("EXP", inner[k]).To(inner[k + 1])
model.Operation("EXP", a).To(inner[0])
"""
        operations = operations_of(source)
        self.assertEqual(len(operations), 3001)
        for (_, outputs), (inputs, _) in zip(operations, operations[1:]):
            self.assertEqual(outputs, inputs)

    def test_cycles_are_errors(self) -> None:
        error = error_of(
            PREAMBLE
            + """
model = Model()
model.Operation("ADD", a, x, 0).To(y)
model.Operation("EXP", y).To(x, o)
Example(feed)
"""
        )
        self.assertEqual(
            error, "9: operation ADD needs its own result; expected a graph without cycles"
        )


class ModelTest(unittest.TestCase):
    def test_consumers_count_every_use(self) -> None:
        model = model_of('Model().Operation("ADD", a, a, 0).To(x).Operation("ADD", x, a, 0).To(o)')
        consumers = [operand["numberOfConsumers"] for operand in model["operands"]]
        self.assertEqual(consumers, [3, 1, 1, 1, 0])

    def test_relaxed_execution(self) -> None:
        for argument, relaxed in (("True", True), ("False", False)):
            source = f'Model().Operation("EXP", a).To(o).RelaxedExecution({argument})'
            self.assertIs(model_of(source)["relaxComputationFloat32toFloat16"], relaxed)

    def test_extension_operations_have_a_number(self) -> None:
        model = model_of("Model().Operation(0x10005, a).To(o)")
        self.assertEqual(model["operations"][0]["type"], 0x10005)

    def test_mistakes_are_errors_of_their_line(self) -> None:
        for statement, message in (
            ('Model().Operation("AD", a)', "unknown operation 'AD'"),
            ("Model().To(o)", "To() without an operation"),
            ('Model().Operation("EXP", a).To(1)', "1 is not an operand"),
            ('Model().Operation("EXP", a).To(None)', "None is not an operand"),
            ('Model().IntroducedIn("V2_0")', "unknown HAL version 'V2_0'"),
        ):
            with self.subTest(statement):
                error = error_of(f"{PREAMBLE}\n{statement}")
                self.assertTrue(error.startswith(f"8: {message}"), error)
