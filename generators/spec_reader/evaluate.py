# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Reading one specification."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Optional

from . import language
from .errors import SpecError
from .expansion import Case, expand
from .spec import Spec, version_of_folder


class TimeLimitExceeded(BaseException):
    """The specification has run for too long. No `except Exception` of its own catches this."""


def read_spec(path: str) -> tuple[Spec, list[Case]]:
    """Runs the specification in the file `path`, and returns it with its cases.

    A SpecError, with its line, whatever goes wrong. The specification runs in this process and in
    a namespace of its own; what it does to modules is not undone.
    """
    spec = Spec(path, version=None)
    try:
        spec.version = version_of_folder(path)
        with open(path, "rb") as file:
            source = file.read()
        with spec.reading():
            _run(spec, source)
            return spec, expand(spec)
    except SpecError as error:
        if error.line is None:
            error.line = _line_in(path, error)
        raise
    except OSError as error:
        raise SpecError(f"cannot be read: {error.strerror}", "a readable file", line=1) from error


def _run(spec: Spec, source: bytes) -> None:
    try:
        code = compile(source, spec.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = error.lineno if isinstance(error, SyntaxError) else 1
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        raise SpecError(f"{type(error).__name__}: {message}", "Python", line) from None
    names = language.namespace(spec)
    try:
        with _importable("test_generator", names["tg"]):
            exec(code, names)
    except SpecError:
        raise
    except TimeLimitExceeded as error:
        line = _line_in(spec.path, error)
        raise SpecError(f"still running after {error}", "a specification that ends", line) from None
    except BaseException as error:
        # Whatever a specification raises is its own fault, an exit or an interrupt included.
        description = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        line = _line_in(spec.path, error)
        raise SpecError(description, "a specification that runs to its end", line) from error


@contextmanager
def _importable(name: str, module: types.ModuleType) -> Iterator[None]:
    """Makes `import name` find the module."""
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        yield
    finally:
        if before is None:
            sys.modules.pop(name, None)
        else:
            sys.modules[name] = before


def _line_in(path: str, error: BaseException) -> Optional[int]:
    """The innermost line of the file `path` that was running when the error was raised."""
    line = None
    traceback: Optional[types.TracebackType] = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == path:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line
