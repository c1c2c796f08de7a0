# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What nncert refuses, and how it says so: wrong flags, drivers and files."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import unittest

from tools.nncert_test_case import FLOAT_SPEC, SpecsTest

_TEST_LIBRARIES = pathlib.Path("hal").absolute()
_SCHEMA = pathlib.Path("cases/test_case.capnp").absolute()


class RefusalsTest(SpecsTest):
    def test_file_without_cases_is_named(self) -> None:
        (self.folder / "empty.mod.py").write_text("")
        self.assertIn("empty.mod.py: there are no cases", self.refuse("run", "empty.mod.py"))

    def test_a_folder_that_cannot_be_read_is_an_error(self) -> None:
        # So deep that its path is too long, which root has no right to read either.
        above = os.open(self.specs, os.O_RDONLY)
        for _ in range(17):
            os.mkdir("d" * 250, dir_fd=above)
            below = os.open("d" * 250, os.O_RDONLY, dir_fd=above)
            os.close(above)
            above = below
        os.close(above)
        report = self.folder / "run.json"
        line = self.refuse("run", "--driver=sample", f"--json={report}", "specs")
        self.assertIn("the folder cannot be read: File name too long", line)
        self.assertEqual(json.loads(report.read_text())["counts"]["PASS"], 4)

    def test_wrong_use_is_refused(self) -> None:
        self.assertIn("did you mean --filter?", self.refuse("run", "--fliter=x", "specs"))
        self.assertIn("did you mean certify?", self.refuse("certfy"))
        self.assertIn("'run' needs PATH", self.refuse("run"))
        self.assertIn("--jobs needs a value", self.refuse("run", "specs", "--jobs"))
        self.assertIn("--jobs cannot be 'two'", self.refuse("run", "--jobs=two", "specs"))
        self.assertIn("static,dynamic", self.refuse("run", "--modes=burst", "specs"))
        self.assertIn("regular expression", self.refuse("run", "--filter=(", "specs"))
        self.assertIn("--filter", self.refuse("run", "--filter=no such case", "specs"))
        self.assertIn("takes no arguments", self.refuse("certify", "specs"))

    def test_wrong_drivers_are_refused(self) -> None:
        text = self.folder / "text.so"
        text.write_text("this is no shared object")
        for driver, part in {
            "no_such_driver": "sample",
            "./missing.so": "missing.so",
            str(self.folder): str(self.folder),
            str(text): "text.so",
            str(_TEST_LIBRARIES / "libno_driver.so"): "nncert_driver_abi",
            str(_TEST_LIBRARIES / "libother_abi_driver.so"): "ABI",
        }.items():
            with self.subTest(driver=driver):
                self.assertIn(part, self.refuse("run", f"--driver={driver}", "specs"))
                self.assertIn(part, self.refuse("certify", f"--driver={driver}"))

    def test_wrong_files_are_refused(self) -> None:
        self.assertIn("missing.mod.py", self.refuse("run", "missing.mod.py"))
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertIn("empty", self.refuse("run", "empty"))
        (self.folder / "notes.txt").write_text("no cases")
        self.assertIn("notes.txt", self.refuse("run", "notes.txt"))
        (self.folder / "noise.case").write_bytes(bytes(range(256)) * 40)
        self.assertIn("noise.case", self.refuse("run", "noise.case"))
        (self.folder / "nothing.case").write_bytes(b"")
        self.assertIn("nothing.case", self.refuse("run", "nothing.case"))

    def test_specs_with_errors_are_refused(self) -> None:
        for name, code in {
            "syntax": "model = Model(\n",
            "exception": FLOAT_SPEC + "\nraise RuntimeError('of no use')\n",
            "division": FLOAT_SPEC + "\nprint(1 / 0)\n",
            "operand": FLOAT_SPEC.replace("TENSOR_FLOAT32", "TENSOR_FLOAT33"),
            "exit": "import sys\nsys.exit(0)\n",
        }.items():
            with self.subTest(name=name):
                path = self.folder / f"{name}.mod.py"
                path.write_text(code)
                self.assertIn(f"{name}.mod.py", self.refuse("run", path.name))

    def _case_file(self) -> bytes:
        dump = self.folder / "dump"
        self.nncert("run", "--driver=faulty:all_nan", f"--dump={dump}", "--modes=static", "specs")
        (path,) = dump.glob("*.case")
        return path.read_bytes()

    def test_truncated_case_files_are_refused(self) -> None:
        whole = self._case_file()
        path = self.folder / "cut.case"
        for length in (len(whole) - 1, len(whole) - 8, len(whole) // 2, 8, 1):
            with self.subTest(length=length):
                path.write_bytes(whole[:length])
                self.assertIn("cut.case", self.refuse("run", "cut.case"))

    def _convert(self, formats: str, content: bytes) -> bytes:
        return subprocess.run(
            ["capnp", "convert", formats, str(_SCHEMA), "CaseFile"],
            input=content,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout

    def test_models_with_wrong_indexes_are_refused(self) -> None:
        case_file = json.loads(self._convert("binary:json", self._case_file()))
        path = self.folder / "index.case"
        for change in ("operation input", "operation output", "model input", "model output"):
            with self.subTest(change=change):
                changed = json.loads(json.dumps(case_file))
                # Nobody who changes a file by hand can know it.
                del changed["checksum"]
                model = changed["cases"][0]["model"]
                if change == "operation input":
                    model["operations"][0]["inputs"][0] = 1000
                elif change == "operation output":
                    model["operations"][0]["outputs"][0] = 4294967295
                elif change == "model input":
                    model["inputIndexes"][0] = 1000
                else:
                    model["outputIndexes"][0] = 1000
                path.write_bytes(self._convert("json:binary", json.dumps(changed).encode()))
                self.assertIn("index.case", self.refuse("run", "index.case"))

    def test_the_good_files_of_a_folder_run_although_one_is_broken(self) -> None:
        (self.specs / "broken.mod.py").write_text("model = Model(\n")
        report = self.folder / "run.json"
        line = self.refuse("run", "--driver=sample", f"--json={report}", "specs")
        self.assertIn("broken.mod.py", line)
        self.assertEqual(json.loads(report.read_text())["counts"]["PASS"], 4)

    def test_flags_say_what_they_expect(self) -> None:
        told = 0
        for command in self.commands():
            flags = set(re.findall(r"^  (--\w+)", self.succeed("help", command), re.MULTILINE))
            for flag in flags:
                # A flag that takes any text is let by, and the next one is not.
                line = self.refuse(command, f"{flag}=@#", "--no_such_flag")
                if f"{flag} cannot be '@#'" in line:
                    self.assertRegex(line, "'@#': expected [^@]+$")
                    told += 1
                else:
                    self.assertIn("no flag --no_such_flag", line)
        self.assertGreater(told, 50)

    def test_folders_are_no_files(self) -> None:
        for arguments in (
            ("certify", "--driver=sample", "--waivers=specs"),
            ("run", "--driver=sample", "--resume", "--journal=specs", "specs"),
            ("import", "specs", "--out=network.case"),
            ("compare", "specs", "specs"),
            ("merge", "specs", "specs"),
            ("submit", "specs"),
            ("verify-submission", "specs"),
            ("coverage", "--results=specs"),
            ("kill_rates", "--resume", "--journal=specs"),
        ):
            with self.subTest(arguments=arguments):
                self.assertIn("specs", self.refuse(*arguments))


if __name__ == "__main__":
    unittest.main()
