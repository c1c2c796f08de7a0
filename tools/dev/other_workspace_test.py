# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""A driver in a Bazel workspace of its own, which has this one as an external repository."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from tools.dev.workspace import workspace_root

_BUILD = """
load("@nncert//drivers:driver.bzl", "nn_driver")

nn_driver(
    name = "mine",
    srcs = ["mine.cc"],
    deps = ["@nncert//hal"],
)
"""


def _workspace(root: pathlib.Path) -> str:
    """Returns the other workspace's WORKSPACE: this one's, with paths and labels from outside."""
    text = (root / "WORKSPACE").read_text()
    text = text.replace('workspace(name = "nncert")', 'workspace(name = "vendor")')
    text = re.sub(r'path = "(?!/)', f'path = "{root}/', text)
    text = text.replace('load("//', 'load("@nncert//').replace('ns("//', 'ns("@nncert//')
    return text + f'\nlocal_repository(name = "nncert", path = "{root}")\n'


def _in_order(text: str) -> str:
    """Returns the text with the repository of this workspace in front of what loads from it."""
    *rest, last = text.strip().split("\n")
    at = next(i for i, line in enumerate(rest) if line.startswith("local_repository"))
    return "\n".join(rest[:at] + [last] + rest[at:]) + "\n"


class OtherWorkspaceTest(unittest.TestCase):
    def test_its_driver_is_analysed(self) -> None:
        root = workspace_root()
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            vendor = pathlib.Path(folder) / "vendor"
            vendor.mkdir()
            (vendor / "WORKSPACE").write_text(_in_order(_workspace(root)))
            (vendor / "BUILD").write_text(_BUILD)
            (vendor / "mine.cc").write_text("")
            (vendor / ".bazelrc").write_text((root / ".bazelrc").read_text())
            # The link to its outputs would be made in the sources otherwise.
            result = subprocess.run(
                [
                    "/usr/bin/bazel",
                    "--batch",
                    f"--output_user_root={folder}/bazel",
                    "build",
                    "--nobuild",
                    "--symlink_prefix=/",
                    "//:mine",
                ],
                cwd=vendor,
                check=False,
                capture_output=True,
                text=True,
            )
            subprocess.run(["chmod", "-R", "u+w", folder], check=True)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main()
