# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Formats every C++ and Python source file; with --check, only names the files whose format is not the tools' own."""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from concurrent import futures

from tools.dev import workspace

# Enough files a process to make its start cheap, few enough to keep all processors busy.
_BATCH = 128


def clang_format(root: pathlib.Path, check: bool) -> bool:
    """Formats the C++ files. Returns whether all are formatted."""
    files = [str(path) for path in workspace.source_files(root, workspace.CC_SUFFIXES)]
    options = ["--dry-run", "-Werror"] if check else ["-i"]

    def run(batch: list[str]) -> bool:
        command = ["clang-format", *options, *batch]
        result = subprocess.run(command, cwd=root, stderr=subprocess.PIPE, text=True)
        # One line a file says it all: the tool itself has one for each place.
        unformatted = [file for file in batch if f"{file}:" in result.stderr]
        for file in unformatted:
            print(f"would reformat {file}", file=sys.stderr)
        if not unformatted:
            print(result.stderr, end="", file=sys.stderr)
        return result.returncode == 0

    batches = [files[i : i + _BATCH] for i in range(0, len(files), _BATCH)]
    with futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        return all(list(executor.map(run, batches)))


def black(root: pathlib.Path, check: bool) -> bool:
    """Formats the Python files. Returns whether all are formatted."""
    files = [str(path) for path in workspace.source_files(root, workspace.PYTHON_SUFFIXES)]
    if not files:
        return True
    options = ["--check"] if check else ["--quiet"]
    environment = dict(os.environ, BLACK_CACHE_DIR=str(root / ".cache" / "black"))
    return subprocess.run(["black", *options, *files], cwd=root, env=environment).returncode == 0


def main() -> int:
    """Formats or checks, by the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing")
    arguments = parser.parse_args()
    root = workspace.workspace_root()
    results = [clang_format(root, arguments.check), black(root, arguments.check)]
    if all(results):
        return 0
    if arguments.check:
        print("To format all of these: ./bazelw run //:format", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
