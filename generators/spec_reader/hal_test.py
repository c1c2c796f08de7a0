# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of hal.py."""

from __future__ import annotations

import unittest

from . import hal
from .errors import SpecError


class HalTest(unittest.TestCase):
    def test_operand_types_have_the_numbers_and_storage_of_the_hal(self) -> None:
        types = hal.operand_types()
        self.assertEqual(len(types), 16)
        self.assertEqual(types["FLOAT32"], hal.ElementType(0, "f", 4, False, None))
        self.assertEqual(types["TENSOR_BOOL8"], hal.ElementType(9, "?", 1, True, None))
        per_channel = types["TENSOR_QUANT8_SYMM_PER_CHANNEL"]
        self.assertEqual(per_channel, hal.ElementType(11, "b", 1, True, (-127, 127)))
        self.assertEqual(types["TENSOR_OEM_BYTE"].code, 10001)
        self.assertFalse(types["TENSOR_OEM_BYTE"].is_opaque)
        self.assertEqual(types["OEM"].code, 10000)
        self.assertTrue(types["OEM"].is_opaque)

    def test_limits_are_those_of_the_storage(self) -> None:
        self.assertEqual(hal.element_type("TENSOR_QUANT8_ASYMM").limits, (0, 255))
        self.assertEqual(hal.element_type("TENSOR_QUANT16_SYMM").limits, (-32768, 32767))

    def test_operations_have_the_numbers_of_the_hal(self) -> None:
        self.assertEqual(len(hal.operations()), 96)
        self.assertEqual(hal.operation_code("ADD"), 0)
        self.assertEqual(hal.operation_code("RESIZE_NEAREST_NEIGHBOR"), 94)
        self.assertEqual(hal.operation_code("OEM_OPERATION"), 10000)

    def test_operation_may_be_given_by_its_number(self) -> None:
        self.assertEqual(hal.operation_code(0x10003), 0x10003)

    def test_unknown_names_are_errors_that_suggest_a_known_one(self) -> None:
        with self.assertRaisesRegex(SpecError, "did you mean SOFTMAX"):
            hal.operation_code("SOFTMX")
        with self.assertRaisesRegex(SpecError, "did you mean TENSOR_FLOAT32"):
            hal.element_type("TENSOR_FLOAT_32")
        for wrong in (None, True, -1, 1.5):
            with self.assertRaises(SpecError):
                hal.operation_code(wrong)

    def test_versions_are_those_up_to_1_2(self) -> None:
        self.assertEqual(hal.check_version("V1_1"), "V1_1")
        self.assertIsNone(hal.check_version(None))
        with self.assertRaisesRegex(SpecError, "V1_3"):
            hal.check_version("V1_3")
