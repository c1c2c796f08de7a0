# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The list of the modules that hold formulas and cases."""

from __future__ import annotations

import importlib
from typing import Final

_MODULES: Final = (
    "elementwise",
    "movement",
    "convolution",
    "reductions",
    "recurrent",
    "boxes",
    "sampling",
)


def load() -> None:
    """Registers the formulas and cases of every module."""
    for name in _MODULES:
        importlib.import_module(f"{__package__}.{name}")
        importlib.import_module(f"{__package__}.{name}_cases")
