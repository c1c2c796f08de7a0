# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The variations: transformations of a model together with its examples."""

from __future__ import annotations

import dataclasses
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Optional, Union

from .bound import BoundModel, BoundOperand, numbers_of
from .errors import SpecError
from .extension import element_type
from .model import Model
from .operands import Dimensions, Kind, Operand, OperandType, make_type
from .quantization import convert, quantize_bound
from .spec import current_spec
from .storage import Number, Values


class ModelVariation:
    """What every variation has in common.

    `targets` are the operands to transform, each with an argument that only some variations use.
    `name` is the variation's part of the test name; None stands for default_name().
    """

    def __init__(self, name: Optional[str] = None) -> None:
        self.name = name
        self.line = current_spec().running_line()
        self.targets: dict[Operand, Any] = {}

    def Identify(
        self, operandArgs: Union[Mapping[Operand, Any], Iterable[Operand], None] = None
    ) -> ModelVariation:
        """Names the operands to transform, as a list, or as a dict to their arguments."""
        if isinstance(operandArgs, Mapping):
            self.targets = dict(operandArgs)
        elif operandArgs is not None:
            self.targets = dict.fromkeys(operandArgs)
        for operand in self.targets:
            if not isinstance(operand, Operand):
                raise SpecError(f"{operand!r} cannot be varied", "an operand")
        return self

    def apply(self, model: BoundModel) -> BoundModel:
        """The model with this variation; a SpecError if it cannot be varied like this."""
        changed = {}
        for operand, argument in self.targets_in(model).items():
            number = model.numbers.get(operand)
            if number is None:
                raise SpecError(
                    f"{type(self).__name__} is to transform {operand.describe()}",
                    "an operand of the model",
                    self.line,
                )
            changed[number] = self._transform_with_place(model, model.operands[number], argument)
        return model.with_operands(changed)

    def targets_in(self, model: BoundModel) -> Mapping[Operand, Any]:
        """The operands to transform, with their arguments."""
        return self.targets

    def default_name(self) -> str:
        """The variation's part of the test name if it was given none."""
        return ""

    def transform(self, model: BoundModel, operand: BoundOperand, argument: Any) -> BoundOperand:
        """The operand, one of the targets, as it is in the variation."""
        return operand

    def unsupported(self, operand: BoundOperand, expected: str) -> SpecError:
        """The error that the variation cannot transform such an operand."""
        type_ = operand.type
        return SpecError(
            f"{type(self).__name__} cannot transform {operand.operand.describe()}, a {type_.type}"
            f" of dimensions {list(type_.dimensions)}",
            expected,
            self.line,
        )

    def _transform_with_place(
        self, model: BoundModel, operand: BoundOperand, argument: Any
    ) -> BoundOperand:
        try:
            return self.transform(model, operand, argument)
        except SpecError as error:
            if error.line is not None:
                raise
            place = f"{type(self).__name__} of {operand.operand.describe()}"
            raise SpecError(f"{place}: {error.message}", error.expected, self.line) from None


class DefaultVariation(ModelVariation):
    """The model as it is."""


class DynamicOutputShapeConverter(ModelVariation):
    """All dimensions of every output unknown to the model.

    A case carries this variation as a second name, so the model is left as it is.
    """

    NAME: ClassVar[str] = "dynamic_output_shape"

    def default_name(self) -> str:
        return self.NAME


class DataTypeConverter(ModelVariation):
    """Other operand types, with the values converted.

    The argument of an operand is (type, scale, zeroPoint, extraParams), all but the type optional,
    or the type alone. With a `targetType`, "float16" or "int32", and without targets, every
    FLOAT32 and TENSOR_FLOAT32 operand is converted.
    """

    TARGET_TYPES: ClassVar = ("float16", "int32")

    def __init__(self, targetType: Optional[str] = None, name: Optional[str] = None) -> None:
        super().__init__(name)
        if targetType is not None and targetType.lower() not in self.TARGET_TYPES:
            raise SpecError(f"the target type is {targetType!r}", " or ".join(self.TARGET_TYPES))
        self.target_type = targetType.lower() if targetType is not None else None
        # Like Android, find the operands once a model: later groups of variations meet the same.
        self._found: weakref.WeakKeyDictionary[Model, Mapping[Operand, Any]]
        self._found = weakref.WeakKeyDictionary()

    def Identify(
        self, operandArgs: Union[Mapping[Operand, Any], Iterable[Operand], None] = None
    ) -> ModelVariation:
        super().Identify(operandArgs)
        for operand, argument in self.targets.items():
            parts = (argument,) if isinstance(argument, str) else argument
            if not isinstance(parts, (list, tuple)) or not 1 <= len(parts) <= 4:
                raise SpecError(
                    f"DataTypeConverter is to convert {operand.describe()} to {argument!r}",
                    "(type, scale, zeroPoint, extraParams), all but the type optional",
                )
            element_type(parts[0])
            self.targets[operand] = tuple(parts)
        return self

    def targets_in(self, model: BoundModel) -> Mapping[Operand, Any]:
        if self.targets or self.target_type is None:
            return self.targets
        if model.model not in self._found:
            scalar = self.target_type.upper()
            arguments = {"TENSOR_FLOAT32": ("TENSOR_" + scalar,), "FLOAT32": (scalar,)}
            self._found[model.model] = {
                operand.operand: arguments[operand.type.type]
                for operand in model.operands
                if operand.type.type in arguments
            }
        return self._found[model.model]

    def default_name(self) -> str:
        if self.target_type is not None:
            return self.target_type
        types = {argument[0] for argument in self.targets.values()}
        if not types:
            raise SpecError(
                "DataTypeConverter has nothing to convert", "Identify({operand: type})", self.line
            )
        for type_, name in (
            ("TENSOR_QUANT8_SYMM_PER_CHANNEL", "channelQuant8"),
            ("TENSOR_QUANT8_ASYMM", "quant8"),
            ("TENSOR_INT32", "int32"),
            ("TENSOR_FLOAT16", "float16"),
        ):
            if type_ in types:
                return name
        return "float32"

    def transform(self, model: BoundModel, operand: BoundOperand, argument: Any) -> BoundOperand:
        # Whatever was left out after the type.
        defaults: list[Any] = [0, 0, None]
        name, scale, zero_point, extra_params = list(argument) + defaults[len(argument) - 1 :]

        def retype(type_: OperandType) -> OperandType:
            return make_type(name, type_.dimensions, scale, zero_point, extra_params)

        return operand.transformed(retype, convert)


class RelaxedModeConverter(ModelVariation):
    """Relaxed computation of float32 allowed, or not."""

    def __init__(self, isRelaxed: Union[bool, str] = True, name: Optional[str] = None) -> None:
        super().__init__(name)
        if isinstance(isRelaxed, str) and isRelaxed.lower() != "relaxed":
            raise SpecError(f"RelaxedModeConverter({isRelaxed!r})", "True, False or 'relaxed'")
        self.is_relaxed = bool(isRelaxed)

    def default_name(self) -> str:
        return "relaxed" if self.is_relaxed else "float"

    def apply(self, model: BoundModel) -> BoundModel:
        return super().apply(model).with_relaxed(self.is_relaxed)


class DataLayoutConverter(ModelVariation):
    """Between the layouts NHWC and NCHW.

    Operands of rank 4 are transposed; of operands with four values the values are rearranged; a
    BOOL becomes whether the layout is NCHW.
    """

    PERMUTATIONS: ClassVar = {"nchw": (0, 3, 1, 2), "nhwc": (0, 2, 3, 1)}

    def __init__(self, targetLayout: str = "nchw", name: Optional[str] = None) -> None:
        super().__init__(name)
        self.layout = targetLayout.lower()
        if self.layout not in self.PERMUTATIONS:
            raise SpecError(f"the data layout is {targetLayout!r}", "nchw or nhwc")

    def default_name(self) -> str:
        return self.layout

    def transform(self, model: BoundModel, operand: BoundOperand, argument: Any) -> BoundOperand:
        permutation = self.PERMUTATIONS[self.layout]
        if operand.type.type == "BOOL":
            return operand.transformed(_same_type, lambda *_: [self.layout == "nchw"])
        if operand.type.dimensions == (4,):
            return operand.transformed(
                _same_type, lambda values, *_: [values[axis] for axis in permutation]
            )
        if len(operand.type.dimensions) == 4:
            return _transposed(operand, permutation)
        raise self.unsupported(operand, "a tensor of rank 4, four values, or a BOOL")


class AxisConverter(ModelVariation):
    """Another axis, and fewer dimensions.

    Of tensors of rank `dim` the axis `origin` is moved to `target`; then of each axis in `drop`
    only index 0 is kept, and the axis removed. An INT32 becomes the axis after all that, counted
    from the end if `target` is.
    """

    def __init__(
        self,
        origin: int,
        target: int,
        dim: int,
        drop: Union[int, Iterable[int]] = (),
        name: Optional[str] = None,
    ) -> None:
        super().__init__(name)
        dropped = [drop] if isinstance(drop, int) else list(drop)
        for axis in [origin, target, *dropped]:
            if not -dim <= axis < dim:
                raise SpecError(f"axis {axis}", f"one from {-dim} to {dim - 1}")
        self.rank = dim
        self.target = target
        self.drop = sorted(axis % dim for axis in dropped)
        if target % dim in self.drop:
            raise SpecError(f"axis {target} is both the target and dropped", "another one to drop")
        self.permutation = list(range(dim))
        self.permutation.insert(target % dim, self.permutation.pop(origin % dim))

    @property
    def axis(self) -> int:
        """The axis after moving and dropping, counted from the end if the target is."""
        if self.target >= 0:
            return self.target - sum(axis < self.target for axis in self.drop)
        return self.target + sum(axis > self.target + self.rank for axis in self.drop)

    def default_name(self) -> str:
        rank = self.rank - len(self.drop)
        suffix = "_neg" if self.target < 0 else ""
        return f"dim{rank}_axis{self.axis % rank}{suffix}"

    def transform(self, model: BoundModel, operand: BoundOperand, argument: Any) -> BoundOperand:
        if operand.type.type == "INT32":
            return operand.transformed(_same_type, lambda *_: [self.axis])
        if len(operand.type.dimensions) != self.rank:
            raise self.unsupported(operand, f"a tensor of rank {self.rank}, or an INT32")
        return _transposed(operand, self.permutation, self.drop)


class ParameterAsInputConverter(ModelVariation):
    """Constants as inputs of the model. `prefix` begins the default name."""

    def __init__(
        self, arg: str = "as_input", prefix: str = "weight", name: Optional[str] = None
    ) -> None:
        super().__init__(name)
        if arg.lower() != "as_input":
            raise SpecError(f"ParameterAsInputConverter({arg!r})", "'as_input'")
        self.prefix = prefix

    def default_name(self) -> str:
        return self.prefix + "_as_input"

    def transform(self, model: BoundModel, operand: BoundOperand, argument: Any) -> BoundOperand:
        if not operand.kind.is_constant:
            raise self.unsupported(operand, "a Parameter")
        return operand.as_input(model.request_count)


class ActivationConverter(ModelVariation):
    """A fused activation: an INT32 becomes its number, and outputs are clamped to its range.

    The model is assumed to have no activation before.
    """

    ACTIVATIONS: ClassVar[Mapping[str, tuple[int, Optional[float], Optional[float]]]] = {
        "none": (0, None, None),
        "relu": (1, 0.0, None),
        "relu1": (2, -1.0, 1.0),
        "relu6": (3, 0.0, 6.0),
    }

    def __init__(self, act: str = "relu", name: Optional[str] = None) -> None:
        super().__init__(name)
        self.activation = act.lower()
        if self.activation not in self.ACTIVATIONS:
            raise SpecError(f"the activation is {act!r}", "one of " + ", ".join(self.ACTIVATIONS))
        self.number, self.lowest, self.highest = self.ACTIVATIONS[self.activation]

    def default_name(self) -> str:
        return self.activation

    def transform(self, model: BoundModel, operand: BoundOperand, argument: Any) -> BoundOperand:
        if operand.type.type == "INT32":
            return operand.transformed(_same_type, lambda *_: [self.number])
        if not operand.kind.is_output:
            raise self.unsupported(operand, "an INT32 or an Output")
        return operand.transformed(_same_type, self._clamp)

    def _clamp(self, values: Values, _: OperandType, type_: OperandType) -> Values:
        # A NaN compares false and stays one.
        clamped = numbers_of(values)
        if self.lowest is not None:
            lowest = quantize_bound(self.lowest, type_)
            clamped = [lowest if value < lowest else value for value in clamped]
        if self.highest is not None:
            highest = quantize_bound(self.highest, type_)
            clamped = [highest if value > highest else value for value in clamped]
        return clamped


def implicit_variation(value: Any) -> ModelVariation:
    """The variation that stands for an argument of Example.AddVariations.

    A variation stands for itself; a shorthand, or a tuple of a shorthand and targets, for the
    variation of that name.
    """
    if isinstance(value, ModelVariation):
        return value
    shorthand, *targets = value if isinstance(value, (list, tuple)) and value else [value]
    kinds: list[tuple[type[Any], Iterable[str]]] = [
        (DataTypeConverter, DataTypeConverter.TARGET_TYPES),
        (RelaxedModeConverter, ["relaxed"]),
        (DataLayoutConverter, DataLayoutConverter.PERMUTATIONS),
        (ParameterAsInputConverter, ["as_input"]),
        (ActivationConverter, ActivationConverter.ACTIVATIONS),
    ]
    if isinstance(shorthand, str) and len(targets) <= 1:
        for kind, shorthands in kinds:
            if shorthand.lower() in shorthands:
                variation: ModelVariation = kind(shorthand)
                return variation.Identify(*targets)
    raise SpecError(
        f"{value!r} is not a variation",
        "a variation, a shorthand such as 'relaxed', or a tuple of a shorthand and operands",
    )


def _same_type(type_: OperandType) -> OperandType:
    return type_


def _transposed(
    operand: BoundOperand, permutation: Sequence[int], drop: Sequence[int] = ()
) -> BoundOperand:
    """The operand with its axes permuted, then of each axis in `drop` only index 0.

    Like Android's, the result has no extraParams.
    """
    kept = [axis for position, axis in enumerate(permutation) if position not in drop]

    def retype(type_: OperandType) -> OperandType:
        if len(type_.dimensions) != len(permutation):
            raise SpecError(f"the dimensions {list(type_.dimensions)}", f"rank {len(permutation)}")
        dimensions = tuple(type_.dimensions[axis] for axis in kept)
        return dataclasses.replace(type_, dimensions=dimensions, extraParams=None)

    def revalue(values: Values, old_type: OperandType, _: OperandType) -> Values:
        return _gather(numbers_of(values), old_type.dimensions, kept)

    return operand.transformed(retype, revalue)


def _gather(values: Values, dimensions: Dimensions, axes: Sequence[int]) -> list[Number]:
    """The elements along `axes`, the first of them outermost, at index 0 of every other axis."""
    strides = [1] * len(dimensions)
    for axis in reversed(range(len(dimensions) - 1)):
        strides[axis] = strides[axis + 1] * dimensions[axis + 1]
    positions = [0]
    for axis in axes:
        steps = range(0, dimensions[axis] * strides[axis], strides[axis] or 1)
        positions = [position + step for position in positions for step in steps]
    return [values[position] for position in positions]
