# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The names that a specification has in scope."""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import itertools
import math
import os
import pprint
import re
import struct
import sys
import traceback
import types
from collections.abc import Callable, Iterable, Iterator
from typing import IO, Any, Optional

from . import example, extension, model, operands, spec, storage, variations

_CLASSES = (
    model.Model,
    example.Example,
    operands.Operand,
    operands.Input,
    operands.Output,
    operands.IgnoredOutput,
    operands.Internal,
    operands.NoValue,
    operands.Parameter,
    operands.Int32Scalar,
    operands.Float16Scalar,
    operands.Float32Scalar,
    operands.BoolScalar,
    operands.Int32Vector,
    operands.Float32Vector,
    operands.SymmPerChannelQuantParams,
    extension.Extension,
    extension.ExtensionParams,
    operands.Value,
    storage.Bytes,
    variations.DefaultVariation,
    variations.DynamicOutputShapeConverter,
    variations.DataTypeConverter,
    variations.RelaxedModeConverter,
    variations.DataLayoutConverter,
    variations.AxisConverter,
    variations.ParameterAsInputConverter,
    variations.ActivationConverter,
)

_MODULES = (argparse, contextlib, itertools, math, os, pprint, re, struct, sys, traceback)


class _LazyModule(types.ModuleType):
    """A module that is imported when something of it is first used."""

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self.__name__), name)


def joined(l: Iterable[Any], sep: str = ", ", method: Callable[[Any], str] = str) -> str:
    """The elements, each turned to text by `method`, with `sep` between them."""
    return sep.join(method(element) for element in l)


@contextlib.contextmanager
def opened(filename: Optional[str] = None, mode: str = "w") -> Iterator[IO[Any]]:
    """The file, or the standard output for None and "-"."""
    if filename is None or filename == "-":
        yield sys.stdout
    else:
        with open(filename, mode) as file:
            yield file


def namespace(for_spec: spec.Spec) -> dict[str, Any]:
    """A fresh namespace for a specification to run in."""
    names: dict[str, Any] = {class_.__name__: class_ for class_ in _CLASSES}
    names.update({module.__name__: module for module in _MODULES})
    names.update(
        Configuration=for_spec.configuration,
        GetJointStr=joined,
        Omitted=operands.Omitted,
        SmartOpen=opened,
        np=_LazyModule("numpy"),
        reduce=functools.reduce,
    )
    # Android's specifications reach some names through the module of its generator alone.
    generator = types.ModuleType("test_generator", "The language of specifications.")
    generator.__dict__.update(names)
    names["tg"] = generator
    names["__name__"] = "__main__"
    names["__file__"] = for_spec.path
    return names
