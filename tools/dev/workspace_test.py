# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of workspace.py."""

from __future__ import annotations

import os
import pathlib
import tempfile
import unittest
from unittest import mock

from tools.dev import workspace


class SourceFilesTest(unittest.TestCase):
    def test_finds_files_by_suffix_in_all_folders_but_hidden_and_linked_ones(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("b/two.cc", "b/one.h", "a.cc", "a.py", ".cache/x.cc", "outputs/y.cc"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).touch()
            with tempfile.TemporaryDirectory() as outside:
                (pathlib.Path(outside) / "generated.cc").touch()
                (root / "bazel-bin").symlink_to(outside)
                found = workspace.source_files(root, workspace.CC_SUFFIXES)
        self.assertEqual(
            [str(path) for path in found], ["a.cc", "b/one.h", "b/two.cc", "outputs/y.cc"]
        )


class WorkspaceRootTest(unittest.TestCase):
    def test_is_what_bazel_run_says(self) -> None:
        with mock.patch.dict(os.environ, {"BUILD_WORKSPACE_DIRECTORY": "/sources"}):
            self.assertEqual(workspace.workspace_root(), pathlib.Path("/sources"))

    def test_is_found_through_the_links_of_a_test(self) -> None:
        environment = dict(os.environ)
        environment.pop("BUILD_WORKSPACE_DIRECTORY", None)
        with mock.patch.dict(os.environ, environment, clear=True):
            self.assertTrue((workspace.workspace_root() / "WORKSPACE").is_file())


if __name__ == "__main__":
    unittest.main()
