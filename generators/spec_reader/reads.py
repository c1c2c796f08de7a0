# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What the reading of a specification depends on: files and folders that Python has looked into.

Noticed by a hook of Python's (PEP 578), so it has to be told to watch before anything else is
imported: this module imports nothing that is not there already. Neither the environment nor the
time is noticed, nor whether a file is there that nobody opens.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

# Events after which nobody knows what a specification depends on.
_UNKNOWABLE: Final = (
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "pty.spawn",
    "socket.connect",
    "subprocess.Popen",
)

# Where files are that have no content of their own.
_NO_CONTENT: Final = ("/dev/", "/proc/", "/sys/")

_FILE: Final = "file"
_FOLDER: Final = "folder"


class Reads:
    """What this process has read, and its parents before they forked."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], None] = {}
        self._is_watching = False
        self._is_of_specification = False
        # Nothing is, before this watches.
        self._is_known = False

    def watch(self) -> None:
        """Begins to watch; there is no end to it."""
        if not self._is_watching:
            self._is_watching = self._is_known = True
            sys.addaudithook(self._hook)

    @contextmanager
    def of_specification(self) -> Iterator[None]:
        """What happens within is done by a specification, and nothing after it counts."""
        self._is_of_specification = True
        try:
            yield
        finally:
            self._is_watching = False

    def write(self, path: str, others: Iterable[str]) -> None:
        """Writes all to a file, with `others` that were read: for each "file" or "folder", a colon,
        its absolute path and a zero byte. Writes nothing if it is not known."""
        if not self._is_known:
            return
        for other in others:
            self._add(_FILE, other)
        for module in list(sys.modules.values()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str):
                self._add(_FILE, file)
        with open(path, "wb") as file:
            for kind, name in self._seen:
                file.write(os.fsencode(f"{kind}:{name}") + b"\0")

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._is_watching:
            return
        if event == "open":
            path, _, flags = arguments
            if flags & os.O_ACCMODE == os.O_RDONLY:
                self._add(_FILE, path)
            elif self._is_of_specification:
                self._is_known = False
        elif event in ("os.listdir", "os.scandir"):
            self._add(_FOLDER, arguments[0] or ".")
        elif self._is_of_specification and event in _UNKNOWABLE:
            self._is_known = False

    def _add(self, kind: str, path: Any) -> None:
        if isinstance(path, int):
            # Opened before, which was noticed.
            return
        try:
            name = os.path.join(os.getcwd(), os.fsdecode(path))
            if self._is_of_specification and name.startswith(_NO_CONTENT):
                self._is_known = False
            folder, base = os.path.split(name)
            source = os.path.join(os.path.dirname(folder), base.split(".", 1)[0] + ".py")
            if base.endswith(".pyc") and os.path.basename(folder) == "__pycache__":
                # What was compiled is as good as its source.
                name = source if os.path.exists(source) else name
            self._seen[(kind, name)] = None
        except (OSError, TypeError, ValueError):
            # What is no path cannot be opened; in a folder that is gone nobody knows what is.
            self._is_known = False


READS: Final = Reads()
"""Those of this process."""
