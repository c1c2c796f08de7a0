# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# TRANSPOSE by every permutation of one to four dimensions, and by none, which reverses the
# dimensions.

import itertools

SIZES = [2, 3, 4, 5]


def transposed(sizes, permutation):
    """The elements 0, 1, 2, ... of a tensor, permuted."""
    strides = [math.prod(sizes[d + 1 :]) for d in range(len(sizes))]
    indexes = itertools.product(*[range(sizes[d]) for d in permutation])
    return [float(sum(i * strides[d] for i, d in zip(index, permutation))) for index in indexes]


def names(permutation):
    return "".join(str(d) for d in permutation)


for rank in range(1, 5):
    sizes = SIZES[:rank]
    elements = [float(k) for k in range(math.prod(sizes))]
    for permutation in itertools.permutations(range(rank)):
        x = Input("x", ("TENSOR_FLOAT32", sizes))
        y = Output("y", ("TENSOR_FLOAT32", [sizes[d] for d in permutation]))
        Model("perm" + names(permutation)).Operation("TRANSPOSE", x, list(permutation)).To(y)
        Example({x: elements, y: transposed(sizes, permutation)})

for rank in range(1, 5):
    sizes = SIZES[:rank]
    elements = [float(k) for k in range(math.prod(sizes))]
    x = Input("x", ("TENSOR_FLOAT32", sizes))
    none = Input("none", ("TENSOR_INT32", [0]))
    y = Output("y", ("TENSOR_FLOAT32", sizes[::-1]))
    Model("dim%d_omitted" % rank).Operation("TRANSPOSE", x, none).To(y)
    reverse = list(range(rank))[::-1]
    Example({x: elements, none: [], y: transposed(sizes, reverse)}).AddRelaxed()
