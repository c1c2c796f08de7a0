# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of count_results.py."""

from __future__ import annotations

import json
import pathlib
import tempfile
import unittest
from typing import Any

from tools.dev import count_results

_REPORT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="5" failures="1" disabled="1" errors="0">
  <testsuite name="SuiteTest" tests="5">
    <testcase name="passes" status="run" result="completed"/>
    <testcase name="passes_too" status="run" result="completed"/>
    <testcase name="fails" status="run" result="completed"><failure message="no"/></testcase>
    <testcase name="skips" status="run" result="skipped"><skipped message="why"/></testcase>
    <testcase name="DISABLED_sleeps" status="notrun" result="suppressed"/>
  </testsuite>
</testsuites>
"""
_GOOD_REPORT = '<testsuites><testsuite><testcase name="passes"/></testsuite></testsuites>'


def _configured(label: str, is_test: bool = True) -> count_results.Event:
    configured: dict[str, Any] = {"targetKind": "cc_test rule", "testSize": "SMALL"}
    return {
        "id": {"targetConfigured": {"label": label}},
        "configured": configured if is_test else {"targetKind": "cc_library rule"},
    }


def _completed(label: str, success: bool) -> count_results.Event:
    completed = {"success": True} if success else {}
    return {"id": {"targetCompleted": {"label": label}}, "completed": completed}


class CountRunTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="a folder ")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def result(
        self, label: str, status: str, report: str, shard: int = 1, attempt: int = 1
    ) -> count_results.Event:
        """Returns a testResult event whose report is on disk; an empty report is not written."""
        path = self.folder / f"{label.strip('/')}_{shard}_{attempt}.xml"
        if report:
            path.write_text(report, encoding="utf-8")
        return {
            "id": {"testResult": {"label": label, "run": 1, "shard": shard, "attempt": attempt}},
            "testResult": {
                "status": status,
                "testActionOutput": [{"name": "test.xml", "uri": path.as_uri()}],
            },
        }

    def test_counts_cases_that_pass_fail_and_are_skipped(self) -> None:
        counts = count_results.count_run([self.result("//a", "FAILED", _REPORT)])
        self.assertEqual(str(counts), "2 passed, 1 failed, 2 skipped")

    def test_adds_the_shards_of_a_target(self) -> None:
        counts = count_results.count_run(
            [self.result("//a", "PASSED", _GOOD_REPORT, shard=shard) for shard in (1, 2, 3)]
        )
        self.assertEqual(counts, count_results.Counts(passed=3))

    def test_counts_the_last_attempt_of_a_flaky_target(self) -> None:
        counts = count_results.count_run(
            [
                self.result("//a", "FAILED", _REPORT, attempt=1),
                self.result("//a", "PASSED", _GOOD_REPORT, attempt=2),
            ]
        )
        self.assertEqual(counts, count_results.Counts(passed=1))

    def test_a_target_that_fails_after_its_last_case_is_a_failure(self) -> None:
        counts = count_results.count_run([self.result("//a", "FAILED", _GOOD_REPORT)])
        self.assertEqual(counts, count_results.Counts(passed=1, failed=1))

    def test_a_missing_or_broken_report_of_a_failed_target_is_one_failure(self) -> None:
        counts = count_results.count_run(
            [self.result("//a", "TIMEOUT", ""), self.result("//b", "FAILED", "<testsuites>")]
        )
        self.assertEqual(counts, count_results.Counts(failed=2))

    def test_a_test_that_does_not_build_is_one_failure(self) -> None:
        counts = count_results.count_run(
            [
                _configured("//built"),
                _configured("//broken"),
                _configured("//library", is_test=False),
                _completed("//built", success=True),
                _completed("//broken", success=False),
                _completed("//library", success=False),
                self.result("//built", "PASSED", _GOOD_REPORT),
            ]
        )
        self.assertEqual(counts, count_results.Counts(passed=1, failed=1))

    def test_reads_one_event_a_line(self) -> None:
        path = self.folder / "events.json"
        events = [_configured("//a"), _completed("//a", success=True)]
        path.write_text("\n".join(json.dumps(event) for event in events) + "\n\n")
        self.assertEqual(list(count_results.read_events(path)), events)


if __name__ == "__main__":
    unittest.main()
