# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The ways in which operations on images are told their layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .operands import Array, Operand, boolean


@dataclass(frozen=True)
class Layout:
    """A layout, and the operand that says so, if any."""

    name: str
    operands: tuple[Operand, ...]
    is_nchw: bool

    def image(self, values: Array) -> Array:
        """An image given as NHWC, in this layout."""
        return values.transpose(0, 3, 1, 2) if self.is_nchw else values

    @property
    def channel_axis(self) -> int:
        """The dimension of the channels."""
        return 1 if self.is_nchw else 3


NHWC: Final = Layout("nhwc", (boolean(False),), False)
NCHW: Final = Layout("nchw", (boolean(True),), True)
UNSTATED: Final = Layout("default", (), False)

STATED_LAYOUTS: Final = (NHWC, NCHW)
"""Of operations that have to be told."""

LAYOUTS: Final = (UNSTATED, NHWC, NCHW)
"""Of operations whose layout is NHWC unless they are told."""
