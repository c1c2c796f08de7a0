# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Model: operations on operands, in the order in which a specification states them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

from . import hal
from .errors import SpecError
from .extension import operation_code
from .operands import Input, Operand, Output, implicit_operand
from .spec import current_spec


@dataclass
class ModelOperation:
    """One operation of a model. `code` is the HAL's number of it, or the number within the
    extension of the name `extension`."""

    name: str
    code: int
    inputs: list[Operand]
    outputs: list[Operand]
    line: Optional[int]
    extension: Optional[str] = None


class Model:
    """A model. Its operands are numbered by first appearance: the inputs of an operation when it
    is stated, its outputs when To() names them."""

    def __init__(self, name: Optional[str] = None) -> None:
        spec = current_spec()
        self.name = name
        self.line = spec.running_line()
        self.operations: list[ModelOperation] = []
        self.is_relaxed = False
        self.version = spec.version
        self.extensions = spec.extensions
        self._operands: dict[Operand, None] = {}
        self._inputs: Optional[list[Operand]] = None
        self._outputs: Optional[list[Operand]] = None
        spec.models.append(self)

    def Operation(self, op_name: Union[str, int], *args: Any) -> Model:
        """Adds an operation with its inputs: operands, or Python values that become constants.

        An operation is called by its HAL name, by its name in a declared extension, "name of the
        extension.NAME", or by its number.
        """
        extension, code = operation_code(op_name)
        inputs = [implicit_operand(argument) for argument in args]
        self.operations.append(
            ModelOperation(str(op_name), code, inputs, [], current_spec().running_line(), extension)
        )
        return self.DeclareOperands(*inputs)

    def To(self, *args: Union[Operand, Sequence[Operand]]) -> Model:
        """Names the outputs of the operation added last, one by one or as a list."""
        if not self.operations:
            raise SpecError("To() without an operation", "Operation(...) before it")
        outputs = _flatten(args)
        self.operations[-1].outputs = outputs
        return self.DeclareOperands(*outputs)

    def RelaxedExecution(self, isRelaxed: bool) -> Model:
        """Says whether float32 may be computed with the range and precision of float16."""
        self.is_relaxed = bool(isRelaxed)
        return self

    def IntroducedIn(self, ver: Optional[str]) -> Model:
        """States the lowest HAL version that can run the model, None for none."""
        self.version = hal.check_version(ver)
        return self

    def DeclareOperands(self, *operands: Union[Operand, Sequence[Operand]]) -> Model:
        """Adds operands in this order, before any operation mentions them.

        An addition to Android's language: it fixes the numbers of the operands, and admits
        operands that no operation uses.
        """
        self._operands.update(dict.fromkeys(_flatten(operands)))
        return self

    def IdentifyInputsAndOutputs(
        self, inputs: Sequence[Operand], outputs: Sequence[Operand]
    ) -> Model:
        """States the model's inputs and outputs and their order.

        An addition to Android's language; without it they are in the order of the operands.
        """
        self._inputs, self._outputs = _flatten([inputs]), _flatten([outputs])
        self.DeclareOperands(self._inputs, self._outputs)
        return self

    @property
    def operands(self) -> list[Operand]:
        """The operands in order."""
        return list(self._operands)

    @property
    def inputs(self) -> list[Operand]:
        """The model's inputs in order."""
        if self._inputs is not None:
            return self._inputs
        return [operand for operand in self._operands if isinstance(operand, Input)]

    @property
    def outputs(self) -> list[Operand]:
        """The model's outputs in order."""
        if self._outputs is not None:
            return self._outputs
        return [operand for operand in self._operands if isinstance(operand, Output)]

    def sorted_operations(self) -> list[ModelOperation]:
        """The operations in execution order; a SpecError if they form a cycle.

        An operation follows those that write its inputs. Beyond that the stated order is kept.
        """
        writers: dict[Operand, list[int]] = {}
        for index, operation in enumerate(self.operations):
            for output in operation.outputs:
                writers.setdefault(output, []).append(index)
        # Android visits what an operation depends on by operand number, not by its inputs' order.
        number = {operand: index for index, operand in enumerate(self._operands)}
        needed = [
            [
                writer
                for operand in sorted(operation.inputs, key=number.__getitem__)
                for writer in writers.get(operand, ())
            ]
            for operation in self.operations
        ]
        done: dict[int, None] = {}
        for start in range(len(self.operations)):
            # Depth first, without recursion: models may be thousands of operations deep.
            path = [start]
            on_path = {start}
            while path:
                pending = next((index for index in needed[path[-1]] if index not in done), None)
                if path[-1] in done or pending is None:
                    done[path[-1]] = None
                    on_path.discard(path.pop())
                elif pending in on_path:
                    raise SpecError(
                        f"operation {self.operations[pending].name} needs its own result",
                        "a graph without cycles",
                        self.operations[pending].line,
                    )
                else:
                    path.append(pending)
                    on_path.add(pending)
        return [self.operations[index] for index in done]


def _flatten(operands: Sequence[Union[Operand, Sequence[Operand]]]) -> list[Operand]:
    """Operands, one by one or in lists, as one list; a SpecError if anything else is among them."""
    result: list[Any] = []
    for operand in operands:
        result.extend(operand if isinstance(operand, (list, tuple)) else [operand])
    for operand in result:
        if not isinstance(operand, Operand):
            raise SpecError(f"{operand!r} is not an operand", "operands")
    return result
