# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The command line of the spec reader.

    spec_reader PATH... --out FOLDER [--jobs N] [--list] [--quiet] [--time-limit SECONDS]
                [--with-reads] [--progress FILE]

Reads the specifications PATH, or every *.mod.py in the folders PATH and below, and writes one case
file for each to FOLDER, called as the specification up to the first dot, and `.case`; beside it,
with --with-reads, what the reading depends on, if that is known, as `.reads` (see reads.py). FILE
gets a byte for each specification that has been read, or could not be. Exit status: 0 all went
well; 1 specifications could not be read, each with a line on the standard error, and all others are
written; 2 the command line is wrong.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from collections.abc import Sequence
from typing import Final, NoReturn, Optional

from .runner import Options, Result, read_specs
from .spec import base_name

SUFFIX: Final = ".mod.py"


class UsageError(Exception):
    """The command line is wrong."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message)


def find_specs(paths: Sequence[str]) -> list[str]:
    """The files among `paths`, and the specifications in the folders among them, sorted.

    A UsageError if there is nothing in one of the paths, or if two specifications would have the
    same case file.
    """
    found: dict[str, None] = {}
    for path in paths:
        if os.path.isdir(path):
            inside = [
                os.path.join(folder, name)
                for folder, _, names in os.walk(path)
                for name in names
                if name.endswith(SUFFIX)
            ]
            if not inside:
                raise UsageError(f"{path}: no specification; expected files *{SUFFIX}")
            found.update(dict.fromkeys(inside))
        elif os.path.isfile(path):
            found[path] = None
        else:
            raise UsageError(f"{path}: no such file; expected a specification or a folder")
    by_name: dict[str, str] = {}
    for path in sorted(found):
        other = by_name.setdefault(base_name(path), path)
        if other != path:
            raise UsageError(f"{other} and {path}: two specifications of one name; expected one")
    return sorted(found)


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = _Parser(prog="spec_reader", description="Turns specifications into case files.")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a specification or a folder")
    parser.add_argument("--out", metavar="FOLDER", help="where case files go")
    parser.add_argument("--jobs", type=int, metavar="N", help="how many to read at a time")
    parser.add_argument("--list", action="store_true", help="print the name of every case")
    parser.add_argument("--quiet", action="store_true", help="print no summary")
    parser.add_argument("--time-limit", type=float, default=120.0, metavar="SECONDS")
    parser.add_argument("--with-reads", action="store_true", help="write what was read as well")
    parser.add_argument("--progress", metavar="FILE", help="what gets a byte for each that is read")
    parser.add_argument("--capnp", metavar="PROGRAM", help="the tool of Cap'n Proto")
    options = parser.parse_args(arguments)
    if options.out is None and not options.list:
        parser.error("--out FOLDER is missing")
    if options.time_limit <= 0 or (options.jobs is not None and options.jobs < 1):
        parser.error("--jobs and --time-limit are above 0")
    return options


def _report(result: Result, with_list: bool) -> None:
    for warning in result.warnings:
        print(warning, file=sys.stderr)
    if result.error is not None:
        print(result.error, file=sys.stderr)
    if with_list:
        for case in result.cases:
            print(result.path, case.name, case.dynamic_name, case.minimum_version or "", sep="\t")


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command line; returns the exit status."""
    start = time.monotonic()
    try:
        options = _parse(sys.argv[1:] if arguments is None else arguments)
        paths = find_specs(options.paths)
    except UsageError as error:
        print(f"spec_reader: {error}", file=sys.stderr)
        return 2
    if options.out is not None:
        os.makedirs(options.out, exist_ok=True)
    capnp = options.capnp or shutil.which("capnp") or "/usr/bin/capnp"
    # A specification may change the current folder of its process.
    output_folder = os.path.abspath(options.out) if options.out is not None else None
    jobs = options.jobs or len(os.sched_getaffinity(0))
    how = Options(output_folder, options.time_limit, capnp, options.with_reads)
    results = {}
    with open(options.progress or os.devnull, "wb", buffering=0) as progress:
        for result in read_specs(paths, how, jobs):
            results[result.path] = result
            progress.write(b".")
    for path in paths:
        _report(results[path], options.list)
    good = [result for result in results.values() if result.error is None]
    cases = [case for result in good for case in result.cases]
    dynamic = sum(1 for case in cases if case.dynamic_name)
    failed = len(results) - len(good)
    if not options.quiet:
        print(
            f"{len(good)} specs, {len(cases)} static cases, {dynamic} dynamic cases"
            f" in {time.monotonic() - start:.1f} s" + (f", {failed} specs failed" if failed else "")
        )
    return 1 if failed else 0
