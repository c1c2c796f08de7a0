# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert diagnose as people use it: on drivers whose faults are known, and on bad input."""

from __future__ import annotations

import json
import pathlib
import unittest
from typing import Any

from tools.nncert_process import TWO_OPERATIONS_SPEC
from tools.nncert_test_case import NncertTest

_SPECS = pathlib.Path("spec_tests/specs").absolute()

# The second operation is the one that errs.
_LOGARITHM_SPEC = """
a = Input("a", "TENSOR_FLOAT32", "{2}")
b = Internal("b", "TENSOR_FLOAT32", "{2}")
c = Output("c", "TENSOR_FLOAT32", "{2}")
model = Model().Operation("RELU", a).To(b).Operation("LOG", b).To(c)
model = model.IntroducedIn("V1_2")
Example({a: [2, 8], c: [0.69314718, 2.07944154]})
"""


class DiagnoseTest(NncertTest):
    def causes(self, driver: str, *arguments: str) -> list[dict[str, Any]]:
        """What nncert diagnose writes for programs."""
        done = self.nncert("diagnose", f"--driver={driver}", "--json=causes.json", *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        result: list[dict[str, Any]] = json.loads((self.folder / "causes.json").read_text())
        return result

    def test_names_the_rule_that_is_broken(self) -> None:
        for fault, spec in [
            ("padding_sides_swapped", "conv_2d_padding.case"),
            ("quantized_off_by_two", "conv_2d_quant8.case"),
        ]:
            with self.subTest(fault):
                causes = self.causes(f"faulty:{fault}", str(_SPECS / "V1_0" / spec))
                # Others may give the same in these cases.
                (cause,) = [cause for cause in causes if cause["rule"] == fault]
                self.assertEqual(cause["explained"], cause["of"])
                self.assertEqual(cause["explained"], causes[0]["explained"])
                self.assertGreater(cause["of"], 0)
                self.assertEqual(cause["rivals"], len(causes) - 1)
                self.assertEqual(cause["operations"], ["CONV_2D"])

    def test_a_model_of_several_operations_is_taken_apart(self) -> None:
        (self.folder / "two.mod.py").write_text(_LOGARITHM_SPEC)
        causes = self.causes("faulty:log_of_base_2", "two.mod.py")
        self.assertEqual(causes[0]["rule"], "log_of_base_2")
        self.assertEqual(causes[0]["operations"], ["LOG"])
        self.assertIn("logarithms of base 2", causes[0]["cause"])

    def test_says_when_no_cause_is_known(self) -> None:
        (self.folder / "two.mod.py").write_text(_LOGARITHM_SPEC)
        done = self.nncert("diagnose", "--driver=faulty:byte_behind_output", "two.mod.py")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("cannot be diagnosed", done.stdout)
        self.assertIn("none known", done.stdout)

    def test_bad_input(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        (self.folder / "bad.mod.py").write_text("no spec")
        for arguments, message in [
            (["two.mod.py"], "none of 2 cases fails"),
            (["none.mod.py"], "none.mod.py"),
            (["bad.mod.py"], "bad.mod.py"),
            (["two.mod.py", "--driver=none"], "none"),
            (["two.mod.py", "--filter=["], "--filter: "),
        ]:
            with self.subTest(arguments):
                done = self.nncert("diagnose", *arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
