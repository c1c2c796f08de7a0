# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of storage.py."""

from __future__ import annotations

import unittest

from .errors import SpecError
from .hal import element_type
from .storage import Bytes, StoredValues, Values, pack, unpack


def packed(type_name: str, values: Values) -> str:
    return pack(values, element_type(type_name)).hex()


class PackTest(unittest.TestCase):
    def test_each_type_has_its_little_endian_storage(self) -> None:
        self.assertEqual(packed("TENSOR_FLOAT32", [1.0, -2]), "0000803f000000c0")
        self.assertEqual(packed("TENSOR_FLOAT16", [1.0, -2]), "003c00c0")
        self.assertEqual(packed("TENSOR_INT32", [1, -2]), "01000000feffffff")
        self.assertEqual(packed("UINT32", [4294967295]), "ffffffff")
        self.assertEqual(packed("TENSOR_QUANT8_ASYMM", [0, 255]), "00ff")
        self.assertEqual(packed("TENSOR_QUANT8_SYMM", [-128, 127]), "807f")
        self.assertEqual(packed("TENSOR_QUANT16_ASYMM", [65534]), "feff")
        self.assertEqual(packed("TENSOR_QUANT16_SYMM", [-2]), "feff")

    def test_booleans_take_one_byte_of_zero_or_one(self) -> None:
        self.assertEqual(packed("BOOL", [True]), "01")
        self.assertEqual(packed("TENSOR_BOOL8", [False, 7, 0.0]), "000100")

    def test_floats_round_to_nearest_even(self) -> None:
        self.assertEqual(packed("FLOAT32", [1 + 2**-24]), packed("FLOAT32", [1.0]))
        self.assertEqual(packed("FLOAT32", [1 + 3 * 2**-24]), packed("FLOAT32", [1 + 2**-22]))
        self.assertEqual(packed("FLOAT16", [2049]), packed("FLOAT16", [2048]))
        self.assertEqual(packed("FLOAT16", [2051]), packed("FLOAT16", [2052]))

    def test_half_precision_is_rounded_once(self) -> None:
        # By way of single precision this would be the tie 2049, and become 2048.
        self.assertEqual(packed("FLOAT16", [2049 + 2**-20]), packed("FLOAT16", [2050]))

    def test_too_large_floats_are_infinite(self) -> None:
        self.assertEqual(packed("TENSOR_FLOAT16", [1.0, 1e6, -1e6]), "003c007c00fc")
        self.assertEqual(packed("TENSOR_FLOAT32", [1e39, -1e39]), "0000807f000080ff")

    def test_nan_and_infinity_are_kept(self) -> None:
        self.assertEqual(packed("FLOAT32", [float("inf")]), "0000807f")
        self.assertEqual(packed("FLOAT32", [float("nan")]), "0000c07f")
        self.assertEqual(packed("FLOAT16", [float("nan")]), "007e")

    def test_fractions_of_whole_numbers_are_cut_off(self) -> None:
        self.assertEqual(packed("TENSOR_INT32", [1.9, -1.9]), "01000000ffffffff")

    def test_numbers_that_do_not_fit_are_errors(self) -> None:
        for type_name, value in (
            ("TENSOR_QUANT8_ASYMM", 256),
            ("TENSOR_QUANT8_ASYMM", -1),
            ("TENSOR_QUANT8_SYMM_PER_CHANNEL", 128),
            ("INT32", 2**31),
            ("UINT32", -1),
            ("INT32", float("nan")),
            ("INT32", float("inf")),
        ):
            with self.assertRaisesRegex(SpecError, "value 1 is"):
                packed(type_name, [0, value])


class BytesTest(unittest.TestCase):
    def test_keeps_what_numbers_cannot_say(self) -> None:
        signalling = unpack(Bytes("010080ff 0000803f").storage, element_type("TENSOR_FLOAT32"))
        self.assertEqual(signalling[1], 1.0)
        self.assertEqual(packed("TENSOR_FLOAT32", signalling), "010080ff0000803f")

    def test_copies_of_the_numbers_are_numbers_alone(self) -> None:
        stored = StoredValues([5], b"\x07")
        self.assertEqual(packed("TENSOR_QUANT8_ASYMM", stored), "07")
        self.assertEqual(packed("TENSOR_QUANT8_ASYMM", list(stored)), "05")

    def test_incomplete_elements_are_errors(self) -> None:
        with self.assertRaisesRegex(SpecError, "Bytes of 3 bytes"):
            unpack(Bytes("000000").storage, element_type("FLOAT16"))
        with self.assertRaises(SpecError):
            Bytes("0g")
