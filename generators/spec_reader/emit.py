# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases as JSON in the form of cases/test_case.capnp, and as case files."""

from __future__ import annotations

import base64
import json
import math
import os
import struct
import subprocess
import time
from collections.abc import Mapping, Sequence
import zlib
from typing import Any, Final, Optional, Union

from .bound import BoundModel, BoundOperand, FeedValue
from .errors import SpecError
from .expansion import Case
from .extension import prefixes
from .hal import VERSIONS, WORKSPACE
from .operands import Kind
from .storage import Values, pack

SCHEMA: Final = os.path.join(WORKSPACE, "cases", "test_case.capnp")
MODEL_SCHEMA: Final = os.path.join(WORKSPACE, "hal", "schema", "model.capnp")
"""What SCHEMA imports."""

Json = dict[str, Any]


def case_file_json(origin: str, cases: Sequence[Case]) -> Json:
    """A CaseFile as JSON. A SpecError if a value does not fit its operand's type."""
    return {"origin": origin, "cases": [case_json(case) for case in cases]}


def write_case_file(origin: str, cases: Sequence[Case], path: str, capnp: str) -> None:
    """Writes a case file, by the program `capnp`. The same cases give the same bytes.

    A SpecError if a value does not fit its operand's type; an OSError if the file cannot be
    written, a RuntimeError with the program's words if it fails.
    """
    # capnp convert misreads escaped characters, so names keep their own characters.
    text = json.dumps(case_file_json(origin, cases), ensure_ascii=False)
    command = [capnp, "convert", "json:binary", SCHEMA, "CaseFile"]
    result = _run(command, text.encode())
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {result.stderr.decode(errors='replace')}")
    # Nobody ever sees half a file.
    unfinished = f"{path}.unfinished"
    with open(unfinished, "wb") as file:
        file.write(_with_checksum(result.stdout))
    os.replace(unfinished, path)


def _run(command: list[str], text: bytes) -> subprocess.CompletedProcess[bytes]:
    """Runs a program, however long it takes until there is room for its process: whoever reads a
    specification has a time limit for all of it."""
    while True:
        try:
            return subprocess.run(command, input=text, capture_output=True, check=False)
        except BlockingIOError:
            time.sleep(0.02)


def _with_checksum(message: bytes) -> bytes:
    """A CaseFile with its checksum (see cases/test_case.capnp), which is 0 in `message`.

    It is the first data of the root, which Cap'n Proto's encoding puts into the first segment: a
    pointer to it comes first, with the number of words between both in the upper 30 of 32 bits.
    """
    (last_segment,) = struct.unpack_from("<I", message)
    table_bytes = (4 * (last_segment + 2) + 7) // 8 * 8
    (pointer,) = struct.unpack_from("<i", message, table_bytes)
    offset = table_bytes + 8 + 8 * (pointer >> 2)
    checksum = struct.pack("<I", zlib.crc32(message))
    return message[:offset] + checksum + message[offset + len(checksum) :]


def case_json(case: Case) -> Json:
    """A TestCase as JSON. A SpecError if a value does not fit its operand's type."""
    return {
        "name": case.name,
        "dynamicOutputShapeName": case.dynamic_name,
        "minimumVersion": _version(case.minimum_version),
        "specVersion": _version(case.spec_version),
        "model": _model_json(case),
        "examples": [_example_json(case, index) for index in range(case.model.request_count)],
        "multinomialDistributionTolerance": _float_json(case.multinomial_tolerance),
        "quantizedTolerance": case.quantized_tolerance,
        "deviation": case.deviation,
        "expectFailure": case.expects_failure,
        "line": case.line or 0,
    }


def _version(version: Optional[str]) -> str:
    return "unspecified" if version is None else VERSIONS[version]


def _model_json(case: Case) -> Json:
    model = case.model
    listed = prefixes(
        model.model.extensions,
        [
            name
            for name in (
                *(operand.type.element.extension for operand in model.operands),
                *(operation.extension for operation in model.operations),
            )
            if name is not None
        ],
    )
    consumers = [0] * len(model.operands)
    operations = []
    for operation in model.operations:
        inputs = [model.numbers[operand] for operand in operation.inputs]
        outputs = [model.numbers[operand] for operand in operation.outputs]
        code = _code(listed, operation.extension, operation.code)
        operations.append({"type": code, "inputs": inputs, "outputs": outputs})
        for number in inputs:
            consumers[number] += 1
    constants = {Kind.CONSTANT_COPY: bytearray(), Kind.CONSTANT_REFERENCE: bytearray()}
    operands = [
        _operand_json(case, operand, consumers[number], constants, listed)
        for number, operand in enumerate(model.operands)
    ]
    pool = constants[Kind.CONSTANT_REFERENCE]
    has_pool = any(operand.kind is Kind.CONSTANT_REFERENCE for operand in model.operands)
    return {
        "operands": operands,
        "operations": operations,
        "inputIndexes": model.input_numbers,
        "outputIndexes": model.output_numbers,
        "operandValues": _data_json(bytes(constants[Kind.CONSTANT_COPY])),
        "pools": [{"name": "ashmem", "content": _data_json(bytes(pool))}] if has_pool else [],
        "relaxComputationFloat32toFloat16": model.is_relaxed,
        "extensionNameToPrefix": [
            {"name": name, "prefix": prefix} for name, prefix in listed.items()
        ],
    }


def _code(listed: Mapping[str, int], extension: Optional[str], code: int) -> int:
    """The HAL's number of a type, which may be one of an extension."""
    return code if extension is None else listed[extension] << 16 | code


def _operand_json(
    case: Case,
    operand: BoundOperand,
    consumers: int,
    constants: dict[Kind, bytearray],
    listed: Mapping[str, int],
) -> Json:
    """An operand as JSON; its value, if it has one, is added to `constants`."""
    offset = length = 0
    if operand.kind.is_constant:
        storage = constants[operand.kind]
        # Each value is aligned to the size of its elements, one of which nothing is known to 8 bytes.
        element = operand.type.element
        storage.extend(bytes(-len(storage) % (8 if element.is_opaque else element.byte_size)))
        offset = len(storage)
        storage.extend(_pack(case, operand.operand.describe(), operand, operand.constant))
        length = len(storage) - offset
    parameters = operand.type.extraParams
    extra_params: Json = {"none": None}
    if parameters is not None and not parameters.hide:
        extra_params = {
            "channelQuant": {
                "scales": [_float_json(scale) for scale in parameters.scales],
                "channelDim": parameters.channelDim,
            }
        }
    if operand.type.extension_params is not None:
        extra_params = {"extension": _data_json(operand.type.extension_params)}
    element = operand.type.element
    return {
        "type": _code(listed, element.extension, element.code),
        "dimensions": operand.type.dimensions,
        "numberOfConsumers": consumers,
        "scale": _float_json(operand.type.scale),
        "zeroPoint": operand.type.zeroPoint,
        "lifetime": operand.kind.lifetime,
        "location": {"poolIndex": 0, "offset": offset, "length": length},
        "extraParams": extra_params,
    }


def _example_json(case: Case, request: int) -> Json:
    model = case.model
    inputs = []
    for number in model.input_numbers:
        operand = model.operands[number]
        feed = operand.feeds[request]
        if feed.is_omitted:
            inputs.append({"hasNoValue": True, "dimensions": [], "data": ""})
        else:
            inputs.append({"hasNoValue": False, **_value_json(case, operand, feed, request)})
    outputs = []
    for number in model.output_numbers:
        operand = model.operands[number]
        feed = operand.feeds[request]
        ignored = operand.kind is Kind.IGNORED_OUTPUT
        outputs.append({"ignored": ignored, **_value_json(case, operand, feed, request)})
    return {"inputs": inputs, "outputs": outputs}


def _value_json(case: Case, operand: BoundOperand, feed: FeedValue, request: int) -> Json:
    place = f"{operand.operand.describe()} in request {request}"
    dimensions = operand.type.dimensions if feed.dimensions is None else feed.dimensions
    return {
        "dimensions": dimensions,
        "data": _data_json(_pack(case, place, operand, feed.values)),
    }


def _pack(case: Case, place: str, operand: BoundOperand, values: Values) -> bytes:
    try:
        return pack(values, operand.type.element)
    except SpecError as error:
        raise SpecError(
            f"{place}, {operand.type.type} in {case.name}: {error.message}",
            error.expected,
            operand.operand.line if operand.kind.is_constant else case.line,
        ) from None


def _data_json(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _float_json(value: float) -> Union[float, str]:
    """JSON has no notation for these; capnp reads them as text."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value
