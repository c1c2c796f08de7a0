# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What nncert mlts finds by time alone, in drivers on networks that are built in."""

from __future__ import annotations

import unittest

from tools.mlts_test_case import UNRELIABLE, MltsTestCase


class MltsTimingTest(MltsTestCase):
    def test_results_kept(self) -> None:
        self.assert_caught("keeps_results", "new inputs", "not seen before")

    def test_slower_each_time(self) -> None:
        # In turns of many executions of the reference, one of which nothing else disturbs.
        self.assert_caught(
            "is_slower_each_time", "steady latency", "slower each time", "--timing=200ms"
        )

    def test_fifty_times_the_speed_claimed(self) -> None:
        run = self.measure(
            f"{UNRELIABLE}:claims_fifty_times_its_speed", "--models=^shapes_quant8$", "--samples=20"
        )
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn("FAIL claimed speed", run.stdout)
        self.assertIn("claimed speed", (self.folder / "out" / "report.html").read_text())


if __name__ == "__main__":
    unittest.main()
