# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# LOCAL_RESPONSE_NORMALIZATION with windows at the ends and in the middle, and with a window as wide
# as the slice.


def damped(rows, radius, bias, alpha, beta):
    result = []
    for row in rows:
        for i, x in enumerate(row):
            window = row[max(0, i - radius) : i + radius + 1]
            result.append(x / (bias + alpha * sum(k * k for k in window)) ** beta)
    return result


rows = [[1, -2, 3, 0.5, -0.25], [0, 0, 4, 0, 0]]
for name, radius, bias, alpha, beta in [
    ("alone", 0, 2.0, 1.5, 1.0),
    ("neighbours", 1, 1.0, 2.0, 0.5),
    ("pairs", 2, 9.0, 0.25, 0.75),
    ("wide", 20, 0.5, 1.0, 2.0),
]:
    x = Input("x", ("TENSOR_FLOAT32", [1, 1, 2, 5]))
    y = Output("y", ("TENSOR_FLOAT32", [1, 1, 2, 5]))
    Model(name).Operation("LOCAL_RESPONSE_NORMALIZATION", x, radius, bias, alpha, beta).To(y)
    Example({x: sum(rows, []), y: damped(rows, radius, bias, alpha, beta)}).AddRelaxed()
