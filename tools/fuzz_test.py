# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Random graphs and the reducer, as the nncert command has them."""

from __future__ import annotations

import json
import signal
from typing import Any

from tools.nncert_process import TWO_OPERATIONS_SPEC, start, wait_until
from tools.nncert_test_case import NncertTest


class FuzzTest(NncertTest):
    def end_with(self, status: int, *arguments: str) -> tuple[str, str]:
        """What nncert prints, on standard output and on standard error; it must end with the status."""
        result = self.nncert(*arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout, result.stderr

    def results(self) -> dict[str, Any]:
        results: dict[str, Any] = json.loads((self.folder / "results.json").read_text())
        return results

    def test_a_good_driver_passes(self) -> None:
        output, _ = self.end_with(
            0, "fuzz", "--driver=sample", "--graphs=700", "--strict", "--json=results.json"
        )
        self.assertIn("700 graphs in ", output.splitlines()[-1])
        results = self.results()
        self.assertEqual(results["graphs"], 700)
        self.assertEqual(sum(results["counts"].values()), 700)
        self.assertEqual(results["failures"], [])
        left_open: dict[str, int] = {}
        for of_operation in results["open"]:
            self.assertGreaterEqual(
                of_operation["operations"], sum(of_operation["counts"].values())
            )
            for verdict, count in of_operation["counts"].items():
                self.assertLessEqual(of_operation["hostileCounts"].get(verdict, 0), count)
                left_open[verdict] = left_open.get(verdict, 0) + count
        self.assertEqual(
            left_open,
            {
                verdict: count
                for verdict, count in results["counts"].items()
                if verdict in ("EXPLAINED", "UNDECIDED")
            },
        )

    def test_a_failure_is_small_and_can_be_seen_again(self) -> None:
        driver = "--driver=faulty:first_element@operation=RELU6"
        output, _ = self.end_with(
            1, "fuzz", driver, "--graphs=700", "--json=results.json", "--dump=failures"
        )
        failures = self.results()["failures"]
        self.assertEqual({failure["operation"] for failure in failures}, {"RELU6"})
        for failure in failures:
            self.assertEqual(failure["verdict"], "FAIL")
            self.assertEqual(failure["operations"], 1)
            self.assertIn(failure["detail"], output)
            self.end_with(1, "run", driver, failure["case"])
            self.end_with(1, "run", driver, failure["case"].replace(".case", ".mod.py"))
            self.end_with(0, "run", "--driver=sample", failure["case"])

    def test_a_campaign_that_was_killed_goes_on(self) -> None:
        arguments = [
            "fuzz",
            "--driver=faulty:first_element@operation=RELU6",
            "--graphs=4000",
            "--json=results.json",
            "--coverage=coverage.json",
        ]
        self.end_with(1, *arguments)
        expected, coverage = self.results(), (self.folder / "coverage.json").read_text()
        journal = self.folder / "journal"
        with start(self.folder, *arguments, "--journal=journal") as process:
            wait_until(lambda: journal.exists() and journal.stat().st_size > 20000)
            process.send_signal(signal.SIGKILL)
            process.communicate()
        kept = journal.stat().st_size
        self.end_with(1, *arguments, "--journal=journal", "--resume")
        self.assertGreater(journal.stat().st_size, kept)
        results = self.results()
        for key in ("graphs", "counts", "hostileCounts", "open", "findings"):
            self.assertEqual(results[key], expected[key], key)
        for failure, same in zip(results["failures"], expected["failures"], strict=True):
            for key in ("operation", "type", "verdict", "count", "operations"):
                self.assertEqual(failure[key], same[key], key)
        self.assertEqual((self.folder / "coverage.json").read_text(), coverage)
        operations = json.loads(coverage)["operations"]
        self.assertGreater(sum(operation["count"] > 0 for operation in operations), 200)

    def test_another_campaign_is_not_resumed(self) -> None:
        arguments = ["fuzz", "--driver=sample", "--graphs=64", "--journal=journal"]
        self.end_with(0, *arguments)
        for other, error in {
            ("--seed=9",): "--seed=9",
            ("--driver=faulty:all_nan",): "faulty:all_nan",
        }.items():
            _, errors = self.end_with(2, *arguments, "--resume", *other)
            self.assertIn("the journal is of another run", errors)
            self.assertIn(error, errors)

    def test_a_corpus_is_run_first_and_grows(self) -> None:
        driver = "--driver=faulty:first_element@operation=RELU6"
        self.end_with(1, "fuzz", driver, "--graphs=700", "--corpus=corpus")
        kinds = len(list((self.folder / "corpus").glob("*.case")))
        self.assertGreater(kinds, 0)
        (self.folder / "corpus/rubbish.case").write_bytes(b"rubbish")
        output, errors = self.end_with(
            1, "fuzz", driver, "--graphs=1", "--corpus=corpus", "--json=results.json"
        )
        self.assertIn("rubbish.case", errors)
        self.assertEqual(self.results()["corpusCounts"], {"FAIL": kinds})
        self.assertIn(f"Of the corpus: {kinds} FAIL\n", output)
        # A driver that is mended; what cannot be read is an error all the same.
        self.end_with(2, "fuzz", "--driver=sample", "--graphs=1", "--corpus=corpus")

    def test_another_driver_is_asked(self) -> None:
        output, _ = self.end_with(
            1,
            "fuzz",
            "--driver=faulty:first_element@operation=RELU6",
            "--against=sample",
            "--graphs=700",
            "--json=results.json",
        )
        self.assertIn("the other driver: PASS\n", output)
        self.assertEqual({failure["against"] for failure in self.results()["failures"]}, {"PASS"})

    def test_findings_fail_with_strict_alone(self) -> None:
        # In a model of several operations, another one may make more of it.
        fault = "relative_error_1e_6@operation=ADD@operations=1"
        arguments = ["fuzz", f"--driver=faulty:{fault}", "--graphs=1400"]
        self.assertIn("SUSPECT ADD TENSOR_FLOAT32, ", self.end_with(0, *arguments)[0])
        self.end_with(1, *arguments, "--strict", "--json=results.json")
        self.assertIn("SUSPECT", {finding["kind"] for finding in self.results()["findings"]})

    def test_what_cannot_be_run_is_said(self) -> None:
        (self.folder / "file").write_text("no folder")
        for arguments, error in {
            (): "say for how long: --graphs=N or --time=DURATION",
            ("--time=0s",): "--time must be above zero",
            ("--graphs=1", "--driver=nobody"): "nobody",
            ("--graphs=1", "--against=nobody"): "nobody",
            ("--graphs=1", "--resume"): "--journal",
            ("--graphs=1", "--json=file/results.json"): "cannot make the folder file",
        }.items():
            _, errors = self.end_with(2, "fuzz", *arguments)
            self.assertIn(error, errors)

    def test_a_case_is_reduced(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        driver = "--driver=faulty:all_zero@operation=FLOOR"
        output, _ = self.end_with(0, "reduce", driver, "two.mod.py", "--out=small.case")
        self.assertIn("to 1 of 2 operations:\n", output)
        output, _ = self.end_with(1, "run", driver, "--modes=static", "small.case")
        self.assertIn("FLOOR", output)
        self.end_with(0, "run", "--driver=sample", "small.case")
        self.end_with(0, "reduce", driver, "two.mod.py", "--out=small_test.cc")
        self.assertIn("OperationType::FLOOR", (self.folder / "small_test.cc").read_text())

    def test_what_cannot_be_reduced_is_said(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        (self.folder / "rubbish.case").write_bytes(b"rubbish")
        for arguments, error in {
            ("two.mod.py",): "say where to write the smaller case: --out=FILE",
            ("two.mod.py", "--out=small.case"): "none of 2 cases fails",
            ("two.mod.py", "--out=small.case", "--filter=("): "--filter: '(' is no regular",
            ("two.mod.py", "--out=small"): "expected a name that ends in .case, .mod.py, .cc",
            ("rubbish.case", "--out=small.case"): "rubbish.case",
            ("none.case", "--out=small.case"): "none.case",
        }.items():
            _, errors = self.end_with(2, "reduce", "--driver=sample", *arguments)
            self.assertIn(error, errors)
        self.assertFalse((self.folder / "small.case").exists())
