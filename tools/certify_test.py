# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert certify as people use it."""

from __future__ import annotations

import json
import re
import shlex
import unittest
import xml.etree.ElementTree as ElementTree
from typing import Any

from tools.nncert_process import MISBEHAVING
from tools.nncert_test_case import SpecsTest

# What each gets wrong is in the bundled specs.
_FAULTY = ["faulty:all_nan", "faulty:quantized_off_by_two", "faulty:wrong_shape"]

# What becomes of a hundred failures after the run, in ten seconds, has tests of its own.
_NOTHING_AFTER = ("--rerun_time=0", "--explain_time=0")


class CertifyTest(SpecsTest):
    def suites(self) -> list[str]:
        """The names of all suites, in the order in which they are run."""
        listed = self.succeed("certify", "--list").splitlines()
        return [line for line in listed if not line.startswith(" ")]

    def without_repeated(self, members: list[tuple[str, Any]]) -> dict[str, Any]:
        """An object none of whose members is there twice."""
        self.assertEqual(len(dict(members)), len(members), [name for name, _ in members])
        return dict(members)

    def test_certify_passes_the_sample_driver(self) -> None:
        # Every suite by itself is a test of the sample driver: here are those that take no minutes.
        chosen = ["specs", "basic", "extensions"]
        output = self.succeed(
            "certify", "--driver=sample", "--out=report", f"--suites={','.join(chosen)}"
        )
        self.assertTrue(output.startswith("Supported: all 95 operations, all "), output)
        self.assertIn("\nUNSUPPORTED 0.0% (0 of ", output)
        report = json.loads(
            (self.folder / "report/report.json").read_text(),
            object_pairs_hook=self.without_repeated,
        )
        names = [suite["name"] for suite in report["suites"]]
        self.assertEqual(names, chosen)
        # A line for each suite of calls; all else is short.
        self.assertLess(len(output.splitlines()), 20 + len(chosen) - 1)
        left_out = ", ".join(name for name in self.suites() if name not in chosen)
        self.assertRegex(output, rf"\nINCOMPLETE: nothing failed; left out: {left_out}\n$")
        self.assertGreater(report["counts"]["PASS"], 0)
        quiet = ("PASS", "UNSUPPORTED", "EXPLAINED", "UNDECIDED", "WAIVED")
        for verdict, count in report["counts"].items():
            if verdict not in quiet:
                self.assertEqual(count, 0, verdict)
        self.assertEqual(report["driver"], "sample")
        self.assertFalse((self.folder / "report/failures").exists())
        suites = ElementTree.parse(self.folder / "report/junit.xml").getroot()
        self.assertEqual(suites.tag, "testsuites")
        cases = suites.findall("testsuite/testcase")
        # And one for each suite of which the tests are no cases.
        others = len(report["suites"]) - 1
        self.assertEqual(len(cases), len(report["cases"]) + len(report["findings"]) + others)
        for suite in report["suites"]:
            self.assertEqual(sum(suite["counts"].values()), suite["cases"], suite["name"])
        for name in names[1:]:
            member = re.sub("_(.)", lambda letter: letter[1].upper(), name)
            # "extensions" are those that the driver lists.
            member = {"extensions": "extensionTests"}.get(member, member)
            for check in report[member]["checks"]:
                self.assertGreater(check["passed"], 0, check["name"])
                self.assertEqual(check["failed"], 0, check["name"])
            self.assertEqual(report[member]["failures"], [])
        self.assertEqual(suites.get("tests"), str(len(cases)))
        self.assertEqual(suites.get("failures"), "0")

    def test_waived_failures_are_no_failures(self) -> None:
        waiver = (
            'vendor = "Acme"\ndevice = "A1"\ndriver_version = ".*"\n'
            'reason = "known"\nurl = "https://acme.example"\n'
        )
        (self.folder / "waivers.toml").write_text(
            f"[[waiver]]\n{waiver}test = '.*add.*'\nexpires = 9999-12-31\n"
            f"[[waiver]]\n{waiver}test = '.*mul_quant8.*'\nexpires = 2020-01-31\n"
            f"[[waiver]]\n{waiver}test = '.*of_nobody'\nexpires = 9999-12-31\n"
        )
        arguments = (
            "certify",
            "--driver=faulty:quantized_off_by_two",
            "--suites=specs",
            "--filter=^GeneratedTests.*(add|mul)_quant8",
            "--waivers=waivers.toml",
            "--out=report",
        )
        result = self.nncert(*arguments)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        report = json.loads((self.folder / "report/report.json").read_text())
        self.assertGreater(report["counts"]["WAIVED"], 0)
        self.assertGreater(report["counts"]["FAIL"], 0)
        for case in report["cases"]:
            if case["verdict"] == "WAIVED":
                self.assertIn("add", case["name"])
                self.assertIn("in spite of FAIL", case["detail"])
            elif case["verdict"] == "FAIL":
                self.assertNotIn("add", case["name"])
        self.assertEqual({f["operation"] for f in report["failures"]}, {"MUL"})
        waivers = report["waivers"]
        self.assertEqual([w["state"] for w in waivers], ["holds", "expired", "holds"])
        self.assertEqual(waivers[0]["failed"], report["counts"]["WAIVED"])
        self.assertEqual(waivers[2]["failed"] + waivers[2]["passed"], 0)
        told = [f["detail"] for f in report["findings"] if f["kind"] == "WAIVER"]
        self.assertIn("has expired after 2020-01-31", told[-2])
        self.assertIn("names no test that was run", told[-1])
        # With nothing left that fails the run does not either, and a bad file is told at once.
        result = self.nncert(*arguments[:3], "--filter=^GeneratedTests.*add_quant8", *arguments[4:])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        (self.folder / "waivers.toml").write_text("[[waiver]]\n")
        result = self.nncert(*arguments)
        self.assertEqual(result.returncode, 2)
        self.assertIn("waivers.toml:1: a waiver has a text", result.stderr)

    def test_a_driver_is_certified_by_all_random_graphs(self) -> None:
        result = self.nncert(
            "certify", "--driver=sample", "--out=report", "--graphs=20", "--suites=random_graphs"
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        left_out = ", ".join(self.suites()[:-1])
        self.assertRegex(
            result.stdout,
            rf"\nINCOMPLETE: \d+ of \d+ random graphs were not run; left out: {left_out}\n$",
        )
        suites = ElementTree.parse(self.folder / "report/junit.xml").getroot()
        self.assertEqual(suites.get("errors"), "1")
        graphs = json.loads((self.folder / "report/report.json").read_text())["randomGraphs"]
        self.assertEqual(graphs["graphs"], 20)
        self.assertEqual(sum(graphs["counts"].values()), graphs["graphs"])
        self.assertEqual(graphs["failures"], [])

    def test_suites_are_listed_and_chosen(self) -> None:
        names = self.suites()
        self.assertEqual(names[:2], ["specs", "systematic"])
        self.assertEqual(names[-1], "random_graphs")
        self.assertIn("validate_request", names)
        self.assertIn(
            f'there is no suite "nothing"; expected some of {", ".join(names)}',
            self.refuse("certify", "--suites=specs,nothing"),
        )
        # Tests of a few cases: all of them are a Bazel test.
        arguments = (
            "certify",
            "--out=report",
            "--suites=validate_request",
            "--filter=Test\\.add",
        )
        output = self.succeed(*arguments, "--driver=sample")
        left_out = ", ".join(name for name in names if name != "validate_request")
        self.assertRegex(
            output,
            rf"\nINCOMPLETE: nothing failed; left out: {left_out}, "
            r"all tests that --filter does not match\n$",
        )
        report = json.loads((self.folder / "report/report.json").read_text())
        self.assertEqual([suite["name"] for suite in report["suites"]], ["validate_request"])
        result = self.nncert(*arguments, "--driver=faulty:request_overlap")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(
            result.stdout, r"\nNOT CERTIFIED: \d+ of \d+ tests of invalid requests failed, in "
        )
        report = json.loads((self.folder / "report/report.json").read_text())
        failures = report["validateRequest"]["failures"]
        self.assertEqual([failure["check"] for failure in failures], ["aliasOutputTest"])
        self.assertIn("expected INVALID_ARGUMENT", failures[0]["detail"])
        # The test that failed can be run alone, and the report of all stays.
        self.assertIn("\n    " + failures[0]["reproduce"] + "\n", result.stdout)
        again = self.shell(failures[0]["reproduce"])
        self.assertEqual(again.returncode, 1, again.stdout)
        self.assertIn("\nNOT CERTIFIED: 1 of 1 test of invalid requests failed, in ", again.stdout)
        kept = json.loads((self.folder / "report/report.json").read_text())
        self.assertEqual(kept, report)

    def test_tests_of_all_suites_are_filtered(self) -> None:
        output = self.succeed(
            "certify", "--driver=sample", "--out=report", "--filter=^add_activations_none$"
        )
        report = json.loads((self.folder / "report/report.json").read_text())
        cases = {suite["name"]: suite["cases"] for suite in report["suites"]}
        self.assertEqual(cases["specs"], 1)
        self.assertEqual(cases["memory"], 1)
        self.assertNotIn("basic", cases)
        self.assertRegex(
            output,
            r"\nINCOMPLETE: nothing failed; left out: systematic, random_graphs, "
            r"all tests that --filter does not match\n$",
        )
        for expression, error in {
            "^nothing is called that$": "--filter leaves none of the tests",
            "(": "--filter: '(' is no regular expression",
        }.items():
            self.assertIn(error, self.refuse("certify", f"--filter={expression}"))

    def test_systematic_cases_are_a_suite_of_a_certification(self) -> None:
        both = "--suites=specs,systematic"
        arguments = [
            "certify",
            "--out=report",
            "--filter=(^|_)add_v1_0_float32_1$|^add_lower",
            both,
        ]
        self.succeed(*arguments, "--driver=sample")
        report = json.loads((self.folder / "report/report.json").read_text())
        names = [case["name"] for case in report["cases"]]
        self.assertEqual(names[-1], "systematic_add_v1_0_float32_1")
        suites = {suite["name"]: suite for suite in report["suites"]}
        self.assertEqual(list(suites), ["specs", "systematic"])
        self.assertGreater(suites["specs"]["cases"], 0)
        self.assertEqual(suites["systematic"]["counts"], {"PASS": 1})
        self.assertEqual(len(names), suites["specs"]["cases"] + 1)
        # What no bundled spec asks for.
        fault = "faulty:first_element@operation=ADD@first_constant"
        arguments = ["certify", "--out=report", "--filter=^(systematic_)?add_", f"--driver={fault}"]
        arguments += _NOTHING_AFTER
        self.assertNotIn("NOT CERTIFIED", self.nncert(*arguments, "--suites=specs").stdout)
        self.assertRegex(
            self.nncert(*arguments, both).stdout,
            r"\nNOT CERTIFIED: \d+ of \d+ cases failed, in ADD\b",
        )

    def test_random_graphs_fail_a_certification(self) -> None:
        # No bundled case is that long.
        fault = "faulty:first_element@operation=RELU6@dimension>512"
        result = self.nncert(
            "certify",
            f"--driver={fault}",
            "--out=report",
            "--suites=random_graphs",
            "--graphs=9000",
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(
            result.stdout, r"\nNOT CERTIFIED: \d+ of \d+ random graphs failed, in RELU6\n$"
        )
        report = json.loads((self.folder / "report/report.json").read_text())
        failures = report["randomGraphs"]["failures"]
        self.assertEqual({failure["operation"] for failure in failures}, {"RELU6"})
        for failure in failures:
            self.assertEqual(self.nncert("run", f"--driver={fault}", failure["case"]).returncode, 1)
        suites = ElementTree.parse(self.folder / "report/junit.xml").getroot()
        self.assertEqual(len(suites.findall("testsuite/testcase/failure")), len(failures))

    def test_certify_fails_faulty_drivers(self) -> None:
        for driver in _FAULTY:
            with self.subTest(driver=driver):
                result = self.nncert(
                    "certify",
                    f"--driver={driver}",
                    "--out=report",
                    "--suites=specs",
                    "--filter=^(add|mul|relu|conv|concat)",
                    *_NOTHING_AFTER,
                )
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn("Failing operations", result.stdout)
                self.assertRegex(result.stdout, r"\nNOT CERTIFIED: \d+ of \d+ cases failed, .*\n$")
                report = json.loads((self.folder / "report/report.json").read_text())
                failed = report["counts"]["FAIL"]
                self.assertGreater(failed, 0)
                # Where an operation of several errs, it is there by itself as well.
                dumps = [
                    path
                    for path in (self.folder / "report/failures").rglob("*.case")
                    if "_operation_" not in path.name
                ]
                # Those of the driver before are gone.
                paths = {
                    shlex.split(case["detail"].splitlines()[-1])[-1]
                    for case in report["cases"]
                    if case["verdict"] == "FAIL"
                }
                self.assertEqual({str(path.relative_to(self.folder)) for path in dumps}, paths)
                suites = ElementTree.parse(self.folder / "report/junit.xml").getroot()
                self.assertEqual(len(suites.findall("testsuite/testcase/failure")), failed)

    def test_certify_writes_where_the_user_is(self) -> None:
        self.nncert("certify", "--driver=sample", "--suites=basic")
        self.assertTrue((self.folder / "nncert-report/report.json").is_file())

    def test_a_driver_that_supports_nothing_is_not_certified(self) -> None:
        result = self.nncert(
            "certify",
            f"--driver={MISBEHAVING}:supports_nothing",
            "--out=report",
            "--graphs=1",
            "--suites=specs,random_graphs",
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("\nNOT CERTIFIED: nothing was certified: ", result.stdout)


if __name__ == "__main__":
    unittest.main()
