# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of compile_commands.py."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

from tools.dev import compile_commands


class EntryOfTest(unittest.TestCase):
    def test_keeps_what_a_tool_needs_and_drops_outputs_and_options_of_gcc(self) -> None:
        entry = compile_commands.entry_of(
            [
                "/usr/bin/gcc",
                "-fno-canonical-system-headers",
                "-MD",
                "-MF",
                "bazel-out/a.d",
                "-isystem",
                "external/eigen/include",
                "-include",
                "third_party/googletest/precompiled.h",
                "-c",
                "hal/a.cc",
                "-o",
                "bazel-out/a.o",
            ],
            pathlib.Path("/sources"),
            "/base",
        )
        self.assertEqual(entry["directory"], "/sources")
        self.assertEqual(entry["file"], "hal/a.cc")
        self.assertEqual(
            entry["arguments"],
            ["/usr/bin/gcc", "-isystem", "/base/external/eigen/include", "-c", "hal/a.cc"],
        )


class EntriesOfTest(unittest.TestCase):
    def test_has_one_entry_for_each_source_file(self) -> None:
        graph = {
            "actions": [
                {"arguments": ["gcc", "-c", name]}
                for name in ("b.cc", "a.cc", "b.cc", "bazel-out/generated.cc", "absent.cc")
            ]
        }
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "bazel-out").mkdir()
            for name in ("a.cc", "b.cc", "bazel-out/generated.cc"):
                (root / name).touch()
            entries = compile_commands.entries_of(graph, root, "/base")
        self.assertEqual([entry["file"] for entry in entries], ["a.cc", "b.cc"])


if __name__ == "__main__":
    unittest.main()
