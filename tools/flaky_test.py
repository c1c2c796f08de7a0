# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Certifications of drivers that do not always fail: odds, and pairs of cases that fail together."""

from __future__ import annotations

import json
import shlex
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from typing import Any

from tools.nncert_process import NNCERT
from tools.nncert_test_case import NncertTest

# Cases of few operations, however busy the machine is.
_FEW = ("--suites=specs", "--filter=^GeneratedTests\\.(floor|relu|tanh)", "--rerun_time=1h")


class FlakyTest(NncertTest):
    def certify(self, fault: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Certifies the faulty driver with one job, so that one process runs all cases."""
        result = self.nncert(
            "certify", f"--driver=faulty:{fault}", "--out=report", "--jobs=1", *_FEW, *arguments
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        return result

    def report(self) -> Any:
        return json.loads((self.folder / "report/report.json").read_text())

    def check_odds(self, report: Any) -> None:
        """The list of cases that do not always fail agrees with itself and with the cases."""
        flaky = report["reruns"]["flaky"]
        for case in flaky:
            alone, others = case["alone"], case["afterOthers"]
            self.assertEqual(alone["runs"], 8)
            self.assertEqual(case["failed"], 1 + alone["failed"] + others["failed"])
            self.assertEqual(case["runs"], 1 + alone["runs"] + others["runs"])
            self.assertLess(case["failed"], case["runs"])
        details = {
            f"GeneratedTests.{case['name']}": case["detail"]
            for case in report["cases"]
            if case["verdict"] == "FLAKY"
        }
        self.assertEqual(list(details), [case["case"] for case in flaky])
        self.assertEqual(report["counts"]["FLAKY"], len(flaky))
        for case in flaky:
            odds = f"failed {case['failed']} of {case['runs']} runs: "
            self.assertTrue(details[case["case"]].startswith(odds), details[case["case"]])
            self.assertIn(f"in the run of all cases {case['first']}: ", details[case["case"]])

    def run_line(self, line: str) -> subprocess.CompletedProcess[str]:
        """Runs a line that nncert printed, as a user would who is in this folder."""
        words = shlex.split(line)
        self.assertEqual(words[0], NNCERT)
        return self.nncert(*words[1:])

    def test_a_pair_of_cases_that_fail_together_alone_is_named(self) -> None:
        result = self.certify("floor_spoils_tanh")
        report = self.report()
        self.check_odds(report)
        reruns = report["reruns"]
        self.assertNotIn("limit", reruns)
        self.assertEqual(reruns["failing"], reruns["again"])
        self.assertEqual(len(reruns["flaky"]), reruns["failing"])
        self.assertEqual(report["counts"]["FAIL"], 0)
        failing = [case for case in report["cases"] if case["verdict"] == "FLAKY"]
        self.assertEqual({case["operation"] for case in failing}, {"TANH"})
        self.assertGreater(len(failing), 1)
        for case in reruns["flaky"]:
            self.assertEqual(case["alone"]["failed"], 0)
            self.assertRegex(case["onlyAfter"], r"^GeneratedTests\.floor")
            self.assertIn(f"    {case['command']}\n", result.stdout)
        self.assertRegex(
            result.stdout,
            r"\nNOT CERTIFIED: (\d+) of \d+ cases failed, \1 of them not always, in TANH\n$",
        )
        # The line shows it, and without the other case there is nothing to see.
        pair = reruns["flaky"][0]
        again = self.run_line(pair["command"])
        self.assertEqual(again.returncode, 1, again.stdout)
        self.assertRegex(again.stdout, r"\nPASS 1   FAIL 1\n")
        name = pair["case"].removeprefix("GeneratedTests.")
        alone = self.run_line(f"{pair['command']} --filter=^{name}$")
        self.assertEqual(alone.returncode, 0, alone.stdout)
        # What fails is shown by the pair as well.
        failure = report["failures"][0]
        self.assertEqual(failure["verdict"], "FLAKY")
        self.assertIn("--jobs 1 --modes static", failure["reproducer"]["command"])
        self.assertEqual(self.run_line(failure["reproducer"]["command"]).returncode, 1)
        suites = ElementTree.parse(self.folder / "report/junit.xml").getroot()
        messages = [element.get("message", "") for element in suites.iter("failure")]
        self.assertEqual(len(messages), len(failing))
        for message in messages:
            self.assertRegex(message, r"^FLAKY: failed \d+ of \d+ runs: .*; only after ")
        page = (self.folder / "report/report.html").read_text()
        self.assertIn("Failing cases, run again", page)
        self.assertIn("tanh.", page)
        # Of another run in the same folder nothing stays.
        self.assertTrue((self.folder / "report/sequences").exists())
        self.certify("all_nan", "--rerun_time=0")
        self.assertFalse((self.folder / "report/sequences").exists())
        self.assertNotIn("reruns", self.report())

    def test_a_driver_that_counts_its_executions_has_odds_and_no_pairs(self) -> None:
        result = self.certify("every_tenth_execution")
        report = self.report()
        self.check_odds(report)
        reruns = report["reruns"]
        self.assertGreater(len(reruns["flaky"]), 0)
        for case in reruns["flaky"]:
            self.assertNotIn("onlyAfter", case)
            self.assertNotIn("command", case)
        self.assertFalse((self.folder / "report/sequences").exists())
        self.assertRegex(result.stdout, r"\nNOT CERTIFIED: .* not always, in ")
        self.assertRegex(
            result.stdout,
            r"\nFailing cases that were run again: (\d+) of \1, of which \d+ do(es)? not always",
        )

    def test_a_run_that_is_resumed_comes_to_the_same(self) -> None:
        self.certify("quantized_off_by_two+floor_spoils_tanh")
        expected = (self.folder / "report/report.json").read_text()
        junit = (self.folder / "report/junit.xml").read_text()
        self.assertGreater(self.report()["counts"]["FLAKY"], 0)
        self.assertGreater(self.report()["counts"]["FAIL"], 0)
        self.certify("quantized_off_by_two+floor_spoils_tanh", "--resume")
        self.assertEqual((self.folder / "report/report.json").read_text(), expected)
        self.assertEqual((self.folder / "report/junit.xml").read_text(), junit)

    def test_what_always_fails_keeps_its_verdict(self) -> None:
        self.certify("all_nan")
        report = self.report()
        self.assertEqual(report["counts"]["FLAKY"], 0)
        self.assertEqual(report["reruns"]["flaky"], [])
        self.assertEqual(report["reruns"]["again"], report["counts"]["FAIL"])
        self.assertGreater(report["counts"]["FAIL"], 0)

    def test_nothing_is_run_again_in_nncerts_own_process(self) -> None:
        result = self.certify("floor_spoils_tanh", "--in_process")
        report = self.report()
        self.assertEqual(report["reruns"]["again"], 0)
        self.assertIn("no process that nncert can begin anew", report["reruns"]["limit"])
        self.assertIn(report["reruns"]["limit"], result.stdout)
        self.assertGreater(report["counts"]["FAIL"], 0)

    def test_a_waiver_waives_flakes_too(self) -> None:
        (self.folder / "waivers.toml").write_text(
            '[[waiver]]\nvendor = "Acme"\ndevice = "A1"\ndriver_version = ".*"\ntest = ".*tanh.*"\n'
            'reason = "known"\nurl = "https://acme.example"\nexpires = 9999-12-31\n'
        )
        result = self.nncert(
            "certify",
            "--driver=faulty:floor_spoils_tanh",
            "--out=report",
            "--jobs=1",
            "--waivers=waivers.toml",
            *_FEW,
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        report = self.report()
        self.assertEqual(report["counts"]["WAIVED"], len(report["reruns"]["flaky"]))
        details = [case["detail"] for case in report["cases"] if case["verdict"] == "WAIVED"]
        self.assertGreater(len(details), 0)
        for detail in details:
            self.assertIn("in spite of FLAKY: failed ", detail)


if __name__ == "__main__":
    unittest.main()
