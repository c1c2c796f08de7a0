# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs clang-tidy on all C++ files, on those that are named, or on those that changed."""

from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from concurrent import futures

from tools.dev import workspace

# Names a commit. What is not as it was then is linted with --changed.
_LINTED_COMMIT = "tools/dev/linted_commit.txt"

# The file that says what is a finding.
_CONFIGURATION = ".clang-tidy"

# How every file is compiled, as far as clang-tidy cares. Libraries are Debian's, and clang finds
# their headers by itself, so Bazel need not be asked, nor anything be built.
_FLAGS = ["-xc++", "-std=c++20", "-isystem", "/usr/include/eigen3"]

# The one file that is different code on each processor that it is compiled for: see levels.bzl.
LEVEL_SOURCE = "reference/fast/hot/level.cc"
_LEVEL_FLAGS = [
    ["-march=x86-64"],
    ["-march=x86-64-v2"],
    ["-march=x86-64-v3"],
    ["-march=x86-64-v4"],
    ["-march=x86-64-v4", "-mavx512vnni"],
]

_INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
_FINDING = re.compile(r"^(?=[^\n]+:\d+:\d+: (?:error|warning): )", re.MULTILINE)


class GitError(Exception):
    """What git says when it cannot answer."""


def git(root: pathlib.Path, *arguments: str) -> str:
    """Returns what a git command prints. Raises GitError."""
    try:
        result = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise GitError("git is not installed") from error
    if result.returncode != 0:
        raise GitError(f"git {arguments[0]}: {result.stderr.strip()}")
    return result.stdout


def changed_since(root: pathlib.Path, commit: str) -> set[str]:
    """Returns the names of files that are not as they were at a commit. Raises GitError."""
    options = ["--name-only", "--no-renames", "--relative", "-z"]
    known = git(root, "diff", *options, f"{commit}^{{commit}}", "--")
    new = git(root, "ls-files", "--others", "--exclude-standard", "-z")
    return set(filter(None, (known + new).split("\0")))


def head_of_clean_tree(root: pathlib.Path) -> str:
    """Returns the commit that the files are those of. Raises GitError when there is none."""
    if git(root, "status", "--porcelain"):
        raise GitError("there are changes that are not committed")
    return git(root, "rev-parse", "HEAD").strip()


def includes_of(root: pathlib.Path, files: Collection[str]) -> dict[str, set[str]]:
    """Returns what each file includes in quotes, as all headers of the workspace are."""
    return {file: set(_INCLUDE.findall((root / file).read_text())) for file in files}


def affected_by(changed: Collection[str], files: Collection[str]) -> list[str]:
    """Returns those of the C++ files that a change may have given findings."""
    if _CONFIGURATION in changed:
        return list(files)
    return sorted(set(files) & set(changed))


def _seen_through(
    header: str, includes: Mapping[str, Collection[str]], linted: Collection[str]
) -> str:
    """Returns the file to lint for the sake of a header; rather one that is linted anyway."""
    beside = header.removesuffix(".h") + ".cc"
    if header in includes.get(beside, ()):
        return beside
    # Through one more header each time.
    reached = {header}
    while True:
        found = [file for file in sorted(includes) if reached.intersection(includes[file])]
        sources = [file for file in found if file.endswith(".cc")]
        if sources:
            return next((file for file in sources if file in linted), sources[0])
        if reached.issuperset(found):
            # Nobody includes it. It has findings of its own all the same.
            return header
        reached.update(found)


def files_to_lint(files: Collection[str], includes: Mapping[str, Collection[str]]) -> list[str]:
    """Returns the files to run clang-tidy on to see all of some files.

    Args:
      files: the files to see. A header is seen through a source that includes it: NAME.cc beside
        NAME.h if there is one.
      includes: what each C++ file of the workspace includes.
    """
    linted = {file for file in files if file.endswith(".cc")}
    for header in sorted(set(files) - linted):
        linted.add(_seen_through(header, includes, linted))
    return sorted(linted)


def generate_headers(root: pathlib.Path, folder: str) -> None:
    """Compiles the workspace's schemas. Raises CalledProcessError when a compiler has said why."""
    schemas = [str(path) for path in workspace.source_files(root, (".capnp",))]
    command = ["capnp", "compile", "--import-path=.", f"-oc++:{folder}", *schemas]
    # It warns of a PWD that is not where it is.
    subprocess.run(command, cwd=root, check=True, env=dict(os.environ, PWD=str(root)))
    for path in workspace.source_files(root, (".fbs",)):
        # As the build has it: mlts/tflite/BUILD.
        place = pathlib.Path(folder, path).parent
        command = ["flatc", "--cpp", "--scoped-enums", "-o", str(place), str(path)]
        subprocess.run(command, cwd=root, check=True)


def findings_in(root: pathlib.Path, generated: str, file: str) -> list[str]:
    """Runs clang-tidy on a file. Returns its words on each finding; an error of clang is one."""
    findings: list[str] = []
    for level in _LEVEL_FLAGS if file == LEVEL_SOURCE else [[]]:
        # Generated headers are system headers here: nobody wants to know of findings in them.
        flags = [*_FLAGS, *level, "-iquote", str(root), "-isystem", generated]
        command = ["clang-tidy", "--quiet", file, "--", *flags]
        result = subprocess.run(command, cwd=root, capture_output=True, text=True)
        if result.returncode != 0:
            text = (result.stdout or result.stderr).replace(f"{root}/", "")
            findings += filter(None, _FINDING.split(text))
    return findings


def largest_first(root: pathlib.Path, files: Collection[str]) -> list[str]:
    """Returns files in the order to lint them: what takes long is not to be left for the end."""
    return sorted(files, key=lambda file: (root / file).stat().st_size, reverse=True)


def lint(root: pathlib.Path, files: Collection[str]) -> bool:
    """Runs clang-tidy on files, and prints each finding once. Returns whether there are none."""
    failed = 0
    printed: set[str] = set()
    with tempfile.TemporaryDirectory() as generated:
        generate_headers(root, generated)
        with futures.ThreadPoolExecutor(os.cpu_count()) as executor:
            for findings in executor.map(
                lambda file: findings_in(root, generated, file), largest_first(root, files)
            ):
                failed += bool(findings)
                for finding in findings:
                    # One in a header is found in every file that includes it.
                    if finding not in printed:
                        print(finding, end="", flush=True)
                        printed.add(finding)
    print(f"{len(files)} files, {failed} with findings")
    return failed == 0


def changed_files(root: pathlib.Path, files: Collection[str]) -> Collection[str]:
    """Returns those of the C++ files that changed since all were linted; all if nobody knows."""
    commit = (root / _LINTED_COMMIT).read_text().strip()
    try:
        return affected_by(changed_since(root, commit), files)
    except GitError as error:
        print(f"Every file is linted, for what changed since {commit} is unknown: {error}")
        return files


def main() -> int:
    """Lints by the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", help="such as hal/memory.cc; all files without")
    parser.add_argument(
        "--changed", action="store_true", help=f"those that changed since {_LINTED_COMMIT}"
    )
    parser.add_argument(
        "--remember",
        action="store_true",
        help=f"when there are no findings, write {_LINTED_COMMIT}",
    )
    arguments = parser.parse_args()
    if arguments.files and (arguments.changed or arguments.remember):
        parser.error("--changed and --remember are about all files")

    root = workspace.workspace_root()
    known = [str(path) for path in workspace.source_files(root, workspace.CC_SUFFIXES)]
    unknown = sorted(set(arguments.files) - set(known))
    if unknown:
        parser.error("these are no C++ files of the workspace: " + ", ".join(unknown))
    files = changed_files(root, known) if arguments.changed else arguments.files or known
    try:
        head = head_of_clean_tree(root) if arguments.remember else None
        if not lint(root, files_to_lint(files, includes_of(root, known))):
            return 1
        if head:
            if head_of_clean_tree(root) != head:
                raise GitError("another commit was checked out meanwhile")
            (root / _LINTED_COMMIT).write_text(f"{head}\n")
            print(f"{_LINTED_COMMIT} names {head} now")
    except GitError as error:
        print(f"nothing to remember: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
