# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert as people use it: from a shell."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import shlex
import signal
import struct
import subprocess
import termios
import time
import unittest
import unittest.mock
import xml.etree.ElementTree as ElementTree
from typing import Any

from tools.nncert_process import (
    MISBEHAVING,
    NNCERT,
    TWO_OPERATIONS_SPEC,
    hosts_of,
    start,
    wait_until,
)
from tools.nncert_test_case import FLOAT_SPEC, SpecsTest

_CASES = pathlib.Path("spec_tests/specs/V1_1").absolute()
_HOST = str(pathlib.Path("hal/transport/driver_host").absolute())
_WRONG_EXPECTATION = FLOAT_SPEC.replace("33, 44", "33, 45")

# What each faulty driver gets wrong in the specs above: the spec, and what its message must say.
_FAULTS = {
    "faulty:all_nan": ("float.mod.py", ["ADD", "[0, 0]", "expected 11", "actual nan"]),
    "faulty:quantized_off_by_two": (
        "quantized.mod.py",
        ["RELU6", "[0, 0]", "expected 0", "actual 2"],
    ),
    "faulty:wrong_shape": ("float.mod.py", ["ADD", "[2, 2]", "[3, 2]"]),
}

# The suites of the interface's calls take longer than most tests here have anything to do with.
_QUICK = "--suites=specs,random_graphs"


class EndToEndTest(SpecsTest):
    def test_endless_spec_ends_with_the_time(self) -> None:
        (self.folder / "endless.mod.py").write_text("while True:\n    pass\n")
        result = self.nncert("run", "--driver=sample", "--time-limit=1s", "endless.mod.py")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertIn("the time is over", result.stderr)
        refused = self.refuse("run", "--driver=sample", "--time_limit=0s", "specs")
        self.assertIn("expected more than zero", refused)

    def test_specs_are_read_once(self) -> None:
        cache = self.folder / "cache"
        with unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME=str(cache)):
            self.succeed("run", "--list", "--no-cache", "specs")
            self.assertFalse(cache.exists())
            listed = self.succeed("run", "--list", "specs")
            entries = {path: path.stat().st_ino for path in (cache / "nncert/specs").iterdir()}
            self.assertEqual(len(entries), 2)
            self.assertEqual(self.succeed("run", "--list", "specs"), listed)
            again = {path: path.stat().st_ino for path in (cache / "nncert/specs").iterdir()}
            self.assertEqual(again, entries)
        with unittest.mock.patch.dict(os.environ, XDG_CACHE_HOME="/proc/none", HOME="relative"):
            self.assertEqual(self.succeed("run", "--list", "specs"), listed)

    def test_progress_has_room_on_any_terminal(self) -> None:
        (self.specs / "slow.mod.py").write_text("import time\ntime.sleep(2)\n" + FLOAT_SPEC)
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 20, 0, 0))
        with subprocess.Popen(
            [NNCERT, "run", "--driver=sample", "--no_cache", "specs"],
            env=dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.folder)),
            stdout=subprocess.DEVNULL,
            stderr=slave,
        ) as process:
            os.close(slave)
            told = b""
            with contextlib.suppress(OSError), open(master, "rb", buffering=0) as terminal:
                while more := terminal.read(4096):
                    told += more
        self.assertEqual(process.returncode, 0, told)
        lines = told.decode().split("\r\x1b[K")
        self.assertTrue(any(line.startswith("2 of 3 specs read") for line in lines), lines)
        self.assertLess(max(map(len, lines)), 20, lines)

    def test_printed_commands_call_the_program_that_was_called(self) -> None:
        arguments = ["run", "--driver=faulty:all_nan", "specs"]
        environment = dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.folder))
        link = self.folder / "my nncert"
        link.symlink_to(NNCERT)
        for called, printed in (
            ("nncert", "nncert run --driver "),
            (str(link), f"'{link}' run --driver "),
            (os.path.relpath(NNCERT), f"{NNCERT} run --driver "),
        ):
            process = subprocess.run(
                [called, *arguments],
                executable=NNCERT,
                env=environment,
                stdout=subprocess.PIPE,
                text=True,
            )
            self.assertIn("\n  " + printed, process.stdout)

    def test_help_and_version(self) -> None:
        overview = self.succeed("help")
        self.assertEqual(self.succeed("--help"), overview)
        self.assertEqual(self.succeed("-h"), overview)
        for command in self.commands():
            text = self.succeed("help", command)
            widest = max(text.splitlines(), key=len)
            self.assertLessEqual(len(widest), 80, f"{command}: {widest}")
            self.assertIn(f"Usage: nncert {command} ", text)
            self.assertEqual(self.succeed(command, "--help"), text)
        version = self.succeed("--version")
        self.assertRegex(version, r"^nncert \d+\.\d+\.\d+\n$")
        self.assertEqual(self.succeed("-v"), version)

    def test_run_passes_on_the_sample_driver(self) -> None:
        output = self.succeed("run", "--driver=sample", "specs")
        self.assertIn("\nUNSUPPORTED 0.0% (0 of 4 cases)\nPASS 4\n", output)

    def test_run_writes_json(self) -> None:
        report = self.run_json("--driver", "sample", "specs/float.mod.py", "specs")
        self.assertEqual(set(report), {"driver", "driverVersion", "findings", "counts", "cases"})
        self.assertEqual(report["driver"], "sample")
        self.assertEqual(report["findings"], [])
        self.assertEqual(report["counts"]["PASS"], 6)
        self.assertEqual(sum(report["counts"].values()), 6)
        self.assertEqual(
            report["cases"][0],
            {
                "name": "float",
                "mode": "static",
                "operation": "ADD",
                "type": "TENSOR_FLOAT32",
                "verdict": "PASS",
                "detail": "",
            },
        )

    def test_run_takes_modes_and_filters(self) -> None:
        names = self.succeed("run", "--list", "specs").splitlines()
        self.assertEqual(len(names), 4)
        self.assertEqual(len(set(names)), 4)
        self.assertEqual(
            self.succeed("run", "--list", "--modes=static", "specs").splitlines(),
            ["float", "quantized"],
        )
        self.assertEqual(
            self.succeed("run", "--list", "--modes", "static", "--filter", "^q", "specs"),
            "quantized\n",
        )
        report = self.run_json("--modes=dynamic", "--filter=float", "specs")
        self.assertEqual([case["mode"] for case in report["cases"]], ["dynamic"])

    def test_list_needs_no_driver(self) -> None:
        self.assertEqual(
            self.succeed("run", "--list", "--driver=./no_such_file.so", "specs"),
            self.succeed("run", "--list", "specs"),
        )

    def test_the_number_of_jobs_changes_nothing(self) -> None:
        one = self.run_json("--jobs=1", "--driver=faulty:all_nan", "specs")
        four = self.run_json("--jobs=4", "--driver=faulty:all_nan", "specs")
        self.assertEqual(one, four)

    def test_a_wrong_expectation_does_not_pass(self) -> None:
        (self.specs / "float.mod.py").write_text(_WRONG_EXPECTATION)
        result = self.nncert("run", "--driver=sample", "--modes=static", "specs/float.mod.py")
        self.assertIn("\nPASS 0 ", result.stdout)
        self.assertIn(" GeneratedTests.float: ADD ", result.stdout)
        for part in ("[1, 1]", "expected 45", "actual 44"):
            self.assertIn(part, result.stdout)

    def test_faulty_drivers_fail_with_evidence_that_fails_again(self) -> None:
        for driver, (spec, parts) in _FAULTS.items():
            with self.subTest(driver=driver):
                dump = self.folder / driver.replace(":", "_")
                result = self.nncert("run", f"--driver={driver}", f"--dump={dump}", f"specs/{spec}")
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                for part in parts:
                    self.assertIn(part, result.stdout)
                dumped = sorted(dump.iterdir())
                self.assertEqual(
                    {path.name.split(".", 1)[1] for path in dumped},
                    {"case", "mod.py", "cc", "dot"},
                )
                for path in dumped:
                    if path.suffix in (".cc", ".dot"):
                        continue
                    again = self.nncert("run", f"--driver={driver}", str(path))
                    self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
                    for part in parts:
                        self.assertIn(part, again.stdout)
                    self.succeed("run", "--driver=sample", str(path))

    def test_cases_are_converted(self) -> None:
        self.succeed("convert", "specs", "--out=both.case")
        self.assertEqual(
            self.succeed("run", "--list", "both.case"), self.succeed("run", "--list", "specs")
        )
        one = ("convert", "both.case", "--filter=^float$")
        self.succeed(*one, "--out=again.mod.py")
        self.assertIn("PASS 2\n", self.succeed("run", "--driver=sample", "again.mod.py"))
        self.succeed(*one, "--out=float_test.cc")
        self.assertIn("\nTEST(GeneratedTests, float) {", self.read("float_test.cc"))
        self.succeed(*one, "--out=float.dot")
        self.assertIn("digraph", self.read("float.dot"))

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()

    def test_what_cannot_be_converted_is_said(self) -> None:
        for arguments, error in {
            ("specs",): "say where to write the cases: --out=FILE",
            ("specs", "--out=both.txt"): "expected a name that ends in .case, .mod.py, .cc or .dot",
            ("specs", "--out=both.cc"): "both.cc: there are 2 cases; only a case file",
            ("specs", "--out=none.case", "--filter=nothing"): "specs: there are no cases that",
            ("specs", "missing.case", "--out=both.case"): "missing.case",
            ("specs", "--out=no/such/folder/both.case"): "no/such/folder",
        }.items():
            self.assertIn(error, self.refuse("convert", *arguments))
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"specs"})

    def test_the_reproduce_line_reproduces(self) -> None:
        flags = ("--unpinned", "--memory=3G", "--deadline=7s", "--plain")
        result = self.nncert("run", "--driver=faulty:all_nan", "--dump=it's here", *flags, "specs")
        lines = [
            line.strip()
            for line in result.stdout.splitlines()
            if line.strip().startswith(f"{NNCERT} run ")
        ]
        self.assertTrue(lines, result.stdout)
        self.assertIn(" --unpinned --memory 3G --deadline 7s --plain ", lines[0])
        self.assertEqual(self.shell(lines[0]).returncode, 1)

    def shell(self, line: str) -> subprocess.CompletedProcess[str]:
        """Runs a line that nncert prints for people to copy."""
        return subprocess.run(
            ["sh", "-c", line],
            cwd=self.folder,
            env=dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.folder)),
            stdout=subprocess.PIPE,
            text=True,
        )

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
        chosen = ["specs", "basic", "extensions", "random_graphs"]
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
        self.assertLess(len(output.splitlines()), 20 + len(chosen) - 2)
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
        for name in names[1:-1]:
            member = re.sub("_(.)", lambda letter: letter[1].upper(), name)
            # "extensions" are those that the driver lists.
            member = {"extensions": "extensionTests"}.get(member, member)
            for check in report[member]["checks"]:
                self.assertGreater(check["passed"], 0, check["name"])
                self.assertEqual(check["failed"], 0, check["name"])
            self.assertEqual(report[member]["failures"], [])
        self.assertEqual(suites.get("tests"), str(len(cases)))
        self.assertEqual(suites.get("failures"), "0")
        graphs = report["randomGraphs"]
        self.assertGreaterEqual(graphs["graphs"], 14500)
        self.assertEqual(sum(graphs["counts"].values()), graphs["graphs"])
        self.assertEqual(graphs["failures"], [])

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
        for driver in _FAULTS:
            with self.subTest(driver=driver):
                result = self.nncert(
                    "certify",
                    f"--driver={driver}",
                    "--out=report",
                    "--suites=specs",
                    "--filter=^(add|mul|relu|conv|concat)",
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

    def _misbehave(self, kind: str, *arguments: str) -> Any:
        """The results of a driver that misbehaves so in a model of two operations, by mode."""
        (self.specs / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        result = self.nncert(
            "run", f"--driver={MISBEHAVING}:{kind}", "--json=run.json", *arguments, "specs"
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("Its processes: 2 restarts", result.stdout)
        report = json.loads((self.folder / "run.json").read_text())
        for case in report["cases"]:
            if not case["name"].startswith("two"):
                self.assertEqual(case["verdict"], "PASS", case)
        return {case["mode"]: case for case in report["cases"] if case["name"].startswith("two")}

    def test_a_crash_costs_its_case(self) -> None:
        for kind in ("prepare_crash", "execute_crash", "release_crash"):
            with self.subTest(kind=kind):
                for case in self._misbehave(kind, "--dump=dump").values():
                    self.assertEqual(case["verdict"], "CRASH")
                    self.assertIn("killed by SIGSEGV (Segmentation fault)", case["detail"])
                    self.assertIn(f"{NNCERT} run --driver ", case["detail"])
                self.assertTrue(list((self.folder / "dump").glob("two*.case")))
                self.assertFalse((self.folder / "dump/running").exists())

    def test_a_hang_costs_its_case(self) -> None:
        for kind, words in {"execute_hang": "is stalled", "execute_spin": "is slow"}.items():
            with self.subTest(kind=kind):
                for case in self._misbehave(kind, "--deadline=2s").values():
                    self.assertEqual(case["verdict"], "TIMEOUT")
                    self.assertIn("did not return within 2s: the driver " + words, case["detail"])

    def test_in_process_gives_the_same(self) -> None:
        isolated = self.run_json("--driver=faulty:quantized_off_by_two", "specs")
        here = self.run_json("--in_process", "--driver=faulty:quantized_off_by_two", "specs")
        # What is printed to run a case again says how it was run.
        self.assertIn(" --in_process ", json.dumps(here))
        self.assertEqual(json.loads(json.dumps(here).replace(" --in_process ", " ")), isolated)

    def test_nothing_is_left_behind(self) -> None:
        (self.specs / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        arguments = ("run", f"--driver={MISBEHAVING}:execute_hang", "specs")
        self.assertEqual(hosts_of(MISBEHAVING), set())
        self.nncert(*arguments, "--deadline=1s")
        self.assertEqual(hosts_of(MISBEHAVING), set())
        # Even when nncert itself is killed while the driver hangs.
        with start(self.folder, *arguments) as process:
            wait_until(lambda: len(hosts_of(MISBEHAVING)) > 0)
            time.sleep(1)
            process.kill()
        wait_until(lambda: len(hosts_of(MISBEHAVING)) == 0)

    def test_a_service_is_a_driver(self) -> None:
        socket = self.folder / "socket"
        self.assertIn(f"unix:{socket}", self.refuse("run", f"--driver=unix:{socket}", "specs"))
        host = [_HOST, f"--driver={MISBEHAVING}", "--option=execute_exit", f"--listen={socket}"]
        service = subprocess.Popen(host)
        self.addCleanup(service.wait)
        self.addCleanup(service.kill)
        wait_until(socket.exists)
        self.assertIn("PASS 4\n", self.succeed("run", f"--driver=unix:{socket}", "specs"))
        os.environ["NNCERT_DRIVER"] = "unix:socket"
        self.addCleanup(os.environ.pop, "NNCERT_DRIVER")
        self.assertIn("PASS 4\n", self.succeed("run", "specs"))
        self.assertIn("a service cannot run", self.refuse("run", "--in_process", "specs"))
        # When it ends, it is not for us to start it again.
        (self.specs / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        report = self.run_json("--jobs=1", "specs/two.mod.py")
        self.assertEqual(report["counts"]["CRASH"], 1)
        self.assertIn("the service closed the connection", report["cases"][0]["detail"])
        # What it was not asked is no result of its own, and who killed it is named.
        self.assertEqual(report["unfinished"], 1)
        self.assertIn("the driver was lost with GeneratedTests.two, and", report["lost"])
        result = self.nncert("run", "specs")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(service.wait(timeout=60), 3)

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
        driver = "faulty:quantized_off_by_two"
        arguments = (
            "certify",
            f"--driver={driver}",
            "--out=report",
            "--suites=specs",
            "--filter=conv_2d",
        )
        self.assertEqual(self.nncert(*arguments).returncode, 1)
        expected = self._cases_of_report()
        output = self._interrupt(signal.SIGTERM, "report/journal", *arguments, "--jobs=1")
        command = f"{NNCERT} certify --resume --driver {driver} --out report --jobs 1"
        command += " --deadline 1m --suites specs --filter conv_2d"
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
        arguments = ("certify", f"--driver={driver}", "--out=report", "--graphs=1", _QUICK)
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
        (self.specs / "float.mod.py").write_text(_WRONG_EXPECTATION)
        self.assertIn("the cases have changed", self.refuse(*arguments, "--driver=sample", "specs"))
        (self.specs / "quantized.mod.py").unlink()
        self.assertIn("4 cases", self.refuse(*arguments, "--driver=sample", "specs"))
        (self.folder / "journal").write_text("no journal")
        self.assertIn(
            "it is no journal of a run: begin the run anew",
            self.refuse(*arguments, "--driver=sample", "specs"),
        )

    def test_enclosures_hold(self) -> None:
        output = self.succeed("enclosures", "--json=enclosures.json", "specs")
        self.assertIn("ADD", output)
        report = json.loads((self.folder / "enclosures.json").read_text())
        self.assertEqual(report["violations"], [])
        self.assertEqual({row["operation"] for row in report["operations"]}, {"ADD", "RELU6"})

    def test_a_driver_that_supports_nothing_is_not_certified(self) -> None:
        result = self.nncert(
            "certify",
            f"--driver={MISBEHAVING}:supports_nothing",
            "--out=report",
            "--graphs=1",
            _QUICK,
        )
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("\nNOT CERTIFIED: nothing was certified: ", result.stdout)

    def test_no_driver_is_not_the_bundled_one(self) -> None:
        for command in (("run", "specs"), ("certify",)):
            self.assertIn("expected a driver", self.refuse(*command, "--driver="))
            self.assertIn("expected a driver", self.refuse(*command, "--driver", ""))
            with unittest.mock.patch.dict(os.environ, NNCERT_DRIVER=""):
                self.assertIn("NNCERT_DRIVER is empty", self.refuse(*command))

    def test_output_that_cannot_be_written_is_an_error(self) -> None:
        with open("/dev/full", "w") as full:
            for command in (
                ("run", "--driver=sample", "specs"),
                ("certify", "--driver=sample", "--suites=basic"),
            ):
                result = subprocess.run(
                    [NNCERT, *command],
                    env=dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.folder)),
                    stdout=full,
                    stderr=subprocess.PIPE,
                    text=True,
                )
                self.assertEqual(result.returncode, 2, command)
                self.assertEqual(
                    result.stderr.splitlines()[-1], "nncert: not all output could be written"
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
