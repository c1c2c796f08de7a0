# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""A driver in a Bazel workspace of its own, sdk/workspace, which has this one as an external repository.

That it is built and certified takes minutes (docs/writing_a_driver.md), so it is analysed here.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from tools.dev.workspace import workspace_root


class OtherWorkspaceTest(unittest.TestCase):
    def test_its_driver_is_analysed(self) -> None:
        root = workspace_root()
        with tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR")) as folder:
            vendor = pathlib.Path(folder) / "vendor"
            shutil.copytree(root / "sdk/workspace", vendor)
            shutil.copy(root / "sdk/template/driver.cc", vendor)
            (vendor / "nncert").symlink_to(root)
            # The link to its outputs would be made in the sources otherwise.
            result = subprocess.run(
                [
                    "/usr/bin/bazel",
                    "--batch",
                    f"--output_user_root={folder}/bazel",
                    "build",
                    "--nobuild",
                    "--symlink_prefix=/",
                    "//:mydriver",
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
