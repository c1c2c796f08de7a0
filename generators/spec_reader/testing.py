# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the spec reader share: reading specifications that are strings."""

from __future__ import annotations

import base64
import os
import struct
import tempfile
import textwrap
from collections.abc import Sequence
from typing import Any, Optional

from . import emit
from .errors import SpecError
from .evaluate import read_spec
from .spec import Spec

Json = dict[str, Any]

ADD = """
a = Input("a", "TENSOR_FLOAT32", "{2}")
b = Input("b", "TENSOR_FLOAT32", "{2}")
c = Output("c", "TENSOR_FLOAT32", "{2}")
Model().Operation("ADD", a, b, 0).To(c)
values = {a: [1, 2], b: [3, 4], c: [4, 6]}
"""
"""A model that the following lines can have examples of."""


def write_spec(folder: str, source: str, name: str = "sample.mod.py") -> str:
    """Writes a specification into a folder, which is made if need be; returns its path."""
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(textwrap.dedent(source))
    return path


def read_with_spec(
    source: str, version: Optional[str] = "V1_2", name: str = "sample.mod.py"
) -> tuple[Spec, list[Json]]:
    """Reads a specification that stands in the folder `version`. Returns it and its cases."""
    with tempfile.TemporaryDirectory() as folder:
        if version is not None:
            folder = os.path.join(folder, version)
        spec, cases = read_spec(write_spec(folder, source, name))
        return spec, [emit.case_json(case) for case in cases]


def read(source: str, version: Optional[str] = "V1_2", name: str = "sample.mod.py") -> list[Json]:
    """The cases of a specification that stands in the folder `version`."""
    return read_with_spec(source, version, name)[1]


def read_one(source: str) -> Json:
    """The one case of a specification."""
    (case,) = read(source)
    return case


def error_of(source: str, version: str = "V1_2") -> str:
    """What is wrong with a specification: `line: message; expected ...`."""
    try:
        read(source, version)
    except SpecError as error:
        return error.describe("spec").removeprefix("spec:")
    raise AssertionError("the specification has no error")


def names_of(cases: Sequence[Json]) -> list[str]:
    """The names of the cases."""
    return [case["name"] for case in cases]


def numbers(value: Json, array_code: str) -> list[Any]:
    """The numbers that an input or an output has as data."""
    data = base64.b64decode(value["data"])
    return list(struct.unpack(f"<{len(data) // struct.calcsize(array_code)}{array_code}", data))


def constant(case: Json, number: int) -> bytes:
    """The storage of the constant operand with this number."""
    operand = case["model"]["operands"][number]
    location = operand["location"]
    if operand["lifetime"] == "constantCopy":
        storage = case["model"]["operandValues"]
    else:
        storage = case["model"]["pools"][location["poolIndex"]]["content"]
    end = location["offset"] + location["length"]
    return base64.b64decode(storage)[location["offset"] : end]
