# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of formulas by numbers that were computed by hand."""

from __future__ import annotations

import math
import unittest
from typing import Any

import numpy as np

from generators.oracle import families, sampling
from generators.oracle.operands import INT32, Array
from generators.oracle.registry import Result, formula_of


class FormulaTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        families.load()

    def _values(self, name: str, *operands: Any) -> list[Array]:
        arguments = [np.array(each, float) if isinstance(each, list) else each for each in operands]
        given = formula_of(name)(*arguments)
        outputs = [given] if isinstance(given, (np.ndarray, Result)) else given
        return [each.values if isinstance(each, Result) else each for each in outputs]

    def _expect(self, expected: Any, name: str, *operands: Any) -> None:
        (values,) = self._values(name, *operands)
        self.assertEqual(values.shape, np.shape(expected))
        np.testing.assert_allclose(values, expected, rtol=1e-14)

    def test_elementwise(self) -> None:
        self._expect([0.0, 0.5, 6.0], "RELU6", [-1.0, 0.5, 7.0])
        self._expect([-1.0, 0.5, 1.0], "ADD", [-2.0, 0.25, 3.0], [0.25], 2)
        self._expect([0.5, 1 / (1 + math.exp(-1))], "LOGISTIC", [0.0, 1.0])
        self._expect([3.0, -0.5], "PRELU", [3.0, -2.0], [0.25])
        self._expect([-2.0, 2.0, 255.0], "CAST", [-2.7, 2.7, 255.0], "TENSOR_INT32")
        self._expect([0.0, 2.0, 255.0], "CAST", [-2.7, 2.7, 300.0], "TENSOR_QUANT8_ASYMM")

    def test_movement(self) -> None:
        self._expect([[4.0], [1.0]], "STRIDED_SLICE", [[1.0, 2.0], [4.0, 5.0]], [-1.0, 0.0],
                     [0.0, 1.0], [-1.0, 1.0], 0, 1, 0)  # fmt: skip
        self._expect([[[[1.0], [2.0]], [[3.0], [4.0]]]], "DEPTH_TO_SPACE",
                     [[[[1.0, 2.0, 3.0, 4.0]]]], 2)  # fmt: skip
        self._expect([[[[1.0]]], [[[2.0]]], [[[3.0]]], [[[4.0]]]], "SPACE_TO_BATCH_ND",
                     [[[[1.0], [2.0]], [[3.0], [4.0]]]], [2.0, 2.0],
                     [[0.0, 0.0], [0.0, 0.0]])  # fmt: skip
        self._expect([1.0, 4.0, 2.0, 5.0, 3.0, 6.0], "CHANNEL_SHUFFLE",
                     [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 0)  # fmt: skip
        values, indices = self._values("TOPK_V2", [1.0, 3.0, 3.0, 2.0], 3)
        self.assertEqual((values.tolist(), indices.tolist()), ([3.0, 3.0, 2.0], [2.0, 1.0, 3.0]))
        values, hits = self._values("HASHTABLE_LOOKUP", [5.0, 4.0], [2.0, 5.0], [[1.0], [7.0]])
        self.assertEqual((values.tolist(), hits.tolist()), ([[7.0], [0.0]], [1.0, 0.0]))

    def test_convolutions(self) -> None:
        image = [[[[1.0], [2.0], [3.0]], [[4.0], [5.0], [6.0]]]]
        window = [[[[1.0], [10.0]]]]
        self._expect([[[[21.5], [32.5]], [[54.5], [65.5]]]], "CONV_2D", image, window, [0.5],
                     2, 1, 1, 0)  # fmt: skip
        # SAME padding has the odd element behind, and dilation skips an element.
        self._expect([[[[21.0], [32.0], [3.0]], [[54.0], [65.0], [6.0]]]], "CONV_2D", image,
                     window, [0.0], 1, 1, 1, 0)  # fmt: skip
        self._expect([[[[31.0]], [[64.0]]]], "CONV_2D", image, window, [0.0],
                     0, 0, 0, 0, 1, 1, 0, False, 2, 1)  # fmt: skip
        self._expect([[[[3.0, 7.0, 10.0, 100.0]]]], "DEPTHWISE_CONV_2D", [[[[1.0, 10.0]]]],
                     [[[[3.0, 7.0, 1.0, 10.0]]]], [0.0] * 4, 2, 1, 1, 2, 0)  # fmt: skip
        self._expect([[[[3.0, 70.0]]]], "GROUPED_CONV_2D", [[[[1.0, 10.0]]]],
                     [[[[3.0]]], [[[7.0]]]], [0.0] * 2, 2, 1, 1, 2, 0, False)  # fmt: skip
        self._expect([[[[1.0], [10.0], [2.0], [20.0]]]], "TRANSPOSE_CONV_2D", [[[[1.0], [2.0]]]],
                     window, [0.0], 0, 0, 0, 0, 2, 1, 0, False)  # fmt: skip

    def test_pooling_leaves_the_padding_out(self) -> None:
        image = [[[[1.0], [2.0], [4.0]]]]
        self._expect([[[[1.5], [3.0], [4.0]]]], "AVERAGE_POOL_2D", image, 1, 1, 1, 2, 1, 0)
        self._expect([[[[-1.0], [-1.0]]]], "MAX_POOL_2D", [[[[-1.0]]]], 1, 1, 0, 0, 1, 1, 2, 1, 0)
        self._expect([[[[5.0 / math.sqrt(2)]]]], "L2_POOL_2D", [[[[3.0], [4.0]]]],
                     2, 1, 1, 2, 1, 0)  # fmt: skip

    def test_resizing(self) -> None:
        image = [[[[1.0], [3.0]]]]
        self._expect([[[[1.0], [2.0], [3.0], [3.0]]]], "RESIZE_BILINEAR", image, 4, 1)
        nearest = [[[[1.0], [1.0], [3.0]]]]
        self._expect(nearest, "RESIZE_NEAREST_NEIGHBOR", image, 1.5, 1.0, False)

    def test_reductions(self) -> None:
        self._expect([[1.5], [3.5]], "MEAN", [[1.0, 2.0], [3.0, 4.0]], [-1.0, 1.0], 1)
        self._expect([10.0], "REDUCE_SUM", [[1.0, 2.0], [3.0, 4.0]], [0.0, 1.0], False)
        self._expect([0.25, 0.75], "SOFTMAX", [0.0, math.log(3)], 1.0)
        self._expect([math.log(0.25), math.log(0.75)], "LOG_SOFTMAX", [0.0, math.log(3)], 1.0, 0)
        self._expect([0.6, 0.8], "L2_NORMALIZATION", [3.0, 4.0])
        # Twice the sums of squares, and 10: 36, 324 and 316.
        self._expect(
            [2.0 / 6, 3.0 / 18, 12.0 / math.sqrt(316)],
            "LOCAL_RESPONSE_NORMALIZATION",
            [2.0, 3.0, 12.0],
            *(1, 10.0, 2.0, 0.5),
        )

    def test_instance_normalization(self) -> None:
        # Mean 3, variance 4.
        self._expect([[[[-1.0], [3.0]]]], "INSTANCE_NORMALIZATION", [[[[1.0], [5.0]]]],
                     2.0, 1.0, 0.0, False)  # fmt: skip

    def test_lstm(self) -> None:
        # All weights zero: each gate is half open, and the candidate is tanh of its bias.
        zero, none = [[0.0]], [None] * 3
        bias = [[0.0], [0.0], [math.atanh(0.5)], [0.0]]
        operands = [[[1.0]], *[zero] * 8, *none, *bias, None, None, [[0.0]], [[2.0]], 4, 0.0, 0.0]
        scratch, state, cell, output = self._values("LSTM", *operands)
        self.assertEqual(scratch.shape, (1, 4))
        self.assertAlmostEqual(cell.item(), 0.5 * 2 + 0.5 * 0.5)
        self.assertAlmostEqual(state.item(), 0.5 * math.tanh(1.25))
        self.assertEqual(output.item(), state.item())

    def test_svdf_drops_the_oldest_entry(self) -> None:
        state, output = self._values("SVDF", [[3.0]], [[2.0]], [[1.0, 10.0, 100.0]], [0.5],
                                     [[4.0, 5.0, -9.0]], 1, 0)  # fmt: skip
        self.assertEqual(state.tolist(), [[5.0, 6.0, 0.0]])
        self.assertEqual(output.tolist(), [[0.5 + 4 + 50 + 600]])

    def test_svdf_takes_the_documented_state(self) -> None:
        state, output = self._values(
            "SVDF", [[3.0]], [[2.0]], [[1.0, 10.0, 100.0]], None, [[4.0, 5.0]], 1, 0
        )
        self.assertEqual(state.tolist(), [[5.0, 6.0]])
        self.assertEqual(output.tolist(), [[4.0 + 50 + 600]])

    def test_boxes(self) -> None:
        # Half a width to the right, and twice as high about the middle, 2.5, but not above the edge.
        self._expect(
            [[4.0, 0.0, 8.0, 5.5]],
            "AXIS_ALIGNED_BBOX_TRANSFORM",
            [[2.0, 1.0, 6.0, 4.0]],
            [[0.5, 0.0, 0.0, math.log(2)]],
            [0.0],
            [[6.0, 9.0]],
        )

    def test_regions(self) -> None:
        image = [[[[1.0], [2.0]], [[3.0], [4.0]]]]
        self._expect([[[[2.5]]]], "ROI_ALIGN", image, [[0.0, 0.0, 2.0, 2.0]], [0.0], 1, 1,
                     2.0, 2.0, 1, 1, False)  # fmt: skip
        self._expect([[[[2.0], [2.0]]]], "ROI_POOLING", image, [[2.0, 0.0, 2.0, 0.0]], [0.0],
                     1, 2, 2.0, 2.0, False)  # fmt: skip

    def test_fingerprints_differ(self) -> None:
        keys = [bytes(range(length)) for length in range(4, 200)]
        self.assertEqual(len({sampling.fingerprint(key) for key in keys}), len(keys))
        with self.assertRaises(ValueError):
            sampling.fingerprint(bytes(3))

    def test_sparse_signatures_have_an_offset(self) -> None:
        functions = np.array([[0.1, 0.2], [0.3, 0.4]])
        items = INT32.make([5.0, 6.0])
        dense = sampling.lsh_projection(functions, items, np.ones(2), 2)
        deprecated = sampling.lsh_projection(functions, items, None, 1)
        sparse = sampling.lsh_projection(functions, items, None, 3)
        signatures = [2 * dense[0] + dense[1], 2 * dense[2] + dense[3]]
        self.assertEqual(deprecated.tolist(), signatures)
        self.assertEqual(sparse.tolist(), [signatures[0], signatures[1] + 4])


if __name__ == "__main__":
    unittest.main()
