# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of evaluate.py and language.py: how a specification runs."""

from __future__ import annotations

import os
import sys
import tempfile
import unittest

from .errors import SpecError
from .evaluate import read_spec
from .testing import ADD, error_of, names_of, read


class ErrorTest(unittest.TestCase):
    def test_python_errors_tell_the_line(self) -> None:
        for source, expected in (
            (
                "\nx = 1\nx.y",
                "3: AttributeError: 'int' object has no attribute 'y'; expected a spec",
            ),
            ("\nInputs('x')", "2: NameError: name 'Inputs' is not defined"),
            ("\n\nx = (1,\n", "3: SyntaxError: '(' was never closed; expected Python"),
            ("\nif True:\nx = 1\n", "3: IndentationError: expected an indented block"),
            ("x = 1\0", "1: "),
            ("\nimport no_such_module", "2: ModuleNotFoundError: No module named 'no_such_module'"),
            ("\nassert False", "2: AssertionError; expected a specification that runs to its end"),
            ("\nInput('x')", "2: TypeError: "),
        ):
            with self.subTest(source):
                error = error_of(source)
                self.assertTrue(error.startswith(expected), error)

    def test_innermost_line_of_the_specification_counts(self) -> None:
        source = "def f():\n  return Input('x', ('FLOAT', []))\n\nf()"
        self.assertRegex(error_of(source), "^2: unknown operand type 'FLOAT'")
        source = "import json\n\ndef f():\n  json.loads('{')\n\nf()"
        self.assertRegex(error_of(source), "^4: JSONDecodeError: ")

    def test_specification_cannot_exit(self) -> None:
        for statement, name in (
            ("sys.exit(0)", "SystemExit: 0"),
            ("exit()", "SystemExit"),
            ("raise KeyboardInterrupt", "KeyboardInterrupt"),
        ):
            error = error_of(f"\n{statement}")
            self.assertTrue(error.startswith(f"2: {name}"), error)

    def test_endless_recursion_is_an_error(self) -> None:
        error = error_of("def f(x):\n  return f(x)\nf(1)")
        self.assertRegex(error, "^2: RecursionError: maximum recursion depth exceeded")

    def test_messages_are_one_line(self) -> None:
        self.assertRegex(error_of("raise ValueError('a\\n\\nb')"), "^1: ValueError: a b; expected")

    def test_files_that_cannot_be_read_are_errors(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(SpecError, "cannot be read: Is a directory"):
                read_spec(folder)

    def test_unknown_flags_are_errors(self) -> None:
        error = error_of("\nConfiguration.use_shm = True")
        self.assertRegex(
            error, "^2: Configuration has no flag 'use_shm'; expected one of use_shm_f"
        )


class NamespaceTest(unittest.TestCase):
    def test_specifications_share_nothing(self) -> None:
        read(ADD + "Example(values)\nConfiguration.use_shm_for_weights = True\nleft_over = 1")
        self.assertRegex(error_of("left_over"), "NameError")
        error = error_of("raise ValueError(Configuration.useSHM())")
        self.assertRegex(error, "ValueError: False")
        self.assertRegex(error_of("Example({})"), "an Example without a model")
        self.assertEqual(names_of(read(ADD + "Example(values)")), ["sample"])

    def test_androids_names_are_in_scope(self) -> None:
        for name in (
            "ActivationConverter BoolScalar Configuration DataTypeConverter DataLayoutConverter"
            " Example Float16Scalar Float32Scalar Float32Vector IgnoredOutput Input Int32Scalar"
            " Int32Vector Internal Model Operand Output Parameter ParameterAsInputConverter"
            " RelaxedModeConverter SmartOpen SymmPerChannelQuantParams GetJointStr tg argparse"
            " math os re sys np struct"
            " pprint contextlib tg.AxisConverter tg.DefaultVariation tg.Configuration"
        ).split():
            self.assertEqual(read(name), [], name)

    def test_names_may_be_given_another_meaning(self) -> None:
        source = "input = Input; Operand = 5; Model().Operation('ADD', a, b, 0).To(c)"
        self.assertEqual(len(read(f"{ADD}{source}\nExample(values)")), 1)

    def test_generator_may_be_imported(self) -> None:
        source = "import test_generator as other\nassert other.Input is Input and other is tg"
        self.assertEqual(read(source), [])
        self.assertNotIn("test_generator", sys.modules)

    def test_numpy_is_there_when_used(self) -> None:
        self.assertRegex(error_of("raise ValueError(np.arange(3).tolist())"), r"\[0, 1, 2\]")

    def test_helpers_of_the_generator(self) -> None:
        source = "raise ValueError(GetJointStr([1, 2], sep='+', method=lambda x: str(2 * x)))"
        self.assertRegex(error_of(source), r"ValueError: 2\+4")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file")
            read(f"with SmartOpen({path!r}) as file: file.write('text')")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "text")
        read("with SmartOpen('-') as file: assert file is sys.stdout")

    def test_specification_is_the_main_module(self) -> None:
        error = error_of("if __name__ == '__main__': raise ValueError(os.path.basename(__file__))")
        self.assertRegex(error, "ValueError: sample.mod.py")
