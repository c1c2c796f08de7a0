# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs and certifications that are interrupted or killed, and go on."""

from __future__ import annotations

import json
import pathlib
import shlex
import signal
import time
import unittest
from typing import Any

from tools.nncert_process import NNCERT, start, wait_until
from tools.nncert_test_case import WRONG_SPEC, SpecsTest

_CASES = pathlib.Path("spec_tests/specs/V1_1").absolute()


class InterruptionTest(SpecsTest):
    def _interrupt(self, number: int, journal_name: str, *arguments: str) -> str:
        """Starts nncert, sends it a signal once its journal grows, and returns what it printed."""
        journal = self.folder / journal_name
        journal.unlink(missing_ok=True)
        with start(self.folder, *arguments) as process:
            while not journal.exists() or journal.stat().st_size < 2000:
                self.assertIsNone(process.poll(), "it ended before it could be interrupted")
                time.sleep(0.001)
            process.send_signal(number)
            output, _ = process.communicate()
        self.assertEqual(process.returncode, -number if number == signal.SIGKILL else 3)
        return output

    def _cases_of_report(self) -> Any:
        report = json.loads((self.folder / "report/report.json").read_text())
        self.assertNotIn("unfinished", report)
        return report["cases"]

    def test_an_interrupted_certification_goes_on(self) -> None:
        # Some of a thousand cases fail.
        driver = "faulty:first_element@operation=DEQUANTIZE"
        arguments = (
            "certify",
            f"--driver={driver}",
            "--out=report",
            "--suites=specs",
            "--filter=de",
            "--rerun_time=0",
        )
        self.assertEqual(self.nncert(*arguments).returncode, 1)
        expected = self._cases_of_report()
        output = self._interrupt(signal.SIGTERM, "report/journal", *arguments, "--jobs=1")
        command = f"{NNCERT} certify --resume --driver {driver} --out report --jobs 1"
        command += " --deadline 1m --suites specs --filter de --rerun_time 0"
        self.assertRegex(
            output, rf"^INTERRUPTED after \d+ of {len(expected)} cases; to go on: {command}\n"
        )
        report = json.loads((self.folder / "report/report.json").read_text())
        self.assertEqual(report["unfinished"], len(expected) - len(report["cases"]))
        self.assertGreater(report["unfinished"], 0)
        # What a run that is killed may leave behind.
        failures = self.folder / "report/failures"
        failures.mkdir(exist_ok=True)
        known = {case["name"] for case in report["cases"]}
        stray = [
            case["name"]
            for case in expected
            if case["verdict"] == "PASS" and case["mode"] == "static" and case["name"] not in known
        ][-1]
        for suffix in (".case", ".mod.py", "_operation_0.case", ".case.17.2.partial"):
            (failures / (stray + suffix)).write_text("of a case that has no result")
        strangers = ("notes.txt", "mine.case", "mine.dot", "mine.case.17.2.partial")
        for name in strangers:
            (failures / name).write_text("of the user's own")
        self.assertEqual(self.nncert(*command.split()[1:]).returncode, 1)
        self.assertEqual(self._cases_of_report(), expected)
        for name in strangers:
            (failures / name).unlink()
        # Static and dynamic, a case is dumped once.
        failed = {
            shlex.split(case["detail"].splitlines()[-1])[-1]
            for case in expected
            if case["verdict"] == "FAIL"
        }
        for suffix in (".case", ".mod.py", "_test.cc"):
            self.assertEqual(len(list(failures.rglob(f"*{suffix}"))), len(failed))
        self.assertEqual(list(failures.rglob("*.partial")), [])
        self.assertFalse((self.folder / "report/running").exists())

    def test_a_killed_certification_is_not_taken_for_the_one_before(self) -> None:
        driver = "faulty:quantized_off_by_two"
        arguments = (
            "certify",
            f"--driver={driver}",
            "--out=report",
            "--graphs=1",
            "--suites=specs,random_graphs",
        )
        self._interrupt(signal.SIGINT, "report/journal", *arguments)
        self.assertTrue((self.folder / "report/report.json").exists())
        self._interrupt(signal.SIGKILL, "report/journal", *arguments)
        left = {path.name for path in (self.folder / "report").iterdir()}
        self.assertLessEqual(left, {"journal", "answers", "graphs.journal", "running", "failures"})
        self.assertIn("journal", left)

    def test_a_folder_belongs_to_one_certification_at_a_time(self) -> None:
        arguments = ("certify", "--driver=faulty:all_nan", "--out=report")
        with start(self.folder, *arguments, "--jobs=1") as process:
            failures = self.folder / "report/failures"
            wait_until(lambda: failures.exists() and any(failures.glob("*.case")))
            for more in ("--jobs=1", "--resume"):
                self.assertIn("another run that is under way", self.refuse(*arguments, more))
            self.assertTrue(any(failures.glob("*.case")))
            self.assertIsNone(process.poll())
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate()
        self.assertEqual(process.returncode, 3)
        self.assertIn("once more ends it at once", errors)

    def test_an_interrupted_run_goes_on(self) -> None:
        arguments = ("run", "--driver=sample", "--journal=journal", "--json=run.json", str(_CASES))
        self.assertEqual(self.nncert(*arguments).returncode, 0)
        expected = (self.folder / "run.json").read_text()
        for number in (signal.SIGINT, signal.SIGKILL):
            with self.subTest(signal=number):
                output = self._interrupt(number, "journal", *arguments)
                if number != signal.SIGKILL:
                    self.assertIn(f"to go on: {NNCERT} run --resume --driver sample ", output)
                kept = (self.folder / "journal").read_bytes()
                self.assertEqual(self.nncert(*arguments, "--resume").returncode, 0)
                self.assertEqual((self.folder / "run.json").read_text(), expected)
                self.assertTrue((self.folder / "journal").read_bytes().startswith(kept[:2000]))
        # A complete run has nothing left to do, and says the same.
        size = (self.folder / "journal").stat().st_size
        self.assertEqual(self.nncert(*arguments, "--resume").returncode, 0)
        self.assertEqual((self.folder / "run.json").read_text(), expected)
        self.assertEqual((self.folder / "journal").stat().st_size, size)

    def test_run_resumes_from_its_journal(self) -> None:
        arguments = ("--driver=faulty:all_nan", "--json=run.json", "--journal=journal", "specs")
        first = self.nncert("run", *arguments)
        report = (self.folder / "run.json").read_text()
        journal = self.folder / "journal"
        whole = journal.read_bytes()
        for cut in (1, len(whole) // 3):
            with self.subTest(cut=cut):
                journal.write_bytes(whole[:-cut])
                again = self.nncert("run", "--resume", "--jobs=1", *arguments)
                self.assertEqual(again.returncode, first.returncode)
                self.assertEqual((self.folder / "run.json").read_text(), report)
                # No result is there twice; what the processes have used may be missing.
                self.assertLessEqual(len(journal.read_bytes()), len(whole))

    def test_another_run_is_not_resumed(self) -> None:
        self.assertIn("--journal", self.refuse("run", "--resume", "specs"))
        self.assertIn(
            "there is no run to go on with",
            self.refuse("run", "--resume", "--journal=journal", "specs"),
        )
        self.assertIn("report/journal: ", self.refuse("certify", "--resume", "--out=report"))
        self.succeed("run", "--driver=sample", "--journal=journal", "specs")
        arguments = ("run", "--resume", "--journal=journal")
        self.assertIn("sample", self.refuse(*arguments, "--driver=faulty:all_nan", "specs"))
        self.assertIn(
            "--modes", self.refuse(*arguments, "--driver=sample", "--modes=static", "specs")
        )
        (self.specs / "float.mod.py").write_text(WRONG_SPEC)
        self.assertIn("the cases have changed", self.refuse(*arguments, "--driver=sample", "specs"))
        (self.specs / "quantized.mod.py").unlink()
        self.assertIn("4 cases", self.refuse(*arguments, "--driver=sample", "specs"))
        (self.folder / "journal").write_text("no journal")
        self.assertIn(
            "it is no journal of a run: begin the run anew",
            self.refuse(*arguments, "--driver=sample", "specs"),
        )

    def test_an_interruption_while_specs_are_read_is_said(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            (self.specs / "slow.mod.py").write_text(
                f"open({str(self.folder / 'reading')!r}, 'w')\nimport time\ntime.sleep(600)\n"
            )
            with start(self.folder, "run", "--driver=sample", "specs") as process:
                wait_until((self.folder / "reading").exists)
                process.send_signal(number)
                output, errors = process.communicate()
            (self.folder / "reading").unlink()
            self.assertEqual(process.returncode, 3, output + errors)
            self.assertIn("nncert: interrupted while the cases were read; none was run\n", errors)


if __name__ == "__main__":
    unittest.main()
