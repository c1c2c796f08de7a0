# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases of the operations of movement.py."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from .layouts import LAYOUTS
from .operands import (
    FLOAT32,
    FLOATS_AND_QUANT8,
    INT32,
    NUMBERS,
    QUANT8,
    Kind,
    Operand,
    Output,
    Role,
    int32,
    int32s,
    integers,
    omitted,
    quantization,
)
from .registry import Cases, cases

# Of all quantized operands here, for they keep it.
_QUANTIZATION: Final = quantization(0.25, 100)


def _operand(made: Cases, kind: Kind, dimensions: Sequence[int]) -> Operand:
    """Elements of which no two are equal, up to 256 of them."""
    count = int(np.prod(dimensions))
    if kind is QUANT8:
        stored = (
            made.distinct(0, 255, *dimensions)
            if count <= 256
            else made.integers(0, 255, *dimensions)
        )
        return integers(kind.tensor, np.floor(stored), _QUANTIZATION)
    if kind is INT32:
        return kind.make(np.floor(made.distinct(-1e9, 1e9, *dimensions)))
    return kind.make(made.distinct(-20, 20, *dimensions))


def _output(kind: Kind) -> Output:
    return kind.output(_QUANTIZATION if kind is QUANT8 else None)


@cases("CONCATENATION")
def _concatenation(made: Cases) -> None:
    for kind in FLOATS_AND_QUANT8:
        for rank in range(1, 5):
            for axis in range(rank):
                shapes = []
                for size in (2, 1, 3):
                    shape = [2, 3, 1, 2][:rank]
                    shape[axis] = size
                    shapes.append(shape)
                tensors = [_operand(made, kind, shape) for shape in shapes]
                made.add(
                    f"{kind.name}_rank{rank}_axis{axis}", [*tensors, int32(axis)], [_output(kind)]
                )
        made.add(f"{kind.name}_one", [_operand(made, kind, (2, 3)), int32(1)], [_output(kind)])
        some_empty = [_operand(made, kind, (0, 2)), _operand(made, kind, (3, 2))]
        made.add(f"{kind.name}_some_empty", [*some_empty, int32(0)], [_output(kind)])
    # Inputs of other scales than the output are allowed since 1.2.
    a = integers(QUANT8.tensor, np.arange(256).reshape(2, 128), quantization(0.5, 128))
    b = integers(QUANT8.tensor, np.arange(256).reshape(2, 128), quantization(0.21, 10))
    made.add("quant8_scales", [a, b, int32(1)], [QUANT8.output(quantization(0.3, 90))])


@cases("RESHAPE")
def _reshape(made: Cases) -> None:
    targets = {
        "matrix": ((2, 3, 4), (6, 4)),
        "vector": ((2, 3, 2), (-1,)),
        "stretched": ((4, 6), (2, -1, 3)),
        "rank4": ((24,), (2, 3, 1, 4)),
        "from_rank4": ((2, 3, 1, 4), (4, 6)),
    }
    for kind in FLOATS_AND_QUANT8:
        for name, (source, target) in targets.items():
            for role in (Role.CONSTANT, Role.INPUT):
                made.add(
                    f"{kind.name}_{name}_{role.name.lower()}",
                    [_operand(made, kind, source), int32s(target, role)],
                    [_output(kind)],
                )


@cases("SQUEEZE")
def _squeeze(made: Cases) -> None:
    for kind in FLOATS_AND_QUANT8:
        for name, axes in {"first": [0], "both": [0, 2], "last": [2]}.items():
            made.add(
                f"{kind.name}_{name}",
                [_operand(made, kind, (1, 5, 1, 3)), int32s(axes)],
                [_output(kind)],
            )
        for shape in ((5,), (1, 4), (2, 1, 3), (1, 5, 1, 3)):
            made.add(
                f"{kind.name}_all_of_rank{len(shape)}",
                [_operand(made, kind, shape), omitted("TENSOR_INT32")],
                [_output(kind)],
            )


@cases("EXPAND_DIMS")
def _expand_dims(made: Cases) -> None:
    for kind in NUMBERS:
        for rank in range(1, 5):
            for axis in range(-rank - 1, rank + 1):
                name = f"{kind.name}_rank{rank}_axis{axis}".replace("-", "minus")
                operand = _operand(made, kind, (2, 3, 1, 2)[:rank])
                made.add(name, [operand, int32(axis)], [_output(kind)])


@cases("TRANSPOSE")
def _transpose(made: Cases) -> None:
    permutations = [(0,), (1, 0), (0, 1), (2, 0, 1), (1, 2, 0), (3, 1, 0, 2), (0, 3, 1, 2)]
    for kind in FLOATS_AND_QUANT8:
        for permutation in permutations:
            shape = (2, 3, 4, 2)[: len(permutation)]
            for role in (Role.CONSTANT, Role.INPUT):
                name = "".join(str(axis) for axis in permutation)
                made.add(
                    f"{kind.name}_{name}_{role.name.lower()}",
                    [_operand(made, kind, shape), int32s(permutation, role)],
                    [_output(kind)],
                )
        # Without a permutation the axes are reversed.
        for rank in range(1, 5):
            made.add(
                f"{kind.name}_reversed_rank{rank}",
                [_operand(made, kind, (2, 3, 4, 2)[:rank]), omitted("TENSOR_INT32")],
                [_output(kind)],
            )
        made.add(
            f"{kind.name}_empty",
            [_operand(made, kind, (0, 3, 2)), int32s([1, 2, 0])],
            [_output(kind)],
        )


@cases("SLICE")
def _slice(made: Cases) -> None:
    slices = {
        "inner": ((3, 4), (1, 1), (2, 2)),
        "to_the_end": ((3, 4, 2), (1, 2, 0), (-1, -1, 1)),
        "vector": ((5,), (2,), (2,)),
        "rank4": ((2, 3, 2, 3), (0, 1, 1, 0), (2, -1, 1, 2)),
        "rank5": ((2, 1, 2, 1, 3), (1, 0, 0, 0, 1), (1, 1, 2, 1, -1)),
        # A size of 0 is none, so it is to the end that an empty dimension is taken.
        "empty": ((0, 3), (0, 1), (-1, 2)),
    }
    for kind in NUMBERS:
        for name, (shape, begin, size) in slices.items():
            for role in (Role.CONSTANT, Role.INPUT):
                made.add(
                    f"{kind.name}_{name}_{role.name.lower()}",
                    [_operand(made, kind, shape), int32s(begin, role), int32s(size, role)],
                    [_output(kind)],
                )


@cases("STRIDED_SLICE")
def _strided_slice(made: Cases) -> None:
    slices = {
        "strides": ((7,), (1,), (6,), (2,), 0, 0, 0),
        "backwards": ((7,), (5,), (0,), (-2,), 0, 0, 0),
        "reversed": ((2, 3), (0, 0), (0, 0), (-1, -1), 3, 3, 0),
        "negative": ((5, 4), (-4, -3), (-1, 4), (1, 2), 0, 0, 0),
        "beyond": ((5,), (1,), (100,), (3,), 0, 0, 0),
        "before": ((5,), (3,), (-100,), (-1,), 0, 0, 0),
        "begin_mask": ((3, 4), (1, 1), (2, 4), (1, 2), 1, 0, 0),
        "end_mask": ((3, 4), (1, 1), (2, 2), (1, 2), 0, 2, 0),
        "shrink": ((3, 4), (1, 0), (2, 3), (1, 1), 0, 0, 1),
        "shrink_last": ((3, 4), (0, -2), (3, -1), (2, 1), 0, 0, 2),
        "everything": ((2, 3, 4), (1, -1, 0), (2, 0, 3), (1, -2, 2), 4, 2, 1),
        "rank4": ((2, 3, 4, 3), (0, 0, 3, 1), (2, 3, 0, 3), (1, 2, -1, 1), 0, 0, 0),
    }
    for kind in FLOATS_AND_QUANT8:
        for name, (shape, begin, end, strides, *masks) in slices.items():
            for role in (Role.CONSTANT, Role.INPUT):
                made.add(
                    f"{kind.name}_{name}_{role.name.lower()}",
                    [
                        _operand(made, kind, shape),
                        *(int32s(parameter, role) for parameter in (begin, end, strides)),
                        *(int32(mask) for mask in masks),
                    ],
                    [_output(kind)],
                )


@cases("SPLIT")
def _split(made: Cases) -> None:
    splits = {"vector": ((6,), 0, 3), "columns": ((2, 6), 1, 2), "whole": ((2, 3), 0, 1)}
    splits |= {"negative": ((2, 4, 3), -2, 4), "rank4": ((2, 3, 4, 2), 2, 2)}
    for kind in NUMBERS:
        for name, (shape, axis, count) in splits.items():
            made.add(
                f"{kind.name}_{name}",
                [_operand(made, kind, shape), int32(axis), int32(count)],
                [_output(kind)] * count,
            )


@cases("TILE")
def _tile(made: Cases) -> None:
    tiles = {"vector": ((4,), (2,)), "matrix": ((2, 3), (3, 1)), "rank5": ((2, 1, 2, 1, 2),) * 2}
    for kind in NUMBERS:
        for name, (shape, multiples) in tiles.items():
            for role in (Role.CONSTANT, Role.INPUT):
                made.add(
                    f"{kind.name}_{name}_{role.name.lower()}",
                    [_operand(made, kind, shape), int32s(multiples, role)],
                    [_output(kind)],
                )


@cases("GATHER")
def _gather(made: Cases) -> None:
    gathers: dict[str, tuple[tuple[int, ...], int, Any]] = {
        "vector": ((5,), 0, [4, 0, 0, 2]),
        "rows": ((3, 4), 0, [2, 1]),
        "columns": ((3, 4), -1, [3, 3, 0]),
        "matrix_of_indices": ((3, 4, 2), 1, [[0, 3], [1, 1], [2, 0]]),
        "rank4": ((2, 1, 3, 2), -2, [2]),
    }
    for kind in NUMBERS:
        for name, (shape, axis, indices) in gathers.items():
            for role in (Role.CONSTANT, Role.INPUT):
                made.add(
                    f"{kind.name}_{name}_{role.name.lower()}",
                    [_operand(made, kind, shape), int32(axis), int32s(indices, role)],
                    [_output(kind)],
                )


_PADDINGS: Final = {
    "vector": ((3,), [[1, 2]]),
    "matrix": ((2, 3), [[0, 1], [2, 0]]),
    "rank3": ((2, 1, 2), [[1, 0], [0, 2], [1, 1]]),
    "rank4": ((1, 2, 3, 1), [[0, 0], [1, 2], [0, 1], [1, 0]]),
    "none": ((2, 2), [[0, 0], [0, 0]]),
}


@cases("PAD", "PAD_V2")
def _pad(made: Cases) -> None:
    for kind in FLOATS_AND_QUANT8:
        for name, (shape, paddings) in _PADDINGS.items():
            for role in (Role.CONSTANT, Role.INPUT):
                inputs = [_operand(made, kind, shape), int32s(paddings, role)]
                if made.operation == "PAD_V2":
                    # That of a quantized tensor is an integer, and stands for what it does there.
                    pad_value = (
                        integers("INT32", 37, quantization(0.25, 100, stated=False), Role.CONSTANT)
                        if kind is QUANT8
                        else kind.real(-3.7)
                    )
                    inputs.append(pad_value)
                made.add(f"{kind.name}_{name}_{role.name.lower()}", inputs, [_output(kind)])


@cases("DEPTH_TO_SPACE", "SPACE_TO_DEPTH")
def _depth_and_space(made: Cases) -> None:
    shapes = (
        {"block2": ((2, 2, 3, 8), 2), "block3": ((1, 1, 2, 9), 3), "block1": ((1, 2, 2, 3), 1)}
        if made.operation == "DEPTH_TO_SPACE"
        else {"block2": ((2, 4, 6, 2), 2), "block3": ((1, 3, 6, 1), 3), "block1": ((1, 2, 2, 3), 1)}
    )
    for kind in FLOATS_AND_QUANT8:
        for layout in LAYOUTS:
            for name, (shape, block) in shapes.items():
                image = _operand(made, kind, layout.image(np.zeros(shape)).shape)
                made.add(
                    f"{kind.name}_{name}_{layout.name}",
                    [image, int32(block), *layout.operands],
                    [_output(kind)],
                )


@cases("BATCH_TO_SPACE_ND")
def _batch_to_space(made: Cases) -> None:
    shapes = {"square": ((4, 2, 2, 3), (2, 2)), "oblong": ((6, 2, 1, 2), (1, 3))}
    shapes |= {"tall": ((6, 1, 2, 2), (3, 1)), "whole": ((2, 2, 3, 1), (1, 1))}
    for kind in FLOATS_AND_QUANT8:
        for layout in LAYOUTS:
            for name, (shape, blocks) in shapes.items():
                image = _operand(made, kind, layout.image(np.zeros(shape)).shape)
                made.add(
                    f"{kind.name}_{name}_{layout.name}",
                    [image, int32s(blocks), *layout.operands],
                    [_output(kind)],
                )


@cases("SPACE_TO_BATCH_ND")
def _space_to_batch(made: Cases) -> None:
    shapes = {
        "square": ((1, 4, 2, 3), (2, 2), [[0, 0], [0, 0]]),
        "oblong": ((2, 2, 3, 2), (1, 3), [[0, 0], [0, 0]]),
        "padded": ((2, 3, 3, 1), (2, 3), [[1, 0], [2, 1]]),
    }
    for kind in FLOATS_AND_QUANT8:
        for layout in LAYOUTS:
            for name, (shape, blocks, paddings) in shapes.items():
                image = _operand(made, kind, layout.image(np.zeros(shape)).shape)
                made.add(
                    f"{kind.name}_{name}_{layout.name}",
                    [image, int32s(blocks), int32s(paddings), *layout.operands],
                    [_output(kind)],
                )


@cases("CHANNEL_SHUFFLE")
def _channel_shuffle(made: Cases) -> None:
    shuffles = {"vector": ((6,), 3, 0), "matrix": ((2, 6), 2, -1), "rank3": ((4, 2, 3), 2, 0)}
    shuffles |= {"rank4": ((2, 2, 3, 8), 4, 3), "nchw": ((2, 6, 1, 2), 3, -3)}
    for kind in FLOATS_AND_QUANT8:
        for name, (shape, groups, axis) in shuffles.items():
            made.add(
                f"{kind.name}_{name}",
                [_operand(made, kind, shape), int32(groups), int32(axis)],
                [_output(kind)],
            )


@cases("EMBEDDING_LOOKUP")
def _embedding_lookup(made: Cases) -> None:
    for kind in (FLOAT32, INT32, QUANT8):
        for rank in range(2, 5):
            values = _operand(made, kind, (4, 2, 3, 2)[:rank])
            lookups = int32s([3, 0, 3, 1, 2], Role.INPUT)
            made.add(f"{kind.name}_rank{rank}", [lookups, values], [_output(kind)])


@cases("HASHTABLE_LOOKUP")
def _hashtable_lookup(made: Cases) -> None:
    hits = Output(QUANT8.tensor, quantization(1.0, 0))
    for kind in (FLOAT32, INT32, QUANT8):
        for rank in range(2, 5):
            values = _operand(made, kind, (4, 2, 3, 2)[:rank])
            keys = int32s([-5, 0, 11, 123456], Role.INPUT)
            lookups = int32s([11, 12, -5, 123456, -6, 11], Role.INPUT)
            made.add(f"{kind.name}_rank{rank}", [lookups, keys, values], [_output(kind), hits])


@cases("TOPK_V2")
def _top_k(made: Cases) -> None:
    for kind in NUMBERS:
        for rank in range(1, 5):
            for count in (1, 3, 6):
                shape = (2, 1, 3, 6)[4 - rank :]
                made.add(
                    f"{kind.name}_rank{rank}_k{count}",
                    [_operand(made, kind, shape), int32(count)],
                    [_output(kind), Output("TENSOR_INT32")],
                )
        ties = kind.make([[1, 2, 2, 1, 2, 0], [3, 3, 3, 3, 3, 3]], _QUANTIZATION)
        made.add(
            f"{kind.name}_ties",
            [ties if kind is QUANT8 else kind.make(ties.real), int32(4)],
            [_output(kind), Output("TENSOR_INT32")],
        )


@cases("ARGMAX", "ARGMIN")
def _argument_of_extremum(made: Cases) -> None:
    for kind in NUMBERS:
        for rank in range(2, 6):
            for axis in range(-rank, rank):
                operand = _operand(made, kind, (2, 3, 4, 2, 2)[:rank])
                name = f"{kind.name}_rank{rank}_axis{axis}".replace("-", "minus")
                made.add(name, [operand, int32(axis)], [Output("TENSOR_INT32")])
