# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the unittest cases of the modules on the command line, and reports each to Bazel.

The report goes to the file $XML_OUTPUT_FILE, in JUnit's format. $TESTBRIDGE_TEST_ONLY, which is
Bazel's --test_filter, selects the cases whose name contains it. Of a test with a shard_count, each
shard runs every n-th case.
"""

from __future__ import annotations

import os
import pathlib
import sys
import time
import unittest
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Optional, Union

_Failure = Union[
    tuple[type[BaseException], BaseException, TracebackType],
    tuple[None, None, None],
]


class ReportingResult(unittest.TextTestResult):
    """A result that also keeps a <testcase> element for each case."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.cases: list[ElementTree.Element] = []
        self._start = 0.0

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self._start = time.monotonic()
        self._begin(test)

    def stopTest(self, test: unittest.TestCase) -> None:
        self.cases[-1].set("time", f"{time.monotonic() - self._start:.3f}")
        super().stopTest(test)

    def addError(self, test: unittest.TestCase, err: _Failure) -> None:
        super().addError(test, err)
        self._complain(test, "error", self.errors[-1][1])

    def addFailure(self, test: unittest.TestCase, err: _Failure) -> None:
        super().addFailure(test, err)
        self._complain(test, "failure", self.failures[-1][1])

    def addSubTest(
        self,
        test: unittest.TestCase,
        subtest: unittest.TestCase,
        err: Optional[_Failure],
    ) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._complain(subtest, "failure", (self.failures + self.errors)[-1][1])

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self._complain(test, "failure", "unexpected success")

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        ElementTree.SubElement(self._element(test), "skipped", message=reason)

    def _begin(self, test: unittest.TestCase) -> ElementTree.Element:
        class_name, _, name = test.id().rpartition(".")
        case = ElementTree.Element("testcase", classname=class_name, name=name, time="0")
        self.cases.append(case)
        return case

    def _element(self, test: unittest.TestCase) -> ElementTree.Element:
        # What fails to be set up, a class or a module, was never started.
        is_case = type(test).__module__ != "unittest.suite"
        return self.cases[-1] if is_case and self.cases else self._begin(test)

    def _complain(self, test: unittest.TestCase, kind: str, text: str) -> None:
        printable = "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)
        lines = printable.strip().splitlines() or [kind]
        complaint = ElementTree.SubElement(self._element(test), kind, message=lines[-1])
        complaint.text = printable


def _cases_of(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    cases: list[unittest.TestCase] = []
    for test in suite:
        cases += _cases_of(test) if isinstance(test, unittest.TestSuite) else [test]
    return cases


def _shard_of(suite: unittest.TestSuite, environment: Mapping[str, str]) -> unittest.TestSuite:
    """The cases that Bazel has this process run."""
    shards = int(environment.get("TEST_TOTAL_SHARDS") or 1)
    if shards == 1:
        return suite
    # Says that the test knows of shards.
    pathlib.Path(environment["TEST_SHARD_STATUS_FILE"]).touch()
    return unittest.TestSuite(_cases_of(suite)[int(environment["TEST_SHARD_INDEX"]) :: shards])


def run(modules: Sequence[str], environment: Mapping[str, str]) -> int:
    """Runs the cases of the modules; returns the exit status: 0 if all is well."""
    loader = unittest.TestLoader()
    test_filter = environment.get("TESTBRIDGE_TEST_ONLY")
    if test_filter:
        loader.testNamePatterns = [f"*{test_filter}*"]
    suite = loader.loadTestsFromNames(modules)
    has_cases = suite.countTestCases() > 0
    suite = _shard_of(suite, environment)
    runner = unittest.TextTestRunner(verbosity=2, resultclass=ReportingResult)
    result = runner.run(suite)
    assert isinstance(result, ReportingResult)
    report = environment.get("XML_OUTPUT_FILE")
    if report:
        write_report(result, " ".join(modules), report)
    if not has_cases and not test_filter:
        print("no test cases in", *modules, file=sys.stderr)
        return 1
    return 0 if result.wasSuccessful() else 1


def write_report(result: ReportingResult, name: str, path: str) -> None:
    """Writes the cases of the result as one test suite in JUnit's format."""
    suites = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(
        suites,
        "testsuite",
        name=name,
        tests=str(len(result.cases)),
        failures=str(sum(case.find("failure") is not None for case in result.cases)),
        errors=str(sum(case.find("error") is not None for case in result.cases)),
        skipped=str(sum(case.find("skipped") is not None for case in result.cases)),
    )
    suite.extend(result.cases)
    ElementTree.ElementTree(suites).write(path, encoding="utf-8", xml_declaration=True)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], os.environ))
