# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of operands: storage, quantization, and real numbers."""

from __future__ import annotations

import unittest

import numpy as np

from generators.oracle import operands
from generators.oracle.operands import Quantization, channel_quantization, quantization


class StoreTest(unittest.TestCase):
    def test_rounds_reals_to_the_type(self) -> None:
        self.assertEqual(operands.store("TENSOR_FLOAT16", [0.1]).item(), 0.0999755859375)
        self.assertEqual(operands.store("TENSOR_FLOAT32", [0.1]).item(), 0.10000000149011612)
        self.assertEqual(operands.store("TENSOR_FLOAT16", [1e6]).item(), np.inf)
        self.assertEqual(operands.store("TENSOR_INT32", [2.6, -2.6]).tolist(), [3, -3])
        self.assertEqual(operands.store("TENSOR_BOOL8", [0.0, -2.0]).tolist(), [False, True])

    def test_quantizes_and_saturates(self) -> None:
        parameters = quantization(0.5, 10)
        stored = operands.store("TENSOR_QUANT8_ASYMM", [0, 1.2, -5.1, 1000, -np.inf], parameters)
        self.assertEqual(stored.tolist(), [10, 12, 0, 255, 0])
        stored = operands.store("TENSOR_QUANT16_SYMM", [-1.3, 1e9], quantization(0.5))
        self.assertEqual(stored.tolist(), [-3, 32767])

    def test_quantizes_by_channel_to_a_symmetric_range(self) -> None:
        parameters = channel_quantization([0.5, 2.0], 1)
        stored = operands.store(
            "TENSOR_QUANT8_SYMM_PER_CHANNEL", [[1.0, 4.0], [-100.0, -6.0]], parameters
        )
        self.assertEqual(stored.tolist(), [[2, 2], [-127, -3]])


class RealTest(unittest.TestCase):
    def test_is_the_difference_from_the_zero_point_times_the_scale(self) -> None:
        operand = operands.integers("TENSOR_QUANT8_ASYMM", [0, 128, 255], quantization(0.25, 128))
        self.assertEqual(operand.real.tolist(), [-32.0, 0.0, 31.75])
        self.assertEqual(operand.integers.tolist(), [0.0, 128.0, 255.0])

    def test_takes_the_scale_in_single_precision(self) -> None:
        operand = operands.integers("TENSOR_QUANT8_ASYMM", [3], quantization(0.1, 2))
        self.assertEqual(operand.real.item(), 0.10000000149011612)

    def test_has_a_scale_for_each_channel(self) -> None:
        operand = operands.integers(
            "TENSOR_QUANT8_SYMM_PER_CHANNEL",
            [[[1, 2]], [[3, -4]]],
            channel_quantization([0.5, 2.0], 0),
        )
        self.assertEqual(operand.real.tolist(), [[[0.5, 1.0]], [[6.0, -8.0]]])


class SpanningTest(unittest.TestCase):
    def test_spreads_values_over_the_range(self) -> None:
        parameters = operands.spanning([-1.0, 4.1])
        self.assertAlmostEqual(parameters.scale, 0.02)
        self.assertEqual(parameters.zero_point, 50)

    def test_has_zero_in_its_range(self) -> None:
        self.assertEqual(operands.spanning([1.0, 2.0]).zero_point, 0)
        self.assertEqual(operands.spanning([-2.0, -1.0]).zero_point, 255)
        self.assertGreater(operands.spanning([]).scale, 0)

    def test_is_what_a_tensor_gets(self) -> None:
        self.assertEqual(
            operands.tensor("TENSOR_QUANT8_ASYMM", [-1.0, 4.1]).stored.tolist(), [0, 255]
        )
        self.assertEqual(operands.tensor("TENSOR_FLOAT32", [1.0]).quantization, Quantization())
        with self.assertRaises(ValueError):
            operands.tensor("TENSOR_QUANT16_ASYMM", [1.0])


class OmittedTest(unittest.TestCase):
    def test_has_no_value(self) -> None:
        self.assertFalse(operands.omitted("TENSOR_FLOAT32").is_given)
        operand = operands.omitted("TENSOR_FLOAT32", 2)
        self.assertFalse(operand.is_given)
        self.assertEqual(operand.dimensions, [0, 0])


if __name__ == "__main__":
    unittest.main()
