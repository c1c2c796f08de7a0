# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Runs the command line, however this file is started: as a module, as a folder, or by name."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    if not __package__:
        # Python was given a path: it has put our own folder into the search path, but what we are
        # called, generators.oracle, is found from two folders above.
        folder = os.path.dirname(os.path.abspath(__file__))
        workspace = os.path.dirname(os.path.dirname(folder))
        sys.path[:] = [workspace] + [path for path in sys.path if os.path.abspath(path) != folder]
    from generators.oracle.main import main

    sys.exit(main())
