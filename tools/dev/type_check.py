# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Checks the annotations of every Python source file with mypy, in its strict mode."""

from __future__ import annotations

import subprocess
import sys

from tools.dev import workspace


def main() -> int:
    """Runs mypy from the folder of the sources."""
    root = workspace.workspace_root()
    files = [
        str(path)
        for path in workspace.source_files(root, workspace.PYTHON_SUFFIXES)
        # Specifications are written in names that their reader gives them.
        if not path.name.endswith(".mod.py")
    ]
    command = ["mypy", "--cache-dir=.cache/mypy", "--no-error-summary", *files]
    return subprocess.run(command, cwd=root).returncode


if __name__ == "__main__":
    sys.exit(main())
