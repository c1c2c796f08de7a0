# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of bound.py: what requests give and expect."""

from __future__ import annotations

import unittest

from .testing import ADD, error_of, numbers, read, read_one, read_with_spec

OPTIONAL = """
a = Input("a", ("TENSOR_FLOAT32", [2]))
b = Input("b", ("TENSOR_FLOAT32", {dimensions}))
c = Output("c", ("TENSOR_FLOAT32", {dimensions}))
Model().Operation("ADD", a, b, 0).To(c)
"""


class FeedTest(unittest.TestCase):
    def test_dict_and_pair_say_the_same(self) -> None:
        expected = read_one(ADD + "Example(values)")
        pair = "Example(({a: [1, 2], b: [3, 4]}, {c: [4, 6]}))"
        self.assertEqual(read_one(ADD + pair), expected)
        (example,) = expected["examples"]
        self.assertEqual([numbers(v, "f") for v in example["inputs"]], [[1, 2], [3, 4]])
        self.assertEqual([numbers(v, "f") for v in example["outputs"]], [[4, 6]])
        self.assertEqual(example["inputs"][0]["dimensions"], (2,))

    def test_several_feeds_are_several_requests(self) -> None:
        examples = read_one(ADD + "Example(values, {**values, c: [5, 6]}, values)")["examples"]
        outputs = [numbers(example["outputs"][0], "f") for example in examples]
        self.assertEqual(outputs, [[4, 6], [5, 6], [4, 6]])

    def test_single_numbers_need_no_list(self) -> None:
        case = read_one(ADD.replace("{2}", "{1}") + "Example({a: 1, b: 2.0, c: (3,)})")
        self.assertEqual(numbers(case["examples"][0]["inputs"][1], "f"), [2.0])

    def test_mistakes_are_errors_of_the_example(self) -> None:
        for feed, message in (
            ("{a: [1, 2], b: [3, 4]}", "request 0 has no value for Output 'c'"),
            ("({a: [1, 2]}, {c: [4, 6]})", "request 0 has no value for Input 'b'"),
            ("values, {**values, a: [1]}", "Input 'a' in request 1 has 1 value; expected 2 for"),
            ("{**values, c: []}", "Output 'c' in request 0 has 0 values; expected 2 for"),
            ("{**values, c: Omitted}", "Output 'c' in request 0 is Omitted"),
            ("{**values, a: [[1, 2]]}", "Input 'a' in request 0: element 0 of the value is [1, 2]"),
            ("values, [1, 2, 3]", "request 1 of the Example is [1, 2, 3]"),
            ("({'a': [1]}, {})", "request 0 has a value for 'a'"),
        ):
            with self.subTest(feed):
                error = error_of(f"{ADD}\n\nExample({feed})\n\n")
                self.assertTrue(error.startswith(f"9: {message}"), error)
                self.assertIn("; expected ", error)

    def test_values_for_strangers_are_worth_a_warning(self) -> None:
        source = 'Example({**values, Input("d", ("INT32", [])): 1})'
        spec, cases = read_with_spec(ADD + source)
        self.assertEqual(len(cases), 1)
        self.assertEqual(len(spec.warnings), 0)
        source = 'Example(({**values, Input("d", ("INT32", [])): 1}, values))'
        spec, _ = read_with_spec(ADD + source)
        self.assertRegex(spec.warnings[0], ":7: warning: request 0 has a value for Input 'd', whi")


class OmittedTest(unittest.TestCase):
    def test_empty_value_omits_an_input(self) -> None:
        for dimensions in ("[0]", "[2]"):
            source = OPTIONAL.format(dimensions=dimensions)
            case = read_one(source + "Example(({a: [1, 2], b: []}, {c: [0] * %s[0]}))" % dimensions)
            value = case["examples"][0]["inputs"][1]
            self.assertEqual(value, {"hasNoValue": True, "dimensions": [], "data": ""})
            self.assertEqual(case["model"]["operands"][1]["lifetime"], "modelInput")

    def test_omitted_says_so(self) -> None:
        source = OPTIONAL.format(dimensions="[1]")
        case = read_one(source + "Example({a: [1, 2], b: Omitted, c: [1]})")
        self.assertTrue(case["examples"][0]["inputs"][1]["hasNoValue"])

    def test_variations_keep_an_input_omitted(self) -> None:
        source = OPTIONAL.format(dimensions="[2]")
        cases = read(source + 'Example({a: [1, 2], b: [], c: [1, 2]}).AddVariations("float16")')
        self.assertTrue(cases[1]["examples"][0]["inputs"][1]["hasNoValue"])
        self.assertEqual(cases[1]["model"]["operands"][1]["type"], 8)


class ZeroSizeTest(unittest.TestCase):
    def test_output_without_elements_has_none_or_androids_dummy(self) -> None:
        for value in ("[]", "[0]", "0"):
            source = OPTIONAL.format(dimensions="[0]")
            case = read_one(source + "Example({a: [1, 2], b: [], c: %s})" % value)
            (output,) = case["examples"][0]["outputs"]
            self.assertEqual(output, {"ignored": False, "dimensions": (0,), "data": ""})

    def test_values_without_known_dimensions_are_errors(self) -> None:
        source = OPTIONAL.format(dimensions="[0]")
        error = error_of(source + "Example({a: [1, 2], b: [1], c: []})")
        self.assertRegex(error, r"^6: Input 'b' in request 0 has 1 values, but .*expected no val")


class ValueTest(unittest.TestCase):
    def test_states_dimensions_that_the_model_leaves_open(self) -> None:
        for dimensions in ("[]", "[0]", "[0, 0]"):
            source = OPTIONAL.format(dimensions=dimensions)
            feed = (
                "{a: [1, 2], b: Value([1, 2], [3, 4]), c: Value(dimensions=[1, 2], values=[4, 6])}"
            )
            case = read_one(f"{source}Example({feed})")
            (example,) = case["examples"]
            self.assertEqual(example["inputs"][1]["dimensions"], (1, 2))
            self.assertEqual(numbers(example["inputs"][1], "f"), [3, 4])
            self.assertEqual(example["outputs"][0]["dimensions"], (1, 2))

    def test_value_without_elements_is_not_omitted(self) -> None:
        source = OPTIONAL.format(dimensions="[0]")
        case = read_one(source + "Example({a: [1, 2], b: Value([0], []), c: []})")
        value = case["examples"][0]["inputs"][1]
        self.assertEqual(value, {"hasNoValue": False, "dimensions": (0,), "data": ""})

    def test_values_must_agree_with_dimensions(self) -> None:
        source = OPTIONAL.format(dimensions="[0]")
        error = error_of(source + "Example({a: [1, 2], b: Value([3], [1]), c: []})")
        self.assertRegex(error, r"^6: Input 'b' in request 0 has 1 value; expected 3 for")

    def test_variations_use_its_dimensions(self) -> None:
        cases = read(
            """
            x = Input("x", ("TENSOR_FLOAT32", [0, 0, 0, 0]))
            y = Output("y", ("TENSOR_FLOAT32", [0, 0, 0, 0]))
            Model().Operation("EXP", x).To(y)
            example = Value([1, 1, 2, 2], [1, 2, 3, 4])
            Example({x: example, y: example}).AddNchw(x, y)
            """
        )
        value = cases[1]["examples"][0]["inputs"][0]
        self.assertEqual(value["dimensions"], (1, 2, 1, 2))
        self.assertEqual(numbers(value, "f"), [1, 3, 2, 4])
        self.assertEqual(cases[1]["model"]["operands"][0]["dimensions"], (0, 0, 0, 0))


class IgnoredOutputTest(unittest.TestCase):
    def test_needs_no_value_and_keeps_none(self) -> None:
        source = ADD.replace('Output("c"', 'IgnoredOutput("c"')
        expected = [{"ignored": True, "dimensions": (2,), "data": ""}]
        for feed in ("values", "{a: [1, 2], b: [3, 4]}", "{**values, c: [0] * 7}"):
            case = read_one(source + f"Example({feed})")
            self.assertEqual(case["examples"][0]["outputs"], expected)

    def test_may_state_dimensions(self) -> None:
        source = ADD.replace('Output("c"', 'IgnoredOutput("c"')
        case = read_one(source + "Example({**values, c: Value([1, 2])})")
        self.assertEqual(case["examples"][0]["outputs"][0]["dimensions"], (1, 2))
