# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert coverage as people use it: on the bundled specs, on files of theirs and on bad ones."""

from __future__ import annotations

import json
import unittest
from typing import Any

from pages.testing import chromium
from tools.nncert_process import TWO_OPERATIONS_SPEC
from tools.nncert_test_case import NncertTest

_RELU6_SPEC = """
a = Input("a", "TENSOR_FLOAT32", "{2}")
b = Output("b", "TENSOR_FLOAT32", "{2}")
model = Model().Operation("RELU6", a).To(b)
Example({a: [-1.5, 7], b: [0, 6]})
"""

# Operations of which the bundled specs had no case in half precision when this was written.
_KNOWN_HOLES = {
    "BIDIRECTIONAL_SEQUENCE_LSTM",
    "RNN",
    "SQUEEZE",
    "SVDF",
    "UNIDIRECTIONAL_SEQUENCE_LSTM",
}


class CoverageTest(NncertTest):
    def coverage(self, *arguments: str) -> dict[str, Any]:
        """What nncert coverage writes for programs."""
        done = self.nncert("coverage", "--json=coverage.json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        result: dict[str, Any] = json.loads((self.folder / "coverage.json").read_text())
        return result

    def entry(self, coverage: dict[str, Any], operation: str, kind: str) -> dict[str, Any]:
        """The entry of an operation and type."""
        (found,) = [
            entry
            for entry in coverage["operations"]
            if (entry["operation"], entry["type"]) == (operation, kind)
        ]
        result: dict[str, Any] = found
        return result

    def test_bundled_specs_by_default(self) -> None:
        coverage = self.coverage()
        never_met = [e["operation"] for e in coverage["operations"] if e["count"] == 0]
        self.assertLessEqual(set(never_met), _KNOWN_HOLES)
        for number in ["met", "of"]:
            self.assertEqual(sum(e[number] for e in coverage["operations"]), coverage[number])
            self.assertEqual(sum(k[number] for k in coverage["kinds"]), coverage[number])
        for entry in coverage["operations"]:
            missing = sum(len(names) for names in entry["missing"].values())
            self.assertEqual(entry["of"] - entry["met"], missing, entry)

    def test_a_file_is_held_against_all_that_can_be_asked(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        coverage = self.coverage("two.mod.py")
        self.assertEqual(coverage["edges"], [{"from": "RELU", "to": "FLOOR", "count": 1}])
        floor = self.entry(coverage, "FLOOR", "TENSOR_FLOAT32")
        self.assertEqual(floor["features"]["internal"], 1)
        self.assertEqual(floor["missing"]["rank"], ["rank=2", "rank=3", "rank=4"])
        self.assertNotIn("layout", floor["missing"])
        convolution = self.entry(coverage, "CONV_2D", "TENSOR_QUANT8_ASYMM")
        self.assertEqual(convolution["met"], 0)
        self.assertEqual(convolution["missing"]["rank"], ["rank=4"])
        self.assertEqual(
            convolution["missing"]["activation"], [f"activation: {i}" for i in range(4)]
        )
        self.assertIn("filter=TENSOR_QUANT8_SYMM_PER_CHANNEL", str(convolution["missing"]))
        self.assertIn("strideWidth: >1", convolution["missing"]["attribute"])
        self.assertNotIn("strideWidth: 0", convolution["missing"]["attribute"])

    def test_only_what_a_run_executed_counts(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        (self.folder / "one.mod.py").write_text(_RELU6_SPEC)
        run = self.nncert("run", "--journal=journal", "--in_process", "one.mod.py")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        coverage = self.coverage("--results=journal", "one.mod.py", "two.mod.py")
        self.assertEqual(coverage["cases"], 1)
        self.assertEqual([e["operation"] for e in coverage["operations"] if e["count"]], ["RELU6"])

    def test_page_shows_every_figure(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        coverage = self.coverage("--html=page.html", "two.mod.py")
        with chromium.Browser() as browser:
            page = browser.open(str(self.folder / "page.html"), 1280, 900)
            rows = page.evaluate(
                "[...document.querySelectorAll('#matrix tbody tr')].map("
                "row => [...row.cells].slice(0, 4).map(cell => cell.textContent))"
            )
            self.assertEqual(page.complaints, [])
        self.assertEqual(
            rows,
            [
                [
                    entry["operation"],
                    entry["type"].removeprefix("TENSOR_"),
                    str(entry["count"]),
                    f"{entry['met']}/{entry['of']}",
                ]
                for entry in coverage["operations"]
            ],
        )

    def test_bad_input(self) -> None:
        (self.folder / "bad.mod.py").write_text("no spec")
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        (self.folder / "text").write_text("no journal")
        for arguments, message in [
            (["none.mod.py"], "none.mod.py"),
            (["bad.mod.py", "two.mod.py"], "bad.mod.py"),
            (["two.mod.py", "--results=none"], "none: cannot be opened"),
            (["two.mod.py", "--results=text"], "text: it is no journal"),
            (["two.mod.py", "--filter=["], "--filter: "),
            (["two.mod.py", "--filter=three"], "there are no cases left"),
            (["two.mod.py", "--json=two.mod.py/a.json"], "two.mod.py"),
        ]:
            with self.subTest(arguments):
                done = self.nncert("coverage", *arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
