# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The operand constructors: Input, Output, Parameter, Internal, and those derived from them."""

from __future__ import annotations

import enum
import math
import numbers
import re
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

from . import hal
from .errors import SpecError
from .extension import ExtensionParams, element_type
from .spec import current_spec
from .storage import Bytes, Number, Values, unpack

_UNSTATED: Any = object()

Dimensions = tuple[int, ...]


class SymmPerChannelQuantParams:
    """Scales of a tensor that has one scale for each index along the dimension `channelDim`.

    With `hide` the scales serve the conversion of values only, and the operand of the model does
    not carry them: the bias of a per-channel convolution has such scales.
    """

    def __init__(self, channelDim: int, scales: Sequence[float], hide: bool = False) -> None:
        self.channelDim = int(channelDim)
        self.scales = [float(scale) for scale in scales]
        self.hide = bool(hide)
        if self.channelDim < 0:
            raise SpecError(f"channelDim is {channelDim}", "the number of a dimension, from 0")


ExtraParams = Union[SymmPerChannelQuantParams, ExtensionParams]


@dataclass(frozen=True)
class OperandType:
    """Type, dimensions and quantization of an operand.

    `dimensions` holds 0 for an unknown dimension, and is empty for scalars and unknown ranks.
    `extension_params` are the extraParams of an operand of an extension, and `extension_element` is
    how the elements of such a type are stored; None otherwise.
    """

    type: str
    dimensions: Dimensions
    scale: float = 0.0
    zeroPoint: int = 0
    extraParams: Optional[SymmPerChannelQuantParams] = None
    extension_params: Optional[bytes] = None
    extension_element: Optional[hal.ElementType] = None

    @property
    def element(self) -> hal.ElementType:
        """How the elements are stored."""
        if self.extension_element is not None:
            return self.extension_element
        return hal.element_type(self.type)

    @property
    def element_count(self) -> int:
        """The product of the dimensions: 1 for a scalar, 0 if a dimension is 0."""
        return math.prod(self.dimensions)


class Kind(enum.Enum):
    """What an operand is to its model, with the schema's name of its lifetime."""

    INPUT = "modelInput"
    OUTPUT = "modelOutput"
    IGNORED_OUTPUT = (
        "modelOutput "  # A distinct value, or Enum would take it for another name of OUTPUT.
    )
    CONSTANT_COPY = "constantCopy"
    CONSTANT_REFERENCE = "constantReference"
    INTERNAL = "temporaryVariable"
    NO_VALUE = "noValue"

    @property
    def lifetime(self) -> str:
        """The schema's OperandLifeTime."""
        return self.value.strip()

    @property
    def is_output(self) -> bool:
        """Whether the operand is a model output, compared or not."""
        return self in (Kind.OUTPUT, Kind.IGNORED_OUTPUT)

    @property
    def is_constant(self) -> bool:
        """Whether the model holds the operand's value."""
        return self in (Kind.CONSTANT_COPY, Kind.CONSTANT_REFERENCE)


class Operand:
    """An operand as declared.

    Two operands are equal if their names are, and names are made unique within a specification.

    `opType` is either ("TYPE", [dimensions], scale, zeroPoint), the last two optional, followed by
    the value; or, in the older form, "TYPE" followed by a string "{d0, d1}, scale, zeroPoint" and
    the value.
    """

    kind: Kind

    def __init__(
        self,
        name: str,
        opType: Union[str, Sequence[Any]],
        value: Any = None,
        backward: Any = None,
        *,
        extraParams: Optional[ExtraParams] = None,
    ) -> None:
        spec = current_spec()
        self.name = spec.reserve_operand_name(str(name))
        self.line = spec.running_line()
        if isinstance(opType, str):
            self.type = _type_from_string(opType, value, extraParams)
            value = backward
        else:
            self.type = _type_from_tuple(opType, extraParams)
            value = backward if value is None else value
        self.value: Optional[Values] = None
        if value is not None:
            self.SetValue(value)

    def SetValue(self, value: Any) -> "Operand":
        """Replaces the value: a list, a tuple, a numpy array, or a single number."""
        self.value = flat_values(value, self.type)
        return self

    @property
    def dimensions(self) -> Dimensions:
        """The dimensions, as declared."""
        return self.type.dimensions

    @property
    def lifetime(self) -> str:
        """The HAL's name of the operand's lifetime."""
        return re.sub(r"([A-Z])", r"_\1", self.kind.lifetime).upper()

    def ShouldNeverBeInternal(self) -> "Operand":
        """Of Android 11. Says nothing here: no operand is moved into a model's middle."""
        return self

    def describe(self) -> str:
        """How error messages call the operand."""
        return f"{type(self).__name__} {self.name!r}"

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operand) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __lt__(self, other: "Operand") -> bool:
        return self.name < other.name

    def __copy__(self) -> "Operand":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Operand":
        # Specifications copy feeds, whose keys are operands; the copy means the same operands.
        return self


class Input(Operand):
    """An input of the model. Its value comes from each example."""

    kind = Kind.INPUT


class Output(Operand):
    """An output of the model, compared with the value that each example gives."""

    kind = Kind.OUTPUT


class IgnoredOutput(Output):
    """An output of the model that is not compared; examples need not give it a value."""

    kind = Kind.IGNORED_OUTPUT


class Internal(Operand):
    """An intermediate result."""

    kind = Kind.INTERNAL


class NoValue(Operand):
    """An optional operand that the model omits, of lifetime NO_VALUE.

    An addition to Android's language.
    """

    kind = Kind.NO_VALUE


class Parameter(Operand):
    """A constant of the model; with the value None an optional operand that the model omits."""

    def __init__(
        self,
        name: str,
        opType: Union[str, Sequence[Any]],
        value: Any = _UNSTATED,
        backward: Any = _UNSTATED,
        *,
        extraParams: Optional[ExtraParams] = None,
    ) -> None:
        stated = backward if isinstance(opType, str) or value is _UNSTATED else value
        super().__init__(
            name,
            opType,
            None if value is _UNSTATED else value,
            None if backward is _UNSTATED else backward,
            extraParams=extraParams,
        )
        spec = current_spec()
        self.kind = (
            Kind.CONSTANT_REFERENCE
            if spec.configuration.use_shm_for_weights
            else Kind.CONSTANT_COPY
        )
        spec.reserve_operand_name(self.name + "_init")
        if stated is _UNSTATED:
            raise SpecError(f"{self.describe()} has no value", "Parameter(name, type, value)")
        if self.value is None:
            self.kind = Kind.NO_VALUE
            return
        check_count(self.describe(), self.value, self.type)


class Int32Scalar(Parameter):
    """A constant of type INT32."""

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(name, ("INT32", []), int(value))


class Float16Scalar(Parameter):
    """A constant of type FLOAT16."""

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(name, ("FLOAT16", []), float(value))


class Float32Scalar(Parameter):
    """A constant of type FLOAT32."""

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(name, ("FLOAT32", []), float(value))


class BoolScalar(Parameter):
    """A constant of type BOOL."""

    def __init__(self, name: str, value: Any) -> None:
        super().__init__(name, ("BOOL", []), bool(value))


class Int32Vector(Parameter):
    """A constant of type TENSOR_INT32 and rank 1."""

    def __init__(self, name: str, value: Sequence[Any]) -> None:
        super().__init__(name, ("TENSOR_INT32", [len(value)]), [int(element) for element in value])


class Float32Vector(Parameter):
    """A constant of type TENSOR_FLOAT32 and rank 1."""

    def __init__(self, name: str, value: Sequence[Any]) -> None:
        super().__init__(
            name, ("TENSOR_FLOAT32", [len(value)]), [float(element) for element in value]
        )


class Value:
    """In a feed, in place of a list: a value with dimensions of its own.

    An addition to Android's language, needed where the operand's dimensions are unknown, or where
    a request states other dimensions than the model. `values` is as in a feed, and may be left
    out for an IgnoredOutput.
    """

    def __init__(self, dimensions: Sequence[int], values: Any = ()) -> None:
        self.dimensions = _dimensions(dimensions)
        self.values = values


class OmittedType:
    """The type of `Omitted`."""

    def __repr__(self) -> str:
        return "Omitted"

    def __deepcopy__(self, memo: dict[int, Any]) -> "OmittedType":
        return self


Omitted = OmittedType()
"""In a feed, in place of a list: the request omits this optional input.

An addition to Android's language.
"""


def implicit_operand(value: Any) -> Operand:
    """The operand that stands for an argument of Model.Operation.

    An operand stands for itself, a Python value for a constant; a SpecError for anything else.
    """
    if isinstance(value, Operand):
        return value
    if isinstance(value, bool):
        return BoolScalar("param", value)
    if isinstance(value, numbers.Integral):
        return Int32Scalar("param", value)
    if isinstance(value, numbers.Real):
        return Float32Scalar("param", value)
    if isinstance(value, (list, tuple)):
        if all(
            isinstance(element, numbers.Integral) and not isinstance(element, bool)
            for element in value
        ):
            return Int32Vector("param", value)
        if all(
            isinstance(element, numbers.Real) and not isinstance(element, numbers.Integral)
            for element in value
        ):
            return Float32Vector("param", value)
    raise SpecError(
        f"{value!r} cannot be an operation's input",
        "an operand, an int, a float, a bool, or a list of all ints or all floats",
    )


def flat_values(value: Any, type_: OperandType) -> Values:
    """The elements of a value of the given type.

    A value is a list or a tuple of numbers, a numpy array, Bytes, or a single number. A SpecError
    if it is none of them.
    """
    if isinstance(value, Bytes):
        return unpack(value.storage, type_.element)
    if isinstance(value, (list, tuple, range)):
        elements = list(value)
    elif hasattr(value, "flatten") and hasattr(value, "tolist"):
        elements = value.flatten().tolist()
    else:
        elements = [value]
    # By far the most are of these three; a set of types is quickly made.
    if not {type(element) for element in elements} <= {int, float, bool}:
        for index, element in enumerate(elements):
            if not isinstance(element, numbers.Real):
                raise SpecError(
                    f"element {index} of the value is {element!r}",
                    "a flat list of numbers, row-major",
                )
    return elements


def check_count(
    description: str, values: Values, type_: OperandType, line: Optional[int] = None
) -> None:
    """A SpecError unless there are as many values as the dimensions of `type_` ask for.

    Nothing is known of the length of opaque values.
    """
    if type_.element.is_opaque:
        return
    if len(values) != type_.element_count:
        raise SpecError(
            f"{description} has {len(values)} value{'s' * (len(values) != 1)}",
            f"{type_.element_count} for dimensions {list(type_.dimensions)}",
            line,
        )


def _dimensions(dimensions: Any) -> Dimensions:
    result = tuple(dimensions) if isinstance(dimensions, (list, tuple)) else None
    if result is None or not all(
        isinstance(dimension, numbers.Integral) and 0 <= int(dimension) < 2**32
        for dimension in result
    ):
        raise SpecError(
            f"the dimensions are {dimensions!r}", "a list of whole numbers, 0 for an unknown one"
        )
    return tuple(int(d) for d in result)


def make_type(
    name: Any,
    dimensions: Any,
    scale: Any,
    zero_point: Any,
    extra_params: Optional[ExtraParams],
) -> OperandType:
    """An OperandType of checked parts; a SpecError if one is not right."""
    element = element_type(name)
    checked = _dimensions(dimensions)
    if checked and not element.is_tensor:
        raise SpecError(
            f"{name} has the dimensions {list(checked)}", "no dimensions, as for every scalar"
        )
    channel_quant, extension_params = None, None
    if isinstance(extra_params, ExtensionParams):
        extension_params = extra_params.storage
    elif extra_params is None or isinstance(extra_params, SymmPerChannelQuantParams):
        channel_quant = extra_params
    else:
        raise SpecError(
            f"extraParams is {extra_params!r}",
            "SymmPerChannelQuantParams(channelDim=, scales=) or ExtensionParams(bytes)",
        )
    try:
        return OperandType(
            name,
            checked,
            float(scale),
            int(zero_point),
            channel_quant,
            extension_params,
            element if element.extension is not None else None,
        )
    except (TypeError, ValueError):
        raise SpecError(
            f"scale and zero point are {scale!r} and {zero_point!r}", "two numbers"
        ) from None


def _type_from_tuple(parts: Sequence[Any], extra_params: Optional[ExtraParams]) -> OperandType:
    expected = '("TYPE", [dimensions]), then optionally scale and zero point'
    if not isinstance(parts, (list, tuple)) or not 2 <= len(parts) <= 4:
        raise SpecError(f"the operand type is {parts!r}", expected)
    scale, zero_point = (*parts[2:], 0, 0)[:2]
    return make_type(parts[0], parts[1], scale, zero_point, extra_params)


_SHAPE = re.compile(r"\s*\{([^{}]*)\}\s*(?:,([^,]*)(?:,([^,]*))?)?")


def _type_from_string(name: str, shape: Any, extra_params: Optional[ExtraParams]) -> OperandType:
    expected = '"{d0, d1}", then optionally ", scale, zeroPoint"'
    if not isinstance(shape, str):
        raise SpecError(f"the shape after {name!r} is {shape!r}", expected)
    if not shape.strip():
        return make_type(name, (), 0, 0, extra_params)
    match = _SHAPE.fullmatch(shape)
    if match is None:
        raise SpecError(f"the shape is {shape!r}", expected)
    dimensions, scale, zero_point = match.groups()
    try:
        return make_type(
            name,
            [int(dimension) for dimension in dimensions.split(",")] if dimensions.strip() else [],
            float(scale.strip().rstrip("fF")) if scale is not None else 0,
            int(zero_point) if zero_point is not None else 0,
            extra_params,
        )
    except ValueError:
        raise SpecError(f"the shape is {shape!r}", expected) from None
