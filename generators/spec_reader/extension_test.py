# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of extensions, their types, parameters and operations, and of OEM types."""

from __future__ import annotations

import base64
import unittest

from .testing import constant, error_of, numbers, read_one

DECLARATION = """
Extension("com.example.things",
          operandTypes={"TENSOR_STEPS": (3, "TENSOR_QUANT16_SYMM"), "BLOB": 4},
          operations={"STEP": 7})
"""

MODEL = (
    DECLARATION
    + """
steps = ("com.example.things.TENSOR_STEPS", [2])
x = Input("x", steps, extraParams=ExtensionParams(struct.pack("<i", 5)))
blob = Parameter("blob", ("com.example.things.BLOB", []), Bytes("010203"))
w = Parameter("w", ("TENSOR_FLOAT32", [1]), [1])
y = Output("y", steps)
model = Model().Operation("com.example.things.STEP", x, blob, w).To(y)
Example({x: [1, -2], y: [3, 4]})
"""
)


class ExtensionTest(unittest.TestCase):
    def test_types_operations_and_parameters(self) -> None:
        case = read_one(MODEL)
        model = case["model"]
        self.assertEqual(
            model["extensionNameToPrefix"], [{"name": "com.example.things", "prefix": 1}]
        )
        self.assertEqual(
            [operand["type"] for operand in model["operands"]],
            [1 << 16 | 3, 1 << 16 | 4, 3, 1 << 16 | 3],
        )
        self.assertEqual(model["operations"][0]["type"], 1 << 16 | 7)
        parameters = model["operands"][0]["extraParams"]["extension"]
        self.assertEqual(base64.b64decode(parameters), b"\x05\0\0\0")
        self.assertEqual(model["operands"][3]["extraParams"], {"none": None})

    def test_values_are_stored_as_the_type_says(self) -> None:
        case = read_one(MODEL)
        self.assertEqual(numbers(case["examples"][0]["inputs"][0], "h"), [1, -2])
        self.assertEqual(constant(case, 1), b"\x01\x02\x03")
        # Behind what nobody knows the size of, constants are aligned to their elements again.
        self.assertEqual(case["model"]["operands"][2]["location"]["offset"], 4)

    def test_models_list_what_they_use(self) -> None:
        case = read_one('Extension("com.example.unused", operations={"A": 0})\n' + MODEL)
        self.assertEqual(
            case["model"]["extensionNameToPrefix"], [{"name": "com.example.things", "prefix": 1}]
        )

    def test_a_stated_prefix_is_listed_always(self) -> None:
        case = read_one('Extension("com.example.unused", prefix=1)\n' + MODEL)
        self.assertEqual(
            case["model"]["extensionNameToPrefix"],
            [
                {"name": "com.example.unused", "prefix": 1},
                {"name": "com.example.things", "prefix": 2},
            ],
        )
        self.assertEqual(case["model"]["operations"][0]["type"], 2 << 16 | 7)

    def test_variations_may_have_extension_types(self) -> None:
        case = read_one(
            DECLARATION
            + """
x = Input("x", ("TENSOR_FLOAT32", [2]))
y = Output("y", ("TENSOR_FLOAT32", [2]))
Model().Operation("com.example.things.STEP", x).To(y)
steps = DataTypeConverter(name="steps").Identify({
    x: ("com.example.things.TENSOR_STEPS", 0, 0, ExtensionParams(b"abc"))})
Example({x: [1, 2], y: [3, 4]}).AddVariations(steps, includeDefault=False)
"""
        )
        operand = case["model"]["operands"][0]
        self.assertEqual(operand["type"], 1 << 16 | 3)
        self.assertEqual(base64.b64decode(operand["extraParams"]["extension"]), b"abc")

    def test_errors(self) -> None:
        for source, message in (
            ('Extension("")', "the extension's name is ''"),
            ('Extension("a.b", prefix=0)', "the prefix is 0; expected a number from 1 to 65535"),
            (
                'Extension("a.b", prefix=3)\nExtension("a.c", prefix=3)',
                "the prefix 3 is that of another extension",
            ),
            ('Extension("a.b")\nExtension("a.b")', "the extension a.b is declared twice"),
            ('Extension("a.b", operations={"A": 65536})', "the number of A is 65536"),
            ('Extension("a.b", operations={"A.B": 1})', "'A.B' is the name of a type"),
            ('Extension("a.b", {"T": (1, "TENSOR")})', "unknown operand type 'TENSOR'"),
            ('Extension("a.b", {"T": (1, 2, 3)})', "T is declared as (1, 2, 3)"),
            ("ExtensionParams(5)", "ExtensionParams(5); expected bytes, or Bytes"),
            (
                'Input("x", ("a.b.T", [1]))',
                "a.b.T belongs to an extension that is not declared",
            ),
            (
                'Extension("a.b", {"T": 1})\nInput("x", ("a.b.U", [1]))',
                "the extension a.b declares no operand type U; expected one of T",
            ),
            (
                'Extension("a.b")\nModel().Operation("a.b.F")',
                "the extension a.b declares no operation F; expected an extension with operations",
            ),
        ):
            with self.subTest(source):
                self.assertIn(message, error_of(source))


class OemTest(unittest.TestCase):
    def test_scalars_and_tensors_are_bytes(self) -> None:
        case = read_one(
            """
key = Parameter("key", ("OEM", []), Bytes("00112233445566"))
x = Input("x", ("TENSOR_OEM_BYTE", [3]))
y = Output("y", ("TENSOR_OEM_BYTE", [2]))
Model().Operation("OEM_OPERATION", key, x).To(y)
Example({x: [1, 2, 255], y: [0, 7]})
"""
        )
        self.assertEqual(
            [operand["type"] for operand in case["model"]["operands"]], [10000, 10001, 10001]
        )
        self.assertEqual(case["model"]["operations"][0]["type"], 10000)
        self.assertEqual(constant(case, 0), bytes.fromhex("00112233445566"))
        self.assertEqual(numbers(case["examples"][0]["inputs"][0], "B"), [1, 2, 255])

    def test_tensors_have_as_many_bytes_as_their_dimensions(self) -> None:
        self.assertIn(
            "has 2 values; expected 3",
            error_of('Parameter("w", ("TENSOR_OEM_BYTE", [3]), [1, 2])'),
        )


if __name__ == "__main__":
    unittest.main()
