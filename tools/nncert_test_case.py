# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of nncert's commands begin with: a folder, nncert run in it, and two good specs."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest
from typing import Any

from tools.nncert_process import start

FLOAT_SPEC = """
a = Input("a", "TENSOR_FLOAT32", "{2, 2}")
b = Input("b", "TENSOR_FLOAT32", "{2, 2}")
c = Output("c", "TENSOR_FLOAT32", "{2, 2}")
model = Model().Operation("ADD", a, b, 0).To(c)
Example({a: [1, 2, 3, 4], b: [10, 20, 30, 40], c: [11, 22, 33, 44]})
"""

# Expects what no driver gives that adds.
WRONG_SPEC = FLOAT_SPEC.replace("33, 44", "33, 45")

QUANTIZED_SPEC = """
a = Input("a", "TENSOR_QUANT8_ASYMM", "{1, 4}, 0.5f, 0")
c = Output("c", "TENSOR_QUANT8_ASYMM", "{1, 4}, 0.5f, 0")
model = Model().Operation("RELU6", a).To(c)
Example({a: [0, 4, 8, 255], c: [0, 4, 8, 12]})
"""


class NncertTest(unittest.TestCase):
    """A test in a folder of its own, `folder`."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def nncert(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Runs nncert in the test's folder."""
        with start(self.folder, *arguments) as process:
            output, errors = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def shell(self, line: str) -> subprocess.CompletedProcess[str]:
        """Runs a line that nncert prints for people to copy."""
        return subprocess.run(
            ["sh", "-c", line],
            cwd=self.folder,
            env=dict(os.environ, BUILD_WORKING_DIRECTORY=str(self.folder)),
            stdout=subprocess.PIPE,
            text=True,
        )


class SpecsTest(NncertTest):
    """A test whose folder has the specs above in `specs`."""

    def setUp(self) -> None:
        super().setUp()
        self.specs = self.folder / "specs"
        self.specs.mkdir()
        (self.specs / "float.mod.py").write_text(FLOAT_SPEC)
        (self.specs / "quantized.mod.py").write_text(QUANTIZED_SPEC)

    def succeed(self, *arguments: str) -> str:
        result = self.nncert(*arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        # On a busy machine it may take so long that it tells how far it is.
        self.assertRegex(
            result.stderr, r"^(\d+ of \d+(, 0 failed| specs read)(, [\dhms]+ left)?\n)*$"
        )
        return result.stdout

    def refuse(self, *arguments: str) -> str:
        """Runs nncert on what it must refuse with one line; returns the line."""
        result = self.nncert(*arguments)
        self.assertEqual(result.returncode, 2, f"{arguments}: {result.stdout}{result.stderr}")
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, f"{arguments}: {result.stderr}")
        self.assertTrue(lines[0].startswith("nncert: "), lines[0])
        return lines[0]

    def commands(self) -> list[str]:
        """The names of nncert's commands, but for help."""
        listed = re.findall(r"^  (\w\S*) {2,}\S", self.succeed("help"), re.MULTILINE)
        self.assertIn("certify", listed)
        return [name for name in listed if name != "help"]

    def run_json(self, *arguments: str) -> Any:
        report = self.folder / "run.json"
        report.unlink(missing_ok=True)
        self.nncert("run", f"--json={report}", *arguments)
        return json.loads(report.read_text())
