# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Between numbers and the bytes of an operand: row-major, little-endian, BOOL one byte each."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Sequence
from typing import Union

from .errors import SpecError
from .hal import ElementType

Number = Union[int, float, bool]
Values = Sequence[Number]
"""The elements of an operand, row-major."""


class Bytes:
    """In place of a list of numbers: the storage itself, in hexadecimal.

    An addition to Android's language, for what numbers cannot say, such as the payload of a NaN.
    """

    def __init__(self, hexadecimal: str) -> None:
        try:
            self.storage = bytes.fromhex(hexadecimal)
        except (TypeError, ValueError):
            raise SpecError(
                f"Bytes({hexadecimal!r})", "a string of hexadecimal digits, two for each byte"
            ) from None


class StoredValues(list[Number]):
    """Numbers that were given by their storage, which they keep."""

    def __init__(self, numbers: Sequence[Number], storage: bytes) -> None:
        super().__init__(numbers)
        self.storage = storage


def unpack(storage: bytes, element: ElementType) -> StoredValues:
    """The numbers that `storage` holds; a SpecError if it ends within one."""
    count, rest = divmod(len(storage), element.byte_size)
    if rest:
        raise SpecError(f"Bytes of {len(storage)} bytes", f"a multiple of {element.byte_size}")
    return StoredValues(struct.unpack(f"<{count}{element.array_code}", storage), storage)


def pack(values: Values, element: ElementType) -> bytes:
    """The storage of `values`.

    Floating point numbers are rounded once, to the nearest, ties to even; too large ones become
    infinite. Of numbers in a whole-number type the fraction is cut off. A SpecError says which
    value does not fit.
    """
    if isinstance(values, StoredValues):
        return values.storage
    if element.is_bool:
        return bytes(1 if value else 0 for value in values)
    if element.array_code == "e":
        return _pack_half(values)
    if element.array_code == "f":
        packed = array("f", values)
    else:
        packed = array(element.array_code, _whole_numbers(values, element))
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _pack_half(values: Values) -> bytes:
    try:
        return struct.pack(f"<{len(values)}e", *values)
    except OverflowError:
        return b"".join(_pack_one_half(float(value)) for value in values)


def _pack_one_half(value: float) -> bytes:
    try:
        return struct.pack("<e", value)
    except OverflowError:
        return struct.pack("<e", float("inf") if value > 0 else float("-inf"))


def _whole_numbers(values: Values, element: ElementType) -> list[int]:
    lowest, highest = element.limits
    numbers = []
    for index, value in enumerate(values):
        try:
            number = int(value)
        except (OverflowError, ValueError):
            raise SpecError(f"value {index} is {value!r}", "a whole number") from None
        if not lowest <= number <= highest:
            raise SpecError(f"value {index} is {value!r}", f"a number from {lowest} to {highest}")
        numbers.append(number)
    return numbers
