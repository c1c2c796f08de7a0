# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The one error type of the spec reader."""

from __future__ import annotations

from typing import Optional


class SpecError(Exception):
    """A specification that cannot be read.

    `message` says what is wrong, `expected` what would have been right. `line` is the line of the
    specification, or None while it is not known: the evaluator then takes the innermost line of
    the specification that was running.
    """

    def __init__(self, message: str, expected: str, line: Optional[int] = None) -> None:
        super().__init__(message)
        self.message = message
        self.expected = expected
        self.line = line

    def describe(self, path: str) -> str:
        """The error as one line: `file:line: message; expected ...`."""
        text = f"{path}:{self.line or 1}: {self.message}; expected {self.expected}"
        return " ".join(text.split())
