# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of main.py and runner.py: the command line."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import unittest

from . import emit
from .main import UsageError, find_specs
from .testing import ADD, write_spec

GOOD = ADD + 'Example(values).AddVariations("relaxed")\n'

FOLDER = os.path.dirname(os.path.abspath(__file__))


class CommandLineTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "V1_2")
        self.out = os.path.join(folder.name, "out", "cases")

    def _write(self, source: str, name: str) -> str:
        return write_spec(self.folder, source, name + ".mod.py")

    def _run(self, *arguments: str, start: tuple[str, ...] = (FOLDER,)) -> tuple[int, str, str]:
        """The exit status, the standard output and the standard error."""
        command = [sys.executable, "-B", *start, *arguments]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONHASHSEED"}
        result = subprocess.run(command, capture_output=True, text=True, env=environment)
        return result.returncode, result.stdout, result.stderr

    def _read(self, *arguments: str) -> tuple[int, str, str]:
        return self._run(self.folder, "--out", self.out, *arguments)

    def _out(self) -> dict[str, bytes]:
        """The files that were written."""
        files = {}
        for name in os.listdir(self.out):
            with open(os.path.join(self.out, name), "rb") as file:
                files[name] = file.read()
        return files

    def test_writes_a_case_file_for_each_specification(self) -> None:
        self._write(GOOD, "b.extra")
        self._write(ADD + "Example(values).WithDynamicOutputShapeName(None)", "a")
        status, out, err = self._read()
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"^2 specs, 3 static cases, 2 dynamic cases in \d+\.\d s\n$")
        self.assertEqual(sorted(self._out()), ["a.case", "b.case"])

    def test_waits_for_room_for_its_processes(self) -> None:
        paths = [self._write(GOOD, name) for name in ("a", "b", "c")]
        # In a process of its own, since only one of one thread may fork: each fork and each start
        # of capnp fails twice before it works.
        program = f"""
import os, subprocess, sys
sys.path.insert(0, {os.path.dirname(FOLDER)!r})
from spec_reader import main
def busy(function, name):
    calls = [0]
    def call(*arguments, **named):
        calls[0] += 1
        if calls[0] % 3 != 0:
            raise BlockingIOError(11, name + ": no room")
        return function(*arguments, **named)
    return call
os.fork = busy(os.fork, "fork")
subprocess.run = busy(subprocess.run, "run")
sys.exit(main.main(sys.argv[1:]))
"""
        status, out, err = self._run(*paths, "--out", self.out, start=("-c", program))
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, "^3 specs, ")
        self.assertEqual(sorted(self._out()), ["a.case", "b.case", "c.case"])

    def test_says_which_specification_there_was_no_room_for(self) -> None:
        path = self._write(GOOD, "a")
        program = f"""
import os, sys
sys.path.insert(0, {os.path.dirname(FOLDER)!r})
from spec_reader import main, runner
def busy():
    raise BlockingIOError(11, "no room")
os.fork = busy
runner._FORK_PATIENCE = 0.1
sys.exit(main.main(sys.argv[1:]))
"""
        status, out, err = self._run(path, "--out", self.out, start=("-c", program))
        self.assertEqual(status, 1)
        self.assertIn("a.mod.py:1: no process to read it in", err)
        self.assertIn("no room", err)
        self.assertIn("1 specs failed", out)

    def test_quiet_prints_nothing_if_all_is_well(self) -> None:
        self._write(GOOD, "a")
        self.assertEqual(self._read("--quiet"), (0, "", ""))

    def test_runs_however_it_is_started(self) -> None:
        path = self._write(GOOD, "a")
        starts: tuple[tuple[str, ...], ...] = (
            (FOLDER,),
            (os.path.join(FOLDER, "__main__.py"),),
            ("-m", "generators.spec_reader"),
        )
        for start in starts:
            with self.subTest(start):
                os.makedirs(self.out, exist_ok=True)
                status, _, err = self._run(path, "--out", self.out, start=start)
                self.assertEqual((status, err), (0, ""))
                os.remove(os.path.join(self.out, "a.case"))

    def test_same_specifications_give_the_same_bytes(self) -> None:
        # Neither the hashes of strings nor unseeded random numbers may show.
        source = """
import random
names = sorted(range(1000), key=lambda _: random.random())[:9] + list({str(k) for k in range(99)})
Example({**values, a: [names[0], float(names[9])]})
"""
        for name in "abcd":
            self._write(ADD + source.replace("99", f"9{ord(name) % 10}"), name)
        self._read()
        first = self._out()
        self._read("--jobs", "1")
        self.assertEqual(self._out(), first)

    def test_one_bad_specification_spoils_no_other(self) -> None:
        self._write(GOOD, "a")
        bad = self._write("\n\nx = Input('x', ('FLOAT', []))", "b")
        worse = self._write("1 +", "c")
        self._write(GOOD, "d")
        status, out, err = self._read()
        self.assertEqual(status, 1)
        lines = err.splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[0].startswith(f"{bad}:3: unknown operand type 'FLOAT'"), err)
        self.assertTrue(lines[1].startswith(f"{worse}:1: SyntaxError: "), err)
        self.assertRegex(out, r"^2 specs, 4 static cases, 4 dynamic .* s, 2 specs failed\n$")
        self.assertEqual(sorted(self._out()), ["a.case", "d.case"])

    def test_specifications_cannot_disturb_each_other(self) -> None:
        self._write("import math, random; math.pi = 3; random.random = None\n" + GOOD, "a")
        self._write("import random; assert math.pi > 3.1 and random.random\n" + GOOD, "b")
        self._write("os.chdir('/'); os.environ.clear(); sys.path.clear()\n" + GOOD, "c")
        status, out, err = self._read("--jobs", "1")
        self.assertEqual((status, out.split(",")[0], err), (0, "3 specs", ""))

    def test_specification_that_loops_is_stopped_with_its_line(self) -> None:
        loop = self._write("x = 0\nwhile True:\n  x += 1\n", "a")
        self._write(GOOD, "b")
        start = time.monotonic()
        status, out, err = self._read("--time-limit", "1")
        self.assertLess(time.monotonic() - start, 60)
        self.assertEqual((status, out.split(",")[0]), (1, "1 specs"))
        self.assertRegex(err, rf"^{re.escape(loop)}:[23]: still running after 1 s; expected a spec")

    def test_specification_that_will_not_be_stopped_is_killed(self) -> None:
        deaf = "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nwhile True: pass"
        stubborn = self._write(deaf, "a")
        status, _, err = self._read("--time-limit", "0.5")
        self.assertEqual(status, 1)
        self.assertTrue(err.startswith(f"{stubborn}:1: killed, long after its time limit;"), err)

    def test_specification_that_kills_its_process_is_an_error(self) -> None:
        dead = self._write("\nimport ctypes\nctypes.string_at(0)", "a")
        gone = self._write("os._exit(0)", "b")
        status, _, err = self._read()
        self.assertEqual(status, 1)
        expected = f"{dead}:3: Python was killed by SIGSEGV; expected a specification that runs to"
        self.assertTrue(err.splitlines()[0].startswith(expected), err)
        expected = f"{gone}:1: Python exited with status 0; expected a specification that runs to"
        self.assertTrue(err.splitlines()[1].startswith(expected), err)

    def test_what_a_specification_prints_goes_to_standard_error(self) -> None:
        self._write("print('hello')\n" + GOOD, "a")
        _, out, err = self._read()
        self.assertEqual(err, "hello\n")
        self.assertNotIn("hello", out)

    def test_list_names_every_case_and_needs_no_folder(self) -> None:
        path = self._write(GOOD, "a")
        status, out, _ = self._run(path, "--list")
        self.assertEqual(status, 0)
        expected = [
            f"{path}\ta\ta_dynamic_output_shape\tV1_2",
            f"{path}\ta_relaxed\ta_dynamic_output_shape_relaxed\t",
        ]
        self.assertEqual(out.splitlines()[:2], expected)
        self.assertFalse(os.path.exists(self.out))

    def test_warnings_are_printed_and_are_no_failure(self) -> None:
        path = self._write(GOOD + "Example.SetVersion('V1_0', 'x')", "a")
        status, _, err = self._read()
        self.assertEqual(status, 0)
        self.assertTrue(err.startswith(f"{path}:8: warning: SetVersion of x"), err)

    def test_missing_tool_is_an_error_of_each_specification(self) -> None:
        path = self._write(GOOD, "a")
        status, _, err = self._read("--capnp", "/no/such/tool")
        self.assertEqual(status, 1)
        self.assertTrue(err.startswith(f"{path}:1: FileNotFoundError"), err)

    def test_wrong_command_lines_are_usage_errors(self) -> None:
        path = self._write(GOOD, "a")
        os.makedirs(os.path.join(self.folder, "empty"))
        for arguments, message in (
            ((), "the following arguments are required: PATH"),
            ((path,), "--out FOLDER is missing"),
            ((path, "--out", self.out, "--jobs", "0"), "--jobs and --time-limit are above 0"),
            ((path, "--out", self.out, "--jobs", "x"), "argument --jobs: invalid int value"),
            (("nothing", "--out", self.out), "nothing: no such file; expected"),
            ((f"{self.folder}/empty", "--out", self.out), "no specification; expected files *.mod"),
            ((path, "--unknown"), "unrecognized arguments: --unknown"),
        ):
            with self.subTest(arguments):
                status, out, err = self._run(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertRegex(err, rf"^spec_reader: .*{re.escape(message)}")
                self.assertFalse(os.path.exists(self.out))


class FindSpecsTest(unittest.TestCase):
    def test_folders_are_searched_and_the_result_is_sorted(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            names = ["b.mod.py", "V1_0/a.mod.py", "V1_0/deep/c.mod.py", "d.py", "odd.spec"]
            for name in names:
                write_spec(folder, "", name)
            odd = os.path.join(folder, "odd.spec")
            found = [os.path.relpath(path, folder) for path in find_specs([odd, folder, odd])]
        expected = ["V1_0/a.mod.py", "V1_0/deep/c.mod.py", "b.mod.py", "odd.spec"]
        self.assertEqual(found, expected)

    def test_two_specifications_of_one_name_are_an_error(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("V1_0/a.mod.py", "V1_2/a.float.mod.py"):
                write_spec(folder, "", name)
            with self.assertRaisesRegex(UsageError, "two specifications of one name"):
                find_specs([folder])


class RunfilesTest(unittest.TestCase):
    def test_schema_is_found_beside_the_sources(self) -> None:
        self.assertTrue(os.path.isfile(emit.SCHEMA))
