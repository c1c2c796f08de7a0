# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The driver of docs/writing_a_driver.md is there verbatim, and runs."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

_ADD = """
a = Input("a", "TENSOR_FLOAT32", "{2, 3}")
b = Input("b", "TENSOR_FLOAT32", "{2, 3}")
c = Output("c", "TENSOR_FLOAT32", "{2, 3}")
model = Model().Operation("ADD", a, b, 0).To(c)
Example({a: [1, 2, 3, 4, 5, 6], b: [10, 20, 30, 40, 50, 60], c: [11, 22, 33, 44, 55, 66]})
"""

_ADD_RELU = _ADD.replace("a, b, 0", "a, b, 1")

_MUL = """
a = Input("a", "TENSOR_FLOAT32", "{2}")
b = Input("b", "TENSOR_FLOAT32", "{2}")
c = Output("c", "TENSOR_FLOAT32", "{2}")
model = Model().Operation("MUL", a, b, 0).To(c)
Example({a: [1, 2], b: [10, 20], c: [10, 40]})
"""


class MinimalDriverTest(unittest.TestCase):
    def test_the_document_has_the_code_verbatim(self) -> None:
        document = pathlib.Path("docs/writing_a_driver.md").read_text()
        blocks = re.findall(r"^```cpp\n(.*?)^```$", document, re.DOTALL | re.MULTILINE)
        self.assertIn(pathlib.Path("docs/examples/minimal_driver.cc").read_text(), blocks)

    def test_it_is_about_fifty_lines(self) -> None:
        code = pathlib.Path("docs/examples/minimal_driver.cc").read_text()
        self.assertLess(len(code.splitlines()), 60)

    def _run(self, spec: str) -> list[dict[str, str]]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "minimal.mod.py")
            path.write_text(spec)
            report = pathlib.Path(folder, "report.json")
            command = [
                "tools/nncert",
                "run",
                "--driver=docs/examples/libminimal_driver.so",
                f"--json={report}",
                str(path),
            ]
            result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(result.returncode, 0, result.stdout.decode())
            cases: list[dict[str, str]] = json.loads(report.read_text())["cases"]
            return cases

    def test_it_passes_what_it_supports(self) -> None:
        cases = self._run(_ADD)
        self.assertEqual([case["verdict"] for case in cases], ["PASS", "PASS"])
        self.assertEqual([case["mode"] for case in cases], ["static", "dynamic"])

    def test_it_says_no_to_the_rest(self) -> None:
        for spec in (_ADD_RELU, _MUL):
            cases = self._run(spec)
            self.assertEqual([case["verdict"] for case in cases], ["UNSUPPORTED", "UNSUPPORTED"])


if __name__ == "__main__":
    unittest.main()
