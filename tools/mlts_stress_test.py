# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert mlts stress as people use it: an honest driver, and one with a fault for each test."""

from __future__ import annotations

import json
import os
import subprocess
import unittest
import unittest.mock
from typing import Any

from tools.mlts_test_case import UNRELIABLE
from tools.nncert_process import start
from tools.nncert_test_case import NncertTest

_TESTS = [
    "inference-stress",
    "model-loading-stress",
    "parallel-inference-stress",
    "client-early-termination",
    "multi-process-inference",
    "multi-process-model-load",
    "inference-random",
    "performance-degradation",
]


class MltsStressTest(NncertTest):
    def setUp(self) -> None:
        # Sockets have no room for the path of Bazel's folder for temporary files.
        place = unittest.mock.patch.dict(os.environ)
        place.start()
        self.addCleanup(place.stop)
        os.environ.pop("TEST_TMPDIR", None)
        super().setUp()

    def stress(
        self, driver: str, *arguments: str, out: str = "out"
    ) -> subprocess.CompletedProcess[str]:
        """Puts a driver under stress."""
        return self.nncert("mlts", "stress", f"--driver={driver}", f"--out={out}", *arguments)

    def results(self, out: str = "out") -> dict[str, dict[str, Any]]:
        """What became of each test."""
        results = json.loads((self.folder / out / "results.json").read_text())
        return {test["name"]: test for test in results["stress"]}

    def stress_until_caught(self, fault: str, test: str, seconds: int, *arguments: str) -> None:
        """Puts a driver with a fault under stress until it fails a test."""
        # On a busy machine there are few rounds in that time, and many a fault is that of a later
        # one: then once more, for longer.
        for longer in (1, 4, 16):
            run = self.stress(
                f"{UNRELIABLE}:{fault}",
                f"--filter=^{test}$",
                f"--time={longer * seconds}s",
                "--models=^shapes_quant8$",
                *arguments,
            )
            if run.returncode != 0:
                break
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)

    def caught(self, fault: str, test: str, *arguments: str, seconds: int = 2) -> tuple[str, str]:
        """What a test says of a driver with a fault, which is fine before the test."""
        self.stress_until_caught(fault, test, seconds, *arguments)
        results = self.results()
        self.assertEqual(list(results), ["before-stress", test])
        self.assertEqual(results["before-stress"]["status"], "SUCCESS")
        self.assertIn(test, (self.folder / "out" / "report.html").read_text())
        return results[test]["status"], results[test]["detail"]

    def test_honest_driver(self) -> None:
        run = self.stress("sample", "--time=8s", "--models=^(shapes_float|tones_lstm)$")
        results = self.results()
        self.assertEqual(list(results), ["before-stress", *_TESTS])
        for name, result in results.items():
            # A busy machine may make any driver slow, or too few turns to tell.
            if name != "performance-degradation":
                self.assertEqual(result["status"], "SUCCESS", run.stdout + run.stderr)
            self.assertGreater(result["rounds"], 0, name)
        page = (self.folder / "out" / "report.html").read_text()
        csv = (self.folder / "out" / "results.csv").read_text()
        for name in results:
            self.assertIn(name, page)
            self.assertIn(name, csv)

    def test_wrong_after_a_while(self) -> None:
        status, detail = self.caught("errs_after_a_hundred_executions", "inference-stress")
        self.assertEqual(status, "FAILURE")
        self.assertIn("a wrong result, where the driver has given right ones before", detail)

    def test_crash_at_a_later_load(self) -> None:
        status, detail = self.caught("crashes_at_the_fortieth_load", "model-loading-stress")
        self.assertEqual(status, "CRASH")
        self.assertIn("SIGABRT", detail)

    def test_leak(self) -> None:
        status, detail = self.caught("leaks_a_descriptor", "model-loading-stress")
        self.assertEqual(status, "FAILURE")
        self.assertIn("leave behind descriptors, 1", detail)

    def test_parallel_executions_mixed_up(self) -> None:
        status, detail = self.caught("mixes_up_parallel_executions", "parallel-inference-stress")
        self.assertEqual(status, "FAILURE")
        self.assertIn("a wrong result", detail)

    def test_crash_when_a_client_ends_early(self) -> None:
        status, detail = self.caught(
            "crashes_when_a_client_ends_early", "client-early-termination", seconds=4
        )
        self.assertEqual(status, "CRASH")
        self.assertIn("SIGABRT", detail)

    def test_room_for_few_clients(self) -> None:
        status, detail = self.caught("has_room_for_four_networks", "multi-process-inference")
        self.assertEqual(status, "FAILURE")
        self.assertIn("GENERAL_FAILURE", detail)

    def test_hang_when_many_prepare(self) -> None:
        status, detail = self.caught(
            "hangs_when_four_prepare", "multi-process-model-load", "--deadline=3s"
        )
        self.assertEqual(status, "HANG")
        self.assertIn("3s", detail)

    def test_wrong_random_models(self) -> None:
        status, _ = self.caught("loses_accuracy", "inference-random")
        self.assertEqual(status, "FAILURE")
        self.assertTrue(list((self.folder / "out" / "failures").iterdir()))

    def test_slow_beside_preparations(self) -> None:
        status, detail = self.caught(
            "stands_still_while_it_prepares", "performance-degradation", seconds=4
        )
        self.assertEqual(status, "FAILURE")
        self.assertIn("times as long while shapes_quant8 is prepared", detail)

    def test_comparison_of_two_runs(self) -> None:
        test = "model-loading-stress"
        few = [f"--filter=^{test}$", "--time=1s", "--models=^shapes_quant8$"]
        self.assertEqual(self.stress("sample", *few, out="before").returncode, 0)
        self.stress_until_caught("crashes_at_the_fortieth_load", test, 1)
        with start(self.folder, "mlts", "compare", "before", "out") as process:
            output, _ = process.communicate()
        self.assertEqual(process.returncode, 1, output)
        self.assertIn(test, output)

    def test_bad_input(self) -> None:
        for arguments, message in [
            (["--driver=none"], "driver none"),
            (["--filter=^nothing$"], "no stress test"),
            (["--time=0s"], "--time"),
            (["--in_process"], "--in_process"),
            (["now"], "unknown argument now"),
        ]:
            with start(self.folder, "mlts", "stress", *arguments) as process:
                _, errors = process.communicate()
            self.assertEqual(process.returncode, 2, arguments)
            self.assertIn(message, errors)


if __name__ == "__main__":
    unittest.main()
