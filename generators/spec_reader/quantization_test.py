# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of quantization.py."""

from __future__ import annotations

import math
import unittest

from .errors import SpecError
from .operands import OperandType, SymmPerChannelQuantParams
from .quantization import convert, quantize_bound
from .storage import Number

FLOAT = OperandType("TENSOR_FLOAT32", (3,))


def quant8(scale: float, zero_point: int) -> OperandType:
    return OperandType("TENSOR_QUANT8_ASYMM", (3,), scale, zero_point)


class ConvertTest(unittest.TestCase):
    def test_quantizes_by_scale_and_zero_point(self) -> None:
        self.assertEqual(convert([-1, 0, 2.5], FLOAT, quant8(0.5, 100)), [98, 100, 105])

    def test_dequantizes_by_scale_and_zero_point(self) -> None:
        self.assertEqual(convert([98, 100, 105], quant8(0.5, 100), FLOAT), [-1.0, 0.0, 2.5])

    def test_ties_round_to_even(self) -> None:
        self.assertEqual(convert([0.5, 1.5, 2.5], FLOAT, quant8(1, 0)), [0, 2, 2])

    def test_saturates_types_that_saturate(self) -> None:
        values: list[Number] = [-1e6, 0, 1e6]
        for type_name, expected in (
            ("TENSOR_QUANT8_ASYMM", [0, 0, 255]),
            ("TENSOR_QUANT16_ASYMM", [0, 0, 65535]),
            ("TENSOR_QUANT8_SYMM_PER_CHANNEL", [-127, 0, 127]),
            ("TENSOR_QUANT8_SYMM", [-1000000, 0, 1000000]),
            ("TENSOR_INT32", [-1000000, 0, 1000000]),
        ):
            with self.subTest(type_name):
                self.assertEqual(convert(values, FLOAT, OperandType(type_name, (3,))), expected)

    def test_scale_of_zero_counts_as_one(self) -> None:
        self.assertEqual(convert([1, 2, 3], OperandType("TENSOR_INT32", (3,)), FLOAT), [1, 2, 3])

    def test_computes_in_single_precision(self) -> None:
        # In double precision 0.95 / 0.1 is a little below 9.5, in single precision it is 9.5.
        self.assertEqual(convert([0.95, 0, 0], FLOAT, quant8(0.1, 0))[0], 10)
        self.assertEqual(convert([9, 0, 0], quant8(0.1, 0), FLOAT)[0], 0.9000000357627869)

    def test_negative_zero_becomes_zero(self) -> None:
        (zero,) = convert([-0.0], OperandType("FLOAT32", ()), OperandType("FLOAT16", ()))
        self.assertEqual(math.copysign(1, zero), 1)

    def test_scales_each_channel(self) -> None:
        scales = SymmPerChannelQuantParams(channelDim=1, scales=[1, 0.5])
        source = OperandType("TENSOR_FLOAT32", (2, 2))
        target = OperandType("TENSOR_QUANT8_SYMM_PER_CHANNEL", (2, 2), 0, 0, scales)
        self.assertEqual(convert([1, 1, 2, 2], source, target), [1, 2, 2, 4])
        self.assertEqual(convert([1, 2, 2, 4], target, source), [1, 1, 2, 2])

    def test_hidden_scales_count_as_well(self) -> None:
        scales = SymmPerChannelQuantParams(channelDim=0, scales=[1, 0.5, 0.25], hide=True)
        target = OperandType("TENSOR_INT32", (3,), 0, 0, scales)
        self.assertEqual(convert([1, 1, 1], FLOAT, target), [1, 2, 4])

    def test_wrong_number_of_scales_is_an_error(self) -> None:
        for parameters in (
            SymmPerChannelQuantParams(channelDim=0, scales=[1, 2]),
            SymmPerChannelQuantParams(channelDim=1, scales=[1, 2, 3]),
        ):
            target = OperandType("TENSOR_QUANT8_SYMM_PER_CHANNEL", (3,), 0, 0, parameters)
            with self.assertRaisesRegex(SpecError, "scales along dimension"):
                convert([1, 1, 1], FLOAT, target)

    def test_infinity_cannot_be_a_whole_number(self) -> None:
        with self.assertRaisesRegex(SpecError, "inf cannot be converted"):
            convert([math.inf, 0, 0], FLOAT, quant8(1, 0))


class QuantizeBoundTest(unittest.TestCase):
    def test_is_a_value_of_the_type(self) -> None:
        self.assertEqual(quantize_bound(6.0, quant8(0.5, 100)), 112)
        self.assertEqual(quantize_bound(6.0, quant8(0.01, 100)), 255)
        self.assertEqual(quantize_bound(-1.0, FLOAT), -1.0)
