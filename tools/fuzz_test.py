# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Random graphs and the reducer, as the nncert command has them."""

from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile
import unittest
from typing import Any

from tools.nncert_process import TWO_OPERATIONS_SPEC, start


class FuzzTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def nncert(self, status: int, *arguments: str) -> tuple[str, str]:
        """What nncert prints, on standard output and on standard error; it must end with the status."""
        process: subprocess.Popen[str] = start(self.folder, *arguments)
        output, errors = process.communicate()
        self.assertEqual(process.returncode, status, output + errors)
        return output, errors

    def results(self) -> dict[str, Any]:
        results: dict[str, Any] = json.loads((self.folder / "results.json").read_text())
        return results

    def test_a_good_driver_passes(self) -> None:
        output, _ = self.nncert(
            0, "fuzz", "--driver=sample", "--graphs=700", "--strict", "--json=results.json"
        )
        self.assertIn("700 graphs in ", output.splitlines()[-1])
        results = self.results()
        self.assertEqual(results["graphs"], 700)
        self.assertEqual(sum(results["counts"].values()), 700)
        self.assertEqual(results["failures"], [])

    def test_a_failure_is_small_and_can_be_seen_again(self) -> None:
        driver = "--driver=faulty:first_element@operation=RELU6"
        output, _ = self.nncert(
            1, "fuzz", driver, "--graphs=700", "--json=results.json", "--dump=failures"
        )
        failures = self.results()["failures"]
        self.assertEqual({failure["operation"] for failure in failures}, {"RELU6"})
        for failure in failures:
            self.assertEqual(failure["verdict"], "FAIL")
            self.assertEqual(failure["operations"], 1)
            self.assertIn(failure["detail"], output)
            self.nncert(1, "run", driver, failure["case"])
            self.nncert(1, "run", driver, failure["case"].replace(".case", ".mod.py"))
            self.nncert(0, "run", "--driver=sample", failure["case"])

    def test_findings_fail_with_strict_alone(self) -> None:
        # In a model of several operations, another one may make more of it.
        fault = "relative_error_1e_6@operation=ADD@operations=1"
        arguments = ["fuzz", f"--driver=faulty:{fault}", "--graphs=1400"]
        self.assertIn("SUSPECT ADD TENSOR_FLOAT32, ", self.nncert(0, *arguments)[0])
        self.nncert(1, *arguments, "--strict", "--json=results.json")
        self.assertIn("SUSPECT", {finding["kind"] for finding in self.results()["findings"]})

    def test_what_cannot_be_run_is_said(self) -> None:
        for arguments, error in {
            (): "say for how long: --graphs=N or --time=DURATION",
            ("--time=0s",): "--time must be above zero",
            ("--graphs=1", "--driver=nobody"): "nobody",
            ("--graphs=1", "--json=/no/where"): "cannot make the folder /no",
        }.items():
            _, errors = self.nncert(2, "fuzz", *arguments)
            self.assertIn(error, errors)

    def test_a_case_is_reduced(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        driver = "--driver=faulty:all_zero@operation=FLOOR"
        output, _ = self.nncert(0, "reduce", driver, "two.mod.py", "--out=small.case")
        self.assertIn("to 1 of 2 operations:\n", output)
        output, _ = self.nncert(1, "run", driver, "--modes=static", "small.case")
        self.assertIn("FLOOR", output)
        self.nncert(0, "run", "--driver=sample", "small.case")

    def test_what_cannot_be_reduced_is_said(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        (self.folder / "rubbish.case").write_bytes(b"rubbish")
        for arguments, error in {
            ("two.mod.py",): "say where to write the smaller case: --out=FILE",
            ("two.mod.py", "--out=small.case"): "none of 2 cases fails",
            ("rubbish.case", "--out=small.case"): "rubbish.case",
            ("none.case", "--out=small.case"): "none.case",
        }.items():
            _, errors = self.nncert(2, "reduce", "--driver=sample", *arguments)
            self.assertIn(error, errors)
        self.assertFalse((self.folder / "small.case").exists())
