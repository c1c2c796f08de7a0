# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the command line, however this file is started: as a module, as a folder, or by name."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    if sys.flags.hash_randomization and os.environ.get("PYTHONHASHSEED") != "0":
        # The order of a set of strings differs from run to run, and a specification may depend on
        # it. Only a new start can change that.
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)
    if not __package__:
        # Python was given a path: it has put our own folder into the search path, but what we are
        # called, generators.spec_reader, is found from two folders above.
        folder = os.path.dirname(os.path.abspath(__file__))
        workspace = os.path.dirname(os.path.dirname(folder))
        sys.path[:] = [workspace] + [path for path in sys.path if os.path.abspath(path) != folder]
        from generators.spec_reader.reads import READS

        READS.watch()
        from generators.spec_reader.main import main

        # Specifications import what Python knows, not what stands beside us.
        sys.path.remove(workspace)
    else:
        from .reads import READS

        READS.watch()
        from .main import main
    sys.exit(main())
