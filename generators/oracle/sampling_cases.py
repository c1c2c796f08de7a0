# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases of the operations of sampling.py."""

from __future__ import annotations

from typing import Final

from .operands import (
    FLOAT32,
    FLOATS,
    NUMBERS,
    QUANT8,
    Kind,
    Operand,
    Output,
    Role,
    int32,
    int32s,
    integers,
    quantization,
)
from .registry import Cases, cases

_INT32: Final = Output("TENSOR_INT32")
_SAMPLES: Final = 20000


@cases("RANDOM_MULTINOMIAL")
def _multinomial(made: Cases) -> None:
    rows = {
        "even": [[0.0] * 8],
        "two": [[1.0, -1.0], [-2.0, 0.5]],
        "shifted": [[100.0, 101.0, 99.5], [-100.0, -101.0, -99.5]],
        # The last class is so rare that no sample of it is expected.
        "rare": [[0.0, 1.0, 2.0, -40.0]],
    }
    for kind in FLOATS:
        for name, logits in rows.items():
            for seeds in ([37, 42], [0, -1]):
                suffix = "_".join(str(seed) for seed in seeds).replace("-", "minus")
                made.add(
                    f"{kind.name}_{name}_{suffix}",
                    [kind.make(logits), int32(_SAMPLES), int32s(seeds, Role.INPUT)],
                    [_INT32],
                )
        logits_of_many = made.uniform(-2, 2, 3, 16)
        seeds_operand = int32s([5, 7], Role.INPUT)
        inputs = [kind.make(logits_of_many), int32(_SAMPLES), seeds_operand]
        made.add(f"{kind.name}_many", inputs, [_INT32])


def _items(made: Cases, kind: Kind, *dimensions: int) -> Operand:
    if kind is QUANT8:
        return integers(kind.tensor, made.integers(0, 255, *dimensions), quantization(0.5, 100))
    return kind.make(made.uniform(-1000, 1000, *dimensions))


@cases("LSH_PROJECTION")
def _lsh_projection(made: Cases) -> None:
    types = {"sparse_deprecated": 1, "dense": 2, "sparse": 3}
    # Keys of all the lengths that hashes tell apart: to 16, 32 and 64 bytes, and beyond.
    shapes = [(6,), (5, 2), (4, 3, 2), (3, 7), (2, 15), (2, 31), (2, 11, 13)]
    for hash_kind in FLOATS:
        for kind in NUMBERS if hash_kind is FLOAT32 else NUMBERS[1:2]:
            for name, type_ in types.items():
                for shape in shapes:
                    functions = hash_kind.make(made.uniform(-1, 1, 3, 4))
                    items = _items(made, kind, *shape)
                    is_dense = type_ == 2
                    weights = (
                        hash_kind.make(made.uniform(0.1, 2, shape[0]))
                        if is_dense
                        else hash_kind.omitted()
                    )
                    size = "x".join(str(dimension) for dimension in shape)
                    made.add(
                        f"hash_{hash_kind.name}_{kind.name}_{name}_{size}",
                        [functions, items, weights, int32(type_)],
                        [_INT32],
                        [functions.real, items, weights.real if is_dense else None, type_],
                    )
