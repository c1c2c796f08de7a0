# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of formulas and cases by name, with an operation of their own."""

from __future__ import annotations

import unittest
from typing import Any, Optional

import numpy as np

from generators.oracle import operands, registry
from generators.oracle.operands import FLOAT32, QUANT8, Array, Output, int32, quantization
from generators.oracle.registry import Cases, Result, formula

_calls: list[list[Any]] = []


@formula("TEST_DOUBLE")
def _double(values: Array, count: int = 1, optional: Optional[Array] = None) -> Array:
    _calls.append([values, count, optional])
    return 2 * values


@formula("TEST_INTEGERS", takes_integers=True)
def _integers(values: Array) -> Result:
    return Result(values, np.array(7.0))


class CasesTest(unittest.TestCase):
    def test_gives_the_formula_the_values_of_the_operands(self) -> None:
        made = Cases("TEST_DOUBLE")
        operand = QUANT8.make([1.5, -3.0], quantization(0.5, 100))
        made.add("case", [operand, int32(3), FLOAT32.omitted()], [FLOAT32.output()])
        values, count, optional = _calls[-1]
        self.assertEqual(values.tolist(), [1.5, -3.0])
        self.assertEqual(count, 3)
        self.assertIsNone(optional)
        self.assertEqual(made.made[0].name, "TEST_DOUBLE_case")
        self.assertEqual(made.made[0].results[0].values.tolist(), [3.0, -6.0])

    def test_gives_integers_to_a_formula_that_takes_them(self) -> None:
        made = Cases("TEST_INTEGERS")
        operand = QUANT8.make([1.5, -3.0], quantization(0.5, 100))
        parameters = quantization(2.0, 50)
        made.add("case", [operand], [Output(QUANT8.tensor, parameters, holds_integers=True)])
        result = made.made[0].results[0]
        # The integers 103 and 94, as what they stand for in the output.
        self.assertEqual(result.values.tolist(), [106.0, 88.0])
        assert result.magnitudes is not None
        self.assertEqual(result.magnitudes.tolist(), [7.0, 7.0])

    def test_gives_outputs_a_scale(self) -> None:
        made = Cases("TEST_DOUBLE")
        made.add("case", [FLOAT32.make([0.0, 25.5])], [QUANT8.output()])
        self.assertEqual(made.made[0].outputs[0].quantization, operands.spanning([0.0, 51.0]))

    def test_refuses_what_is_not_right(self) -> None:
        made = Cases("TEST_DOUBLE")
        inputs, outputs = [FLOAT32.make([1.0])], [FLOAT32.output()]
        made.add("case", inputs, outputs)
        with self.assertRaisesRegex(ValueError, "two cases"):
            made.add("case", inputs, outputs)
        with self.assertRaisesRegex(ValueError, "letters"):
            made.add("a-b", inputs, outputs)
        with self.assertRaisesRegex(ValueError, "1 results of 2"):
            made.add("other", inputs, outputs * 2)
        with self.assertRaisesRegex(ValueError, "two formulas"):
            formula("TEST_DOUBLE")(_double)

    def test_random_numbers_depend_on_the_operation_alone(self) -> None:
        first, second = Cases("TEST_DOUBLE"), Cases("TEST_DOUBLE")
        self.assertEqual(first.uniform(0, 1, 2, 3).tolist(), second.uniform(0, 1, 2, 3).tolist())
        other = Cases("TEST_INTEGERS").uniform(0, 1, 2, 3)
        self.assertNotEqual(first.uniform(0, 1, 2, 3).tolist(), other.tolist())

    def test_random_numbers_are_the_same_everywhere(self) -> None:
        self.assertAlmostEqual(Cases("TEST_DOUBLE").uniform(2, 3, 1).item(), 2.7303303820430453)

    def test_random_numbers_are_in_range(self) -> None:
        made = Cases("TEST_DOUBLE")
        whole = made.integers(-2, 3, 1000)
        self.assertEqual(set(whole.tolist()), {-2.0, -1.0, 0.0, 1.0, 2.0, 3.0})
        distinct = made.distinct(0, 9, 2, 5)
        self.assertEqual(sorted(distinct.ravel().tolist()), [float(number) for number in range(10)])


if __name__ == "__main__":
    unittest.main()
