# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Counts the test cases of one Bazel run, from its build event file.

Prints "N passed, N failed, N skipped" and exits with status 1 when a test case failed. Only what the events name is
counted, so results that earlier runs left in bazel-testlogs do not matter.
"""

from __future__ import annotations

import dataclasses
import json
import pathlib
import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree
from collections.abc import Iterable, Iterator
from typing import Any

Event = dict[str, Any]


@dataclasses.dataclass
class Counts:
    """Numbers of test cases."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


def read_events(path: pathlib.Path) -> Iterator[Event]:
    """Yields the events of a --build_event_json_file, which holds one JSON object a line."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def count_cases(report: pathlib.Path) -> Counts:
    """Counts the test cases of a test.xml in JUnit's format, GoogleTest's additions included."""
    counts = Counts()
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            counts.failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            counts.skipped += 1
        else:
            counts.passed += 1
    return counts


def count_result(result: Event) -> Counts:
    """Counts the test cases of a testResult event: one target, or one shard of it.

    A result that is no success counts at least one failure, also when its report is missing, unreadable or content
    (a crash after the last case, a leak report).
    """
    counts = Counts()
    for output in result.get("testActionOutput", []):
        if output.get("name") == "test.xml":
            path = urllib.request.url2pathname(urllib.parse.urlparse(output["uri"]).path)
            try:
                counts = count_cases(pathlib.Path(path))
            except (OSError, xml.etree.ElementTree.ParseError) as error:
                print(f"count_results: {path}: {error}", file=sys.stderr)
                counts = Counts()
    if result.get("status") not in ("PASSED", "FLAKY") and counts.failed == 0:
        counts.failed = 1
    return counts


def count_run(events: Iterable[Event]) -> Counts:
    """Counts the test cases of a run. A test that could not be built or started counts as one failure."""
    results: dict[tuple[str, int, int], tuple[int, Event]] = {}
    tests: set[str] = set()
    unfinished: set[str] = set()
    for event in events:
        identity = event.get("id", {})
        if "targetConfigured" in identity and "testSize" in event.get("configured", {}):
            tests.add(identity["targetConfigured"]["label"])
        elif "targetCompleted" in identity and not event.get("completed", {}).get("success"):
            unfinished.add(identity["targetCompleted"]["label"])
        elif "testResult" in identity and "testResult" in event:
            key = identity["testResult"]
            attempt = int(key.get("attempt", 1))
            place = (key["label"], int(key.get("run", 1)), int(key.get("shard", 1)))
            if place not in results or attempt >= results[place][0]:
                results[place] = (attempt, event["testResult"])
    counts = Counts(failed=len(tests & unfinished - {label for label, _, _ in results}))
    for _, result in results.values():
        counts += count_result(result)
    return counts


def main() -> int:
    """Counts the run whose build event file is the first argument."""
    counts = count_run(read_events(pathlib.Path(sys.argv[1])))
    print(counts)
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main())
