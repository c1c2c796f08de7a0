# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of run_unittest.py."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from generators import run_unittest

_MODULE = """
import unittest

class Cases(unittest.TestCase):
    def test_passes(self): pass
    def test_fails(self): self.assertEqual(1, 2)
    def test_raises(self): raise ValueError("\\x00")
    @unittest.skip("not now")
    def test_skips(self): pass
    def test_parts(self):
        for part in range(3):
            with self.subTest(part=part): self.assertEqual(part, 1)

class BrokenClass(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError("no set-up")
    def test_never_starts(self): pass
"""


class RunUnittestTest(unittest.TestCase):
    def _run(self, source: str, **environment: str) -> tuple[int, dict[str, list[str]]]:
        """The exit status, and for each case of the report the elements within."""
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "sample_cases.py"), "w", encoding="utf-8") as file:
                file.write(source)
            report = os.path.join(folder, "report.xml")
            sys.path.insert(0, folder)
            try:
                with contextlib.redirect_stderr(io.StringIO()):
                    status = run_unittest.run(
                        ["sample_cases"], {"XML_OUTPUT_FILE": report, **environment}
                    )
            finally:
                sys.path.remove(folder)
                sys.modules.pop("sample_cases", None)
            cases = ElementTree.parse(report).iter("testcase")
            return status, {str(case.get("name")): [e.tag for e in case] for case in cases}

    def test_reports_every_case_with_what_became_of_it(self) -> None:
        status, cases = self._run(_MODULE)
        self.assertEqual(status, 1)
        self.assertEqual(cases.pop("test_passes"), [])
        self.assertEqual(cases.pop("test_fails"), ["failure"])
        self.assertEqual(cases.pop("test_raises"), ["error"])
        self.assertEqual(cases.pop("test_skips"), ["skipped"])
        self.assertEqual(cases.pop("test_parts"), ["failure", "failure"])
        self.assertEqual(list(cases.values()), [["error"]])

    def test_filter_selects_cases_by_part_of_their_name(self) -> None:
        status, cases = self._run(_MODULE, TESTBRIDGE_TEST_ONLY="Cases.test_pas")
        self.assertEqual((status, cases), (0, {"test_passes": []}))

    def test_each_shard_runs_its_share(self) -> None:
        shards = []
        for index in range(3):
            with tempfile.TemporaryDirectory() as folder:
                known = os.path.join(folder, "known")
                _, cases = self._run(
                    _MODULE,
                    TEST_TOTAL_SHARDS="3",
                    TEST_SHARD_INDEX=str(index),
                    TEST_SHARD_STATUS_FILE=known,
                )
                self.assertTrue(os.path.exists(known))
            self.assertEqual(len(cases), 2)
            shards.append(cases)
        everything = self._run(_MODULE)[1]
        self.assertEqual(sorted(name for cases in shards for name in cases), sorted(everything))

    def test_fails_without_cases(self) -> None:
        self.assertEqual(self._run("")[0], 1)


if __name__ == "__main__":
    unittest.main()
