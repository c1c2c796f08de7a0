# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of nncert mlts begin with: a driver measured in a folder, and what must be found."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

from tools.nncert_test_case import NncertTest

UNRELIABLE = str(pathlib.Path("mlts/testing/libunreliable.so").absolute())


class MltsTestCase(NncertTest):
    def measure(
        self, driver: str, *arguments: str, out: str = "out"
    ) -> subprocess.CompletedProcess[str]:
        """Measures a driver, quickly."""
        return self.nncert(
            "mlts", f"--driver={driver}", f"--out={out}", "--timing=60ms", *arguments
        )

    def results(self, out: str = "out") -> dict[str, Any]:
        """What a run left behind."""
        results: dict[str, Any] = json.loads((self.folder / out / "results.json").read_text())
        return results

    def assert_caught(self, fault: str, check: str, detail: str, *arguments: str) -> str:
        """A driver with a fault fails a check, which says what it is, and so the whole run.

        Returns all that the check says.
        """
        run = self.measure(
            f"{UNRELIABLE}:{fault}", "--models=^shapes_quant8$", "--samples=60", *arguments
        )
        (benchmark,) = self.results()["benchmarks"]
        told = f"{run.stdout}{run.stderr}{json.dumps(benchmark['checks'], indent=1)}"
        self.assertEqual(run.returncode, 1, told)
        failures = {
            failed["name"]: failed["detail"]
            for failed in benchmark["checks"]
            if failed["outcome"] == "FAIL"
        }
        for name in failures:
            self.assertIn(f"FAIL {name}", run.stdout)
        self.assertIn(check, failures, told)
        self.assertIn(detail, failures[check])
        return str(failures[check])
