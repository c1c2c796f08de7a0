# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Drivers with and without an extension, as the nncert command sees them."""

from __future__ import annotations

import json
import pathlib
import subprocess
import tempfile
import unittest
from typing import Any

_FOLDER = "drivers/example_extension"
_CASES = [str(path) for path in sorted(pathlib.Path(_FOLDER).glob("specs/V1_2/*.case"))]


class ExampleExtensionTest(unittest.TestCase):
    def run_cases(self, driver: str) -> tuple[str, list[dict[str, Any]]]:
        """What `nncert run` prints, and the cases of its report. It must find no failure."""
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report.json")
            result = subprocess.run(
                ["tools/nncert", "run", f"--driver={driver}", f"--json={report}", *_CASES],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            self.assertEqual(result.returncode, 0, result.stdout)
            return result.stdout, json.loads(report.read_text())["cases"]

    def test_the_driver_that_has_the_extension_passes(self) -> None:
        output, cases = self.run_cases("example_extension")
        self.assertEqual(len(_CASES), 2)
        self.assertEqual(len(cases), 20)
        self.assertEqual({case["verdict"] for case in cases}, {"PASS"}, output)
        self.assertIn("\nExtensions: com.example.sequences\n", output)

    def test_another_driver_says_that_it_does_not_have_it(self) -> None:
        output, cases = self.run_cases("sample")
        self.assertEqual({case["verdict"] for case in cases}, {"UNSUPPORTED"}, output)
        self.assertEqual(
            {case["detail"] for case in cases},
            {"needs the extension com.example.sequences, which the driver does not list"},
        )
        self.assertNotIn("Extensions:", output)


if __name__ == "__main__":
    unittest.main()
