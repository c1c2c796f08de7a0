# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Writes compile_commands.json: how each C++ file is compiled, for editors and for clang's tools."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from tools.dev import workspace

Entry = dict[str, Any]

# Options of GCC that clang refuses.
_GCC_OPTIONS = ("-fno-canonical-system-headers",)
# Options that take the next argument: outputs that a tool must not write, and precompiled headers, which a tool does not need.
_DROPPED_WITH_ARGUMENT = ("-MF", "-o", "-include")


def bazel_output(root: pathlib.Path, arguments: Sequence[str]) -> str:
    """Returns what a Bazel command prints. Raises CalledProcessError after Bazel has said why it fails."""
    command = ["./bazelw", *arguments]
    return subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout


def entry_of(arguments: Sequence[str], root: pathlib.Path, output_base: str) -> Entry:
    """Turns the arguments of a compilation into an entry of the database.

    The compilation runs in Bazel's execution root; the entry runs in the folder of the sources, where tools name files
    as people do. Of the two, only the folder "external" differs.
    """
    kept: list[str] = []
    file = ""
    position = 0
    while position < len(arguments):
        argument = arguments[position]
        position += 1
        if argument in _GCC_OPTIONS or argument == "-MD":
            continue
        if argument in _DROPPED_WITH_ARGUMENT:
            position += 1
            continue
        if argument == "-c":
            file = arguments[position]
        if argument.startswith("external/"):
            argument = f"{output_base}/{argument}"
        kept.append(argument)
    return {"directory": str(root), "file": file, "arguments": kept}


def entries_of(graph: Any, root: pathlib.Path, output_base: str) -> list[Entry]:
    """Returns an entry for each source file of the workspace in an action graph of `bazel aquery`."""
    entries: dict[str, Entry] = {}
    for action in graph.get("actions", []):
        entry = entry_of(action["arguments"], root, output_base)
        # Generated code is compiled, but nobody edits it; a file is often compiled twice, for -fPIC.
        if (root / entry["file"]).is_file() and not entry["file"].startswith("bazel-out/"):
            entries.setdefault(entry["file"], entry)
    return [entries[file] for file in sorted(entries)]


def write(root: pathlib.Path) -> list[Entry]:
    """Writes the database into the folder of the sources, and returns its entries."""
    output_base = bazel_output(root, ["info", "output_base"]).strip()
    query = 'mnemonic("CppCompile", //...)'
    graph = bazel_output(root, ["aquery", query, "--output=jsonproto", "--ui_event_filters=-info"])
    entries = entries_of(json.loads(graph), root, output_base)
    (root / "compile_commands.json").write_text(json.dumps(entries, indent=1) + "\n")
    return entries


def main() -> int:
    """Writes the database of the workspace."""
    try:
        entries = write(workspace.workspace_root())
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    print(f"compile_commands.json holds {len(entries)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
