# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""GoogleTest sources that nncert wrote, compiled, on drivers that are not as they should be."""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

_SAMPLE = "drivers/sample/libsample.so"
_FAULTY = "drivers/faulty/libfaulty.so"
_MINIMAL = "docs/examples/libminimal_driver.so"

# What has no element that could be wrong: a model that must fail, and empty outputs.
_WITHOUT_ELEMENTS = ("forbidden_", "empty_batch_")


class ConvertedCasesTest(unittest.TestCase):
    def run_tests(self, program: str, driver: str | None) -> tuple[int, dict[str, str]]:
        """The exit status, and each test's outcome: "passed", "skipped" or what it failed with."""
        environment = {name: value for name, value in os.environ.items() if name != "NNCERT_DRIVER"}
        if driver is not None:
            environment["NNCERT_DRIVER"] = driver
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder, "report.xml")
            # The report of this test and its shards are not the program's.
            for name in ("XML_OUTPUT_FILE", "TEST_TOTAL_SHARDS", "TESTBRIDGE_TEST_ONLY"):
                environment.pop(name, None)
            status = subprocess.run(
                [f"tools/{program}", f"--gtest_output=xml:{report}"],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            ).returncode
            outcomes = {}
            for test in xml.etree.ElementTree.parse(report).iter("testcase"):
                failure = test.find("failure")
                outcome = "skipped" if test.find("skipped") is not None else "passed"
                if failure is not None:
                    outcome = failure.attrib["message"]
                outcomes[test.attrib["name"]] = outcome
        return status, outcomes

    def test_they_fail_where_every_last_element_is_wrong(self) -> None:
        status, outcomes = self.run_tests("converted_cases_test", f"{_FAULTY}:last_element")
        self.assertEqual(status, 1)
        self.assertEqual(len(outcomes), 25)
        for name, outcome in outcomes.items():
            if name.startswith(_WITHOUT_ELEMENTS):
                self.assertEqual(outcome, "passed", name)
            else:
                self.assertRegex(outcome, "expected .*actual|there is no row for", name)

    def test_they_fail_where_the_driver_breaks_its_promise(self) -> None:
        status, outcomes = self.run_tests("converted_cases_test", f"{_FAULTY}:execute_refuses")
        self.assertEqual(status, 1)
        for name, outcome in outcomes.items():
            if name.startswith("forbidden_"):
                self.assertEqual(outcome, "passed", name)
            else:
                self.assertIn("claims to support every operation, but", outcome, name)

    def test_they_are_skipped_where_the_model_is_not_supported(self) -> None:
        status, outcomes = self.run_tests("converted_cases_test", _MINIMAL)
        self.assertEqual(status, 0)
        passed = {name for name, outcome in outcomes.items() if outcome == "passed"}
        # What must fail may be refused as well.
        self.assertEqual(
            {name.split("_")[0] for name in passed}, {"add", "forbidden"}, sorted(passed)
        )
        self.assertEqual(set(outcomes.values()), {"passed", "skipped"})

    def test_they_are_skipped_where_the_extension_is_not_listed(self) -> None:
        status, outcomes = self.run_tests("converted_extension_cases_test", _SAMPLE)
        self.assertEqual(status, 0)
        self.assertEqual(set(outcomes.values()), {"skipped"})

    def test_they_do_not_pass_without_a_driver(self) -> None:
        for driver in (None, "no/such/driver.so"):
            status, outcomes = self.run_tests("converted_cases_test", driver)
            self.assertEqual(status, 1)
            self.assertFalse({"passed", "skipped"} & set(outcomes.values()))


if __name__ == "__main__":
    unittest.main()
