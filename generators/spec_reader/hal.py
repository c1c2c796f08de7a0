# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The HAL's names and numbers that a specification refers to, as of HAL 1.2.

They are read from hal/operand_types.def and hal/operations.def, the only lists of them.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Optional

from .errors import SpecError

# The top of the workspace, or of the runfiles that stand for it. Links are not followed: each
# runfile is a link of its own.
WORKSPACE: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

VERSIONS: Final[Mapping[str, str]] = {"V1_0": "v10", "V1_1": "v11", "V1_2": "v12"}
"""Version names of specifications, and the schema's name of each."""

# Typecodes of Python's array module ("e", half precision, and "?" are struct's).
_ARRAY_CODES: Final = {
    "float": "f",
    "Float16": "e",
    "int32_t": "i",
    "uint32_t": "I",
    "int16_t": "h",
    "uint16_t": "H",
    "int8_t": "b",
    "uint8_t": "B",
}

# What conversions from real numbers saturate to. Other types do not saturate: a value that does
# not fit is an error of the specification.
_CLAMPS: Final[Mapping[str, tuple[int, Optional[int]]]] = {
    "UINT32": (0, None),
    "TENSOR_QUANT8_ASYMM": (0, 255),
    "TENSOR_QUANT16_ASYMM": (0, 65535),
    "TENSOR_QUANT8_SYMM_PER_CHANNEL": (-127, 127),
}


@dataclass(frozen=True)
class ElementType:
    """How the elements of an operand type are stored.

    `array_code` is a typecode of `array` or `struct`. `clamp` is what a conversion from real
    numbers saturates to, None where conversions do not saturate. `is_opaque`: only the vendor knows
    how values are stored and how long they are, so they are given as bytes. `extension` is the name
    of the extension that has the type, in which `code` is its number.
    """

    code: int
    array_code: str
    byte_size: int
    is_tensor: bool
    clamp: Optional[tuple[int, Optional[int]]]
    is_opaque: bool = False
    extension: Optional[str] = None

    @property
    def is_float(self) -> bool:
        """Whether values are stored as floating point numbers."""
        return self.array_code in "fe"

    @property
    def is_bool(self) -> bool:
        """Whether values are truth values, one byte each."""
        return self.array_code == "?"

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest whole number that the storage holds."""
        bits = 8 * self.byte_size
        return (
            (0, 2**bits - 1)
            if self.array_code.isupper()
            else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        )


OPAQUE: Final = ElementType(0, "B", 1, True, None, is_opaque=True)
"""The elements of a type of which nothing is known but its vendor."""


@functools.cache
def operand_types() -> Mapping[str, ElementType]:
    """The operand types by name."""
    types = {}
    for row in _rows("operand_types.def", "NNCERT_OPERAND_TYPE"):
        name, value, _, is_scalar, byte_size, storage = row[:6]
        if int(byte_size) > 0:
            array_code = "?" if "BOOL" in name else _ARRAY_CODES[storage]
            types[name] = ElementType(
                int(value), array_code, int(byte_size), is_scalar != "true", _CLAMPS.get(name)
            )
        else:
            # A scalar of the device maker.
            types[name] = dataclasses.replace(OPAQUE, code=int(value), is_tensor=False)
    return types


@functools.cache
def operations() -> Mapping[str, int]:
    """The numbers of the operations by name."""
    return {row[0]: int(row[1]) for row in _rows("operations.def", "NNCERT_OPERATION")}


def element_type(name: object) -> ElementType:
    """The storage of the operand type called `name`; a SpecError if there is none."""
    types = operand_types()
    if isinstance(name, str) and name in types:
        return types[name]
    raise SpecError(
        f"unknown operand type {name!r}{_suggestion(name, types)}", "one of " + ", ".join(types)
    )


def operation_code(name: object) -> int:
    """The number of the operation called `name`; a number stands for itself.

    A SpecError if there is no such operation.
    """
    if isinstance(name, int) and not isinstance(name, bool) and 0 <= name < 2**32:
        return name
    codes = operations()
    if isinstance(name, str) and name in codes:
        return codes[name]
    raise SpecError(
        f"unknown operation {name!r}{_suggestion(name, codes)}",
        "the HAL's name of an operation, such as ADD or CONV_2D",
    )


def check_version(version: object) -> Optional[str]:
    """`version` if it is one of VERSIONS or None, a SpecError otherwise."""
    if version is None or (isinstance(version, str) and version in VERSIONS):
        return version
    raise SpecError(f"unknown HAL version {version!r}", f"one of {', '.join(VERSIONS)} or None")


def _rows(file_name: str, macro: str) -> Iterator[list[str]]:
    """The arguments of each use of `macro` in a file of hal/."""
    with open(os.path.join(WORKSPACE, "hal", file_name), encoding="utf-8") as file:
        code = re.sub(r"//[^\n]*", "", file.read())
    for arguments in re.findall(rf"^{macro}\(([^)]*)\)", code, re.MULTILINE):
        yield [argument.strip() for argument in arguments.split(",")]


def _suggestion(name: object, known: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(str(name), known, n=1)
    return f" (did you mean {close[0]}?)" if close else ""
