# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy over the C++ files of the workspace, or over those whose names are given."""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from concurrent import futures

from tools.dev import compile_commands, workspace

_CLANG_TIDY = [
    "clang-tidy",
    "--quiet",
    "-p=.",
    # What is meant for GCC's warnings is no error of clang's.
    "--extra-arg=-Wno-unknown-warning-option",
    # See .clang-tidy.
    "--extra-arg=-Wold-style-cast",
]


def lint(root: pathlib.Path, file: str) -> bool:
    """Runs clang-tidy on one file, and prints its findings. Returns whether there are none."""
    result = subprocess.run(
        [*_CLANG_TIDY, file], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if result.returncode != 0:
        print(result.stdout or result.stderr, end="", flush=True)
    return result.returncode == 0


def main() -> int:
    """Lints by the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="such as hal/memory.cc; all files without")
    arguments = parser.parse_args()
    root = workspace.workspace_root()
    try:
        # Builds the generated headers.
        subprocess.run(["./bazelw", "build", "//..."], cwd=root, check=True)
        known = [entry["file"] for entry in compile_commands.write(root)]
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    files: list[str] = arguments.files or known
    unknown = sorted(set(files) - set(known))
    if unknown:
        print("no target compiles " + ", ".join(unknown), file=sys.stderr)
        return 1
    with futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        results = list(executor.map(lambda file: lint(root, file), files))
    failed = results.count(False)
    print(f"{len(files)} files, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
