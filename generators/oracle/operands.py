# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Operands of test models: values as they are stored, and the real numbers that they stand for."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Optional, Union

import numpy as np
import numpy.typing as npt

from generators.spec_reader import hal

Array = npt.NDArray[np.float64]
"""Real numbers; integers and truth values (0 or 1) as real numbers as well."""

Stored = npt.NDArray[Any]
"""Elements as an operand type stores them."""

Values = Union[npt.ArrayLike, Sequence[Any]]


class Role(enum.Enum):
    """How an operand gets its value."""

    INPUT = "an input of the model"
    CONSTANT = "a constant of the model"
    OMITTED = "an optional operand that the model leaves out: NO_VALUE"
    OMITTED_INPUT = "an input of the model that the request leaves out: hasNoValue"


@dataclass(frozen=True)
class Quantization:
    """How integers stand for real numbers: real = (integer - zero_point) * scale.

    With `channel_scales` there is one scale for each index of `channel_dimension`. Scales are
    single precision numbers, as operands hold them. One that is not `stated` follows from other
    operands, and is no part of the model: that of a bias beside a per-channel filter.
    """

    scale: float = 0.0
    zero_point: int = 0
    channel_scales: tuple[float, ...] = ()
    channel_dimension: int = 0
    stated: bool = True

    def scales_for(self, rank: int) -> Array:
        """The scales, shaped to be broadcast to a tensor of that rank."""
        if not self.channel_scales:
            return np.asarray(self.scale, np.float64)
        shape = [1] * rank
        shape[self.channel_dimension] = len(self.channel_scales)
        return np.array(self.channel_scales, np.float64).reshape(shape)


PLAIN: Final = Quantization()
"""Of types without a scale."""


def single(value: float) -> float:
    """The number rounded to single precision."""
    return float(np.float32(value))


def quantization(scale: float, zero_point: int = 0, stated: bool = True) -> Quantization:
    """One scale for all elements."""
    return Quantization(single(scale), zero_point, stated=stated)


def channel_quantization(
    scales: Sequence[float], dimension: int, stated: bool = True
) -> Quantization:
    """A scale for each index of a dimension."""
    rounded = tuple(single(scale) for scale in scales)
    return Quantization(0.0, 0, rounded, dimension, stated)


@dataclass(frozen=True)
class Operand:
    """An operand of an operation, with its value unless it is left out."""

    type: str
    stored: Stored
    quantization: Quantization = PLAIN
    role: Role = Role.INPUT

    @property
    def is_given(self) -> bool:
        """Whether the operand has a value."""
        return self.role in (Role.INPUT, Role.CONSTANT)

    @property
    def dimensions(self) -> list[int]:
        """The dimensions; none of a scalar."""
        return list(self.stored.shape)

    @property
    def integers(self) -> Array:
        """The elements as they are stored, whatever they stand for."""
        return self.stored.astype(np.float64)

    @property
    def real(self) -> Array:
        """The real numbers that the elements stand for, exactly."""
        return dequantize(self.stored, self.quantization)

    def constant(self) -> Operand:
        """The same value as a constant of the model."""
        return dataclasses.replace(self, role=Role.CONSTANT)


def is_quantized(type_: str) -> bool:
    """Whether integers of the type stand for real numbers by a scale."""
    return "QUANT" in type_


def dtype_of(type_: str) -> np.dtype[Any]:
    """The NumPy type that stores elements of the operand type."""
    return np.dtype("<" + hal.element_type(type_).array_code)


def dequantize(stored: Stored, parameters: Quantization) -> Array:
    """The real numbers that elements stand for. Exact: an integer of 32 bits at the most times a
    scale of 24 bits fits into a double, but for the last bits of huge integers."""
    if not parameters.scale and not parameters.channel_scales:
        return stored.astype(np.float64)
    return (stored.astype(np.float64) - parameters.zero_point) * parameters.scales_for(stored.ndim)


def store(type_: str, values: Values, parameters: Quantization = PLAIN) -> Stored:
    """Real numbers as elements of a type: rounded to the nearest, and saturated."""
    reals = np.asarray(values, np.float64)
    dtype = dtype_of(type_)
    if dtype.kind == "f":
        with np.errstate(over="ignore", invalid="ignore"):
            return np.asarray(reals.astype(dtype))
    if dtype.kind == "b":
        return np.asarray(reals != 0)
    if parameters.scale or parameters.channel_scales:
        # Reading a signalling NaN, as halves have, is an invalid operation to the processor.
        with np.errstate(invalid="ignore"):
            reals = reals / parameters.scales_for(reals.ndim) + parameters.zero_point
    info = np.iinfo(dtype)
    # Per-channel weights are from -127 on: types.hal 1.2, TENSOR_QUANT8_SYMM_PER_CHANNEL.
    lowest = -127 if type_ == "TENSOR_QUANT8_SYMM_PER_CHANNEL" else info.min
    rounded = np.clip(np.rint(np.nan_to_num(reals)), lowest, info.max)
    return np.asarray(rounded.astype(dtype))


def spanning(values: Values) -> Quantization:
    """Scale and zero point of TENSOR_QUANT8_ASYMM that spread the values over all of its range.
    Zero is among the real numbers that integers stand for."""
    reals = np.asarray(values, np.float64)
    reals = reals[np.isfinite(reals)]
    lowest = min(0.0, float(reals.min(initial=0.0)))
    highest = max(0.0, float(reals.max(initial=0.0)))
    scale = single((highest - lowest) / 255 or 1 / 16)
    return Quantization(scale, int(np.clip(np.rint(-lowest / scale), 0, 255)))


def tensor(
    type_: str,
    values: Values,
    parameters: Optional[Quantization] = None,
    role: Role = Role.INPUT,
) -> Operand:
    """An operand with real numbers for its value. A quantized one without scale and zero point gets
    those that spread the values over its range."""
    if parameters is None:
        parameters = PLAIN
        if type_ == "TENSOR_QUANT8_ASYMM":
            parameters = spanning(values)
        elif is_quantized(type_):
            raise ValueError(f"{type_} needs scale and zero point")
    return Operand(type_, store(type_, values, parameters), parameters, role)


def integers(
    type_: str,
    values: Values,
    parameters: Quantization = PLAIN,
    role: Role = Role.INPUT,
) -> Operand:
    """An operand by its elements as they are stored."""
    return Operand(type_, np.asarray(values, dtype_of(type_)), parameters, role)


def int32s(values: Values, role: Role = Role.CONSTANT) -> Operand:
    """A TENSOR_INT32: a parameter such as axes, a constant unless stated otherwise."""
    return Operand("TENSOR_INT32", np.asarray(values, np.int32), role=role)


def int32(value: int) -> Operand:
    """An INT32 scalar, constant."""
    return Operand("INT32", np.asarray(value, np.int32), role=Role.CONSTANT)


def boolean(value: bool) -> Operand:
    """A BOOL scalar, constant."""
    return Operand("BOOL", np.asarray(value, np.bool_), role=Role.CONSTANT)


def float_scalar(type_: str, value: float) -> Operand:
    """A FLOAT32 or FLOAT16 scalar, constant."""
    return Operand(type_, store(type_, value), role=Role.CONSTANT)


def omitted(type_: str, rank_of_input: Optional[int] = None) -> Operand:
    """An optional tensor without a value: left out of the model, or, with a rank, an input of the
    model that the request leaves out."""
    if rank_of_input is None:
        return Operand(type_, np.zeros((0,), dtype_of(type_)), role=Role.OMITTED)
    stored = np.zeros((0,) * rank_of_input, dtype_of(type_))
    return Operand(type_, stored, role=Role.OMITTED_INPUT)


@dataclass(frozen=True)
class Output:
    """What the model says of an output. A quantized one without scale and zero point gets those
    that spread the expected values over its range. With `holds_integers` the formula gives the
    integers to be stored, not the real numbers that they stand for."""

    type: str
    quantization: Optional[Quantization] = None
    holds_integers: bool = False


@dataclass(frozen=True)
class Kind:
    """One of the sets of types that an operation comes in: the type of its tensors and that of the
    scalars beside them."""

    name: str
    tensor: str
    scalar: str

    def make(
        self, values: Values, parameters: Optional[Quantization] = None, role: Role = Role.INPUT
    ) -> Operand:
        """A tensor of the kind."""
        return tensor(self.tensor, values, parameters, role)

    def real(self, value: float) -> Operand:
        """A scalar of the kind."""
        return float_scalar(self.scalar, value)

    def output(self, parameters: Optional[Quantization] = None) -> Output:
        """An output of the kind."""
        return Output(self.tensor, parameters)

    def omitted(self, rank_of_input: Optional[int] = None) -> Operand:
        """A tensor of the kind that is left out; see the function of that name."""
        return omitted(self.tensor, rank_of_input)

    @property
    def is_quantized(self) -> bool:
        """Whether the tensors are quantized."""
        return is_quantized(self.tensor)


FLOAT32: Final = Kind("float32", "TENSOR_FLOAT32", "FLOAT32")
FLOAT16: Final = Kind("float16", "TENSOR_FLOAT16", "FLOAT16")
QUANT8: Final = Kind("quant8", "TENSOR_QUANT8_ASYMM", "FLOAT32")
INT32: Final = Kind("int32", "TENSOR_INT32", "INT32")
BOOL8: Final = Kind("bool8", "TENSOR_BOOL8", "BOOL")
# As the documentation has some operations, of which Android's own specs have FLOAT16 scalars.
FLOAT16_BESIDE_FLOAT32: Final = Kind("float16_beside_float32", "TENSOR_FLOAT16", "FLOAT32")

FLOATS: Final = (FLOAT32, FLOAT16)
FLOATS_AND_QUANT8: Final = (FLOAT32, FLOAT16, QUANT8)
NUMBERS: Final = (FLOAT32, FLOAT16, INT32, QUANT8)
EVERYTHING: Final = (FLOAT32, FLOAT16, INT32, QUANT8, BOOL8)
