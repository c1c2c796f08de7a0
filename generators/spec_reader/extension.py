# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Extension: the operand types and operations of a vendor, an addition to Android's language."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

from . import hal
from .errors import SpecError
from .spec import current_spec
from .storage import Bytes

_NUMBERS = range(2**16)
_PREFIXES = range(1, 2**16)

TypeDeclaration = Union[int, tuple[int, str]]


class Extension:
    """A vendor extension whose types and operations the following operands and models may use.

    `operandTypes` says of each operand type its number within the extension and the HAL's type
    that stores its elements in the same way, (number, "TENSOR_QUANT16_SYMM"); or the number alone
    if only the vendor knows, and then values are Bytes. `operations` says the number of each
    operation. They are called by the extension's name, a dot and their own.

    Models number extensions by the order of declaration, from 1, and list those that they use;
    one with a `prefix` has that number, and is always listed.
    """

    prefix: Optional[int]

    def __init__(
        self,
        name: str,
        operandTypes: Optional[Mapping[str, TypeDeclaration]] = None,
        operations: Optional[Mapping[str, int]] = None,
        prefix: Optional[int] = None,
    ) -> None:
        spec = current_spec()
        if not isinstance(name, str) or not name:
            raise SpecError(f"the extension's name is {name!r}", "a name such as com.example.name")
        if name in spec.extensions:
            raise SpecError(f"the extension {name} is declared twice", "one declaration")
        if prefix is not None and prefix not in _PREFIXES:
            raise SpecError(f"the prefix is {prefix!r}", "a number from 1 to 65535")
        if prefix is not None and prefix in [other.prefix for other in spec.extensions.values()]:
            raise SpecError(f"the prefix {prefix} is that of another extension", "one of its own")
        self.name = name
        self.prefix = prefix
        self.operand_types = {
            type_name: self._element(type_name, declaration)
            for type_name, declaration in (operandTypes or {}).items()
        }
        self.operations = {
            operation: _checked(operation, number)
            for operation, number in (operations or {}).items()
        }
        spec.extensions[name] = self

    def _element(self, name: str, declaration: Any) -> hal.ElementType:
        parts = declaration if isinstance(declaration, (list, tuple)) else (declaration,)
        if not 1 <= len(parts) <= 2:
            raise SpecError(
                f"{name} is declared as {declaration!r}", "its number, or (number, HAL type)"
            )
        number = _checked(name, parts[0])
        if len(parts) == 1:
            return dataclasses.replace(hal.OPAQUE, code=number, extension=self.name)
        stored_as = hal.element_type(parts[1])
        return dataclasses.replace(stored_as, code=number, extension=self.name)


class ExtensionParams:
    """extraParams of an operand of an extension: bytes, or Bytes."""

    def __init__(self, value: Union[bytes, Bytes]) -> None:
        if isinstance(value, Bytes):
            value = value.storage
        if not isinstance(value, (bytes, bytearray)):
            raise SpecError(f"ExtensionParams({value!r})", "bytes, or Bytes")
        self.storage = bytes(value)


def element_type(name: Any) -> hal.ElementType:
    """The storage of the operand type called `name`, of the HAL or of an extension."""
    extension, own_name = _split(name)
    if extension is None:
        return hal.element_type(name)
    if own_name in extension.operand_types:
        return extension.operand_types[own_name]
    raise _unknown("operand type", extension, own_name, extension.operand_types)


def operation_code(name: Any) -> tuple[Optional[str], int]:
    """The extension that has the operation called `name`, None for the HAL, and its number."""
    extension, own_name = _split(name)
    if extension is None:
        return None, hal.operation_code(name)
    if own_name in extension.operations:
        return extension.name, extension.operations[own_name]
    raise _unknown("operation", extension, own_name, extension.operations)


def prefixes(declared: Mapping[str, Extension], used: Iterable[str]) -> dict[str, int]:
    """The prefixes of the extensions that a model lists, in order. `used` are those it uses."""
    needed = set(used)
    listed = [
        extension
        for extension in declared.values()
        if extension.prefix is not None or extension.name in needed
    ]
    taken = {extension.prefix for extension in listed}
    free = (prefix for prefix in _PREFIXES if prefix not in taken)
    return {
        extension.name: next(free) if extension.prefix is None else extension.prefix
        for extension in listed
    }


def _checked(name: str, number: Any) -> int:
    if not isinstance(name, str) or not re.fullmatch(r"\w+", name):
        raise SpecError(f"{name!r} is the name of a type", "letters, digits and underscores")
    if isinstance(number, bool) or not isinstance(number, int) or number not in _NUMBERS:
        raise SpecError(f"the number of {name} is {number!r}", "a number from 0 to 65535")
    return number


def _split(name: Any) -> tuple[Optional[Extension], str]:
    """The extension that a name belongs to, None if it is to none, and the name within it."""
    if not isinstance(name, str) or "." not in name:
        return None, str(name)
    extension, _, own_name = name.rpartition(".")
    declared = current_spec().extensions
    if extension not in declared:
        raise SpecError(
            f"{name} belongs to an extension that is not declared",
            f"Extension({extension!r}, ...) before it",
        )
    return declared[extension], own_name


def _unknown(what: str, extension: Extension, name: str, known: Iterable[str]) -> SpecError:
    return SpecError(
        f"the extension {extension.name} declares no {what} {name}",
        "one of " + ", ".join(known) if known else f"an extension with {what}s",
    )
