# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of the Bazel rule spec_cases: it has made the cases of testdata/."""

from __future__ import annotations

import json
import os
import subprocess
import unittest
from typing import Any

from . import emit

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "testdata")


def cases_of(path: str) -> list[dict[str, Any]]:
    with open(os.path.join(FOLDER, path), "rb") as file:
        command = ["capnp", "convert", "binary:json", emit.SCHEMA, "CaseFile"]
        result = subprocess.run(command, stdin=file, capture_output=True, check=True)
    cases: list[dict[str, Any]] = json.loads(result.stdout)["cases"]
    return cases


class SpecCasesTest(unittest.TestCase):
    def test_case_files_stand_where_the_specifications_do(self) -> None:
        for path, names, version in (
            ("V1_0/add_three.case", ["add_three", "add_three_relaxed"], "v10"),
            ("V1_2/neg_twice.case", ["neg_twice", "neg_twice_float16"], "v12"),
        ):
            cases = cases_of(path)
            self.assertEqual([case["name"] for case in cases], names)
            self.assertEqual({case["specVersion"] for case in cases}, {version})
