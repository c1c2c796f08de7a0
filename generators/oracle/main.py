# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The command line: writes the cases of all operations."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from typing import Optional

from . import emission, families
from .registry import all_cases


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="oracle", description="Computes what every operation should give, by NumPy."
    )
    parser.add_argument("--out", metavar="FILE", help="where the cases go")
    parser.add_argument("--list", action="store_true", help="print the name of every case")
    parser.add_argument("--capnp", metavar="PROGRAM", help="the tool of Cap'n Proto")
    options = parser.parse_args(arguments)
    families.load()
    cases = list(all_cases())
    if options.list:
        print(*(case.name for case in cases), sep="\n")
    if options.out is not None:
        capnp = options.capnp or shutil.which("capnp") or "/usr/bin/capnp"
        emission.write_cases(cases, options.out, capnp)
    elif not options.list:
        print("oracle: --out FILE or --list is missing", file=sys.stderr)
        return 2
    return 0
