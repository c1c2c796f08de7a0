# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What one specification has declared so far, and which specification is being read."""

from __future__ import annotations

import contextvars
import os
import re
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Iterator, Optional

from .errors import SpecError
from .hal import VERSIONS

if TYPE_CHECKING:
    from .example import Example
    from .extension import Extension
    from .model import Model


class Configuration:
    """The flags that a specification may set: `Configuration.<flag> = <bool>`.

    Each specification has its own.
    """

    __slots__ = ("use_shm_for_weights", "test_dynamic_output_shape", "force_regenerate")

    def __init__(self) -> None:
        self.use_shm_for_weights = False
        """Parameters constructed while this is set are CONSTANT_REFERENCE, in a memory pool."""
        self.test_dynamic_output_shape = True
        """Examples constructed while this is set also run with unspecified output dimensions."""
        self.force_regenerate = False
        """Accepted for compatibility; it has no effect here."""

    def __setattr__(self, name: str, value: object) -> None:
        if name not in self.__slots__:
            raise SpecError(
                f"Configuration has no flag {name!r}", "one of " + ", ".join(self.__slots__)
            )
        object.__setattr__(self, name, bool(value))

    def useSHM(self) -> bool:
        """Whether constants go to shared memory."""
        return bool(self.use_shm_for_weights)


@dataclass
class Spec:
    """Everything that one specification declares while it runs.

    `path` is how error messages call the file. `version` is the version folder that the file
    stands in ("V1_2"), or None outside such a folder.
    """

    path: str
    version: Optional[str]
    configuration: Configuration = field(default_factory=Configuration)
    models: list["Model"] = field(default_factory=list)
    examples: list["Example"] = field(default_factory=list)
    version_overrides: dict[str, tuple[Optional[str], Optional[int]]] = field(default_factory=dict)
    """By test name: the version that Example.SetVersion gives it, and the line where it does."""
    warnings: list[str] = field(default_factory=list)
    operand_names: set[str] = field(default_factory=set)
    extensions: dict[str, "Extension"] = field(default_factory=dict)
    """By name, in the order of declaration."""

    @property
    def name(self) -> str:
        """The base name up to the first dot, with which every test name begins."""
        return base_name(self.path)

    def reserve_operand_name(self, name: str) -> str:
        """`name`, or `name` with the first of 1, 2, ... that makes it unique among the operands."""
        unique, suffix = name, 0
        while unique in self.operand_names:
            suffix += 1
            unique = f"{name}{suffix}"
        self.operand_names.add(unique)
        return unique

    def warn(self, message: str, line: Optional[int]) -> None:
        """Notes something that is no error, but hardly what the author meant."""
        self.warnings.append(f"{self.path}:{line or 1}: warning: {message}")

    def running_line(self) -> Optional[int]:
        """The innermost line of the specification that is running now; None if none is."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self.path:
                return frame.f_lineno
            frame = frame.f_back  # type: ignore[assignment]
        return None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Makes this the specification that constructors register with."""
        token = _current.set(self)
        try:
            yield
        finally:
            _current.reset(token)


_current: contextvars.ContextVar[Spec] = contextvars.ContextVar("specification being read")


def current_spec() -> Spec:
    """The specification being read. Constructors of the language work only while there is one."""
    spec = _current.get(None)
    if spec is None:
        raise RuntimeError("no specification is being read: use Spec.reading()")
    return spec


def base_name(path: str) -> str:
    """The name of the specification in `path`: its file name up to the first dot."""
    return os.path.basename(path).split(".", 1)[0]


def version_of_folder(path: str) -> Optional[str]:
    """The version folder in `path`: the one component of the form V<digit>_<digit>.

    None if there is not exactly one; a SpecError if it is no version that the HAL has here.
    """
    components = os.path.abspath(path).split(os.sep)[:-1]
    versions = [component for component in components if re.fullmatch(r"V\d_\d", component)]
    if len(versions) != 1:
        return None
    if versions[0] not in VERSIONS:
        raise SpecError(
            f"the file stands in the version folder {versions[0]}",
            "one of " + ", ".join(VERSIONS),
            line=1,
        )
    return versions[0]
