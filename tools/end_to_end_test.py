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
import struct
import subprocess
import termios
import time
import unittest
import unittest.mock
from typing import Any

from tools.nncert_process import (
    MISBEHAVING,
    NNCERT,
    TWO_OPERATIONS_SPEC,
    hosts_of,
    start,
    wait_until,
)
from tools.nncert_test_case import FLOAT_SPEC, WRONG_SPEC, SpecsTest

_HOST = str(pathlib.Path("hal/transport/driver_host").absolute())

# What each faulty driver gets wrong in the specs above: the spec, and what its message must say.
_FAULTS = {
    "faulty:all_nan": ("float.mod.py", ["ADD", "[0, 0]", "expected 11", "actual nan"]),
    "faulty:quantized_off_by_two": (
        "quantized.mod.py",
        ["RELU6", "[0, 0]", "expected 0", "actual 2"],
    ),
    "faulty:wrong_shape": ("float.mod.py", ["ADD", "[2, 2]", "[3, 2]"]),
}


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
        (self.specs / "float.mod.py").write_text(WRONG_SPEC)
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
            ("specs", "--out=none.case", "--filter=("): "--filter: '(' is no regular expression",
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
        for kind, words in {"execute_hang": "is stalled", "execute_work_on": "is slow"}.items():
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

    def test_enclosures_hold(self) -> None:
        output = self.succeed("enclosures", "--json=enclosures.json", "specs")
        self.assertIn("ADD", output)
        report = json.loads((self.folder / "enclosures.json").read_text())
        self.assertEqual(report["violations"], [])
        self.assertEqual({row["operation"] for row in report["operations"]}, {"ADD", "RELU6"})

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


if __name__ == "__main__":
    unittest.main()
