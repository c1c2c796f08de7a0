# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert as a process, for tests: how it is started, and what it has started itself."""

from __future__ import annotations

import os
import pathlib
import subprocess
import time
from typing import Callable

NNCERT = str(pathlib.Path("tools/nncert").absolute())
MISBEHAVING = pathlib.Path("harness/testing/misbehaving_driver.so").absolute()

# The misbehaving driver is honest with models of one operation.
TWO_OPERATIONS_SPEC = """
a = Input("a", "TENSOR_FLOAT32", "{2}")
b = Internal("b", "TENSOR_FLOAT32", "{2}")
c = Output("c", "TENSOR_FLOAT32", "{2}")
model = Model().Operation("RELU", a).To(b).Operation("FLOOR", b).To(c)
Example({a: [-1.5, 1.5], c: [0, 1]})
"""


def start(folder: pathlib.Path, *arguments: str) -> subprocess.Popen[str]:
    """Starts nncert as by a user who is in this folder."""
    return subprocess.Popen(
        [NNCERT, *arguments],
        env=dict(os.environ, BUILD_WORKING_DIRECTORY=str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
    )


def hosts_of(driver: pathlib.Path) -> set[int]:
    """The processes of a driver, whoever has started them."""
    found = set()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_text(errors="replace")
        except OSError:
            continue
        if f"--driver={driver}\0" in command:
            found.add(int(folder.name))
    return found


def wait_until(condition: Callable[[], bool], seconds: float = 300) -> None:
    """Waits until the condition holds, but not for ever."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s in vain")
        time.sleep(0.001)
