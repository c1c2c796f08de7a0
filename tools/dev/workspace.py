# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The source files of the workspace."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable

CC_SUFFIXES = (".cc", ".h")
PYTHON_SUFFIXES = (".py",)


def workspace_root() -> pathlib.Path:
    """Returns the folder of the sources, for a program that `bazel run` or `bazel test` started.

    A test must be tagged "local": a sandbox holds only its own inputs.
    """
    by_run = os.environ.get("BUILD_WORKSPACE_DIRECTORY")
    if by_run:
        return pathlib.Path(by_run)
    # This module is in tools/dev, in a tree of links to the sources.
    link = pathlib.Path(__file__).parent.parent.parent / "WORKSPACE"
    return link.resolve(strict=True).parent


def source_files(root: pathlib.Path, suffixes: Iterable[str]) -> list[pathlib.Path]:
    """Returns the files below root with one of the suffixes, relative to root and sorted.

    Leaves out hidden folders and the links to Bazel's outputs.
    """
    endings = tuple(suffixes)
    found: list[pathlib.Path] = []
    for folder, subfolders, names in os.walk(root):
        # os.walk does not follow links, which leaves out bazel-bin and its like.
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        for name in names:
            path = pathlib.Path(folder, name)
            if name.endswith(endings) and not path.is_symlink():
                found.append(path.relative_to(root))
    return sorted(found)
