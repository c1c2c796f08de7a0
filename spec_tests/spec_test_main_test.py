# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The spec suite as Bazel and GoogleTest see it."""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

_SUITE = "spec_tests/V1_1"
_CASES = sorted(str(path) for path in pathlib.Path("spec_tests/specs/V1_1").glob("*.case"))
_SAMPLE = "--driver=drivers/sample/libsample.so"
_FAULTY = "drivers/faulty/libfaulty.so:wrong_shape"
# A spec whose only output is not compared.
_VACUOUS_SPEC = """
a = Input("a", ("TENSOR_FLOAT32", [2]))
b = IgnoredOutput("b", ("TENSOR_FLOAT32", [2]))
model = Model().Operation("FLOOR", a).To(b)
Example({a: [1.5, 2.5], b: [0, 0]})
"""
# Supports one form of ADD alone.
_MINIMAL = "docs/examples/libminimal_driver.so"


class SpecTestMainTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_suite(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Runs the suite without what Bazel told this test."""
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TEST_", "GTEST_", "XML_", "NNCERT_"))
        }
        return subprocess.run(
            [_SUITE, *arguments],
            env={**inherited, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def test_there_are_cases(self) -> None:
        self.assertTrue(_CASES)

    def test_tests_have_androids_names(self) -> None:
        result = self.run_suite(_SAMPLE, *_CASES, "--gtest_list_tests")
        self.assertEqual(result.returncode, 0, result.stdout)
        suites: dict[str, list[str]] = {}
        for line in result.stdout.splitlines():
            if line.startswith("  "):
                suites[list(suites)[-1]].append(line.strip())
            elif line.endswith("."):
                suites[line[:-1]] = []
        self.assertEqual(set(suites), {"GeneratedTests", "DynamicOutputShapeTest"})
        self.assertIn("mean_axes", "".join(suites["GeneratedTests"]))
        for name in suites["DynamicOutputShapeTest"]:
            self.assertIn("dynamic_output_shape", name)

    def test_the_sample_driver_passes(self) -> None:
        report = self.folder / "report.xml"
        result = self.run_suite(
            _SAMPLE, *_CASES, "--gtest_filter=*.mean*", f"--gtest_output=xml:{report}"
        )
        self.assertEqual(result.returncode, 0, result.stdout)
        cases = ElementTree.parse(report).getroot().findall("testsuite/testcase")
        self.assertTrue(cases)
        for case in cases:
            properties = {entry.get("name"): entry.get("value") for entry in case.iter("property")}
            self.assertEqual(properties["verdict"], "PASS")
            self.assertEqual(properties["operation"], "MEAN")

    def test_the_environment_names_another_driver_whose_failures_are_dumped(self) -> None:
        result = self.run_suite(
            _SAMPLE,
            *_CASES,
            "--gtest_filter=GeneratedTests.mean*",
            NNCERT_DRIVER=_FAULTY,
            TEST_UNDECLARED_OUTPUTS_DIR=str(self.folder),
        )
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("FAIL: MEAN output 0 has the dimensions", result.stdout)
        self.assertNotIn("[       OK ]", result.stdout)
        self.assertTrue(list(self.folder.glob("failures/*.case")))
        self.assertTrue(list(self.folder.glob("failures/*.mod.py")))

    def test_every_case_is_in_one_shard(self) -> None:
        names: list[str] = []
        for shard in ("0", "1"):
            result = self.run_suite(
                _SAMPLE, *_CASES, GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX=shard
            )
            names += [line for line in result.stdout.splitlines() if line.startswith("[ RUN")]
        whole = self.run_suite(_SAMPLE, *_CASES)
        self.assertEqual(
            sorted(names),
            sorted(line for line in whole.stdout.splitlines() if line.startswith("[ RUN")),
        )

    def test_an_unsupported_case_is_skipped_with_the_reason(self) -> None:
        result = self.run_suite(_SAMPLE, *_CASES, NNCERT_DRIVER=_MINIMAL)
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("UNSUPPORTED: ", result.stdout)
        self.assertIn("[  SKIPPED ]", result.stdout)

    def test_in_process_gives_the_same(self) -> None:
        names = []
        for arguments in ((), ("--in_process",)):
            result = self.run_suite(_SAMPLE, *_CASES, "--gtest_filter=*.mean*", *arguments)
            self.assertEqual(result.returncode, 0, result.stdout)
            names.append([line for line in result.stdout.splitlines() if line.startswith("[ RUN")])
        self.assertEqual(names[0], names[1])

    def test_a_case_that_compares_nothing_is_a_failure(self) -> None:
        spec = self.folder / "vacuous.mod.py"
        spec.write_text(_VACUOUS_SPEC)
        reader = [
            "/usr/bin/python3",
            "generators/spec_reader",
            str(spec),
            "--out",
            str(self.folder),
        ]
        subprocess.run(reader, check=True)
        result = self.run_suite(_SAMPLE, *map(str, self.folder.glob("*.case")))
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("VACUOUS: nothing was compared", result.stdout)

    def test_nothing_to_run_is_a_failure(self) -> None:
        self.assertEqual(self.run_suite(_SAMPLE).returncode, 1)
        self.assertEqual(self.run_suite(*_CASES).returncode, 1)
        self.assertEqual(self.run_suite(_SAMPLE, "missing.case").returncode, 1)
        self.assertEqual(self.run_suite("--driver=missing.so", *_CASES).returncode, 1)


if __name__ == "__main__":
    unittest.main()
