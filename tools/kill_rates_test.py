# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert kill_rates, as people use it."""

from __future__ import annotations

import json
import subprocess
import unittest

from tools.nncert_test_case import NncertTest


class KillRatesTest(NncertTest):
    def kill_rates(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.nncert("kill_rates", *arguments)

    def test_it_says_what_suites_find(self) -> None:
        arguments = ["--rules=^all_(nan|zero)$", "--filter=_relu6_", "--json=rates.json"]
        arguments += ["--markdown=rates.md", "--journal=journal"]
        (self.folder / "rates.md").write_text("# Of old\n")
        result = self.kill_rates(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(
            result.stdout,
            r"(?m)^all_nan: (\d+) of \1 operations, \d+ of \d+ under conditions; 1 r",
        )
        rates = json.loads((self.folder / "rates.json").read_text())
        self.assertEqual(rates["suites"], ["specs", "systematic"])
        for figures in (rates, rates["conditional"], *rates["classes"], *rates["operations"]):
            found = figures["killed"] + figures["suspect"] + figures["biased"]
            self.assertEqual(figures["units"], found + figures["survived"])
            self.assertEqual(figures["survived"], sum(figures["reasons"].values()))
        units = rates["units"] + rates["conditional"]["units"]
        self.assertEqual(len(rates["list"]), units)
        self.assertEqual(sum(entry["units"] for entry in rates["classes"]), units)
        self.assertEqual([entry["suite"] for entry in rates["bySuite"]], rates["suites"])
        for unit in rates["list"]:
            if unit["outcome"] == "failed":
                self.assertIn("_relu6_", unit["test"])
        document = (self.folder / "rates.md").read_text()
        self.assertTrue(document.startswith("# Of old\n<!-- From here on"), document)
        # A run that is complete says the same again.
        before = (self.folder / "rates.json").read_text()
        self.assertEqual(self.kill_rates(*arguments, "--resume").returncode, 0)
        self.assertEqual((self.folder / "rates.json").read_text(), before)

    def test_random_graphs_are_a_suite(self) -> None:
        result = self.kill_rates(
            "--suites=random_graphs",
            "--graphs=40",
            "--rules=^all_nan$",
            "--noconditions",
            "--json=rates.json",
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        rates = json.loads((self.folder / "rates.json").read_text())
        self.assertEqual(rates["suites"], ["random_graphs"])
        self.assertGreater(rates["killed"], 0)
        # There are other operations that the rule changes, which no graph has.
        self.assertGreater(rates["reasons"]["not_reached"], 0)
        self.assertEqual(rates["conditional"]["units"], 0)

    def test_wrong_use_is_refused(self) -> None:
        for arguments, error in {
            ("--suites=basic",): "expected some of specs, systematic, random_graphs",
            ("--rules=^execute_hangs$",): "--rules leaves none of the rules about operations",
            ("--rules=(",): "--rules: '(' is no regular expression",
            ("--filter=^nothing is called that$",): "there are no cases left",
            ("--resume",): "--journal",
            ("--resume", "--journal=none", "--filter=_relu6_"): "there is no run to go on with",
        }.items():
            with self.subTest(arguments=arguments):
                result = self.kill_rates(*arguments)
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertIn(error, result.stderr)


if __name__ == "__main__":
    unittest.main()
