// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A faster way for what takes many numbers at once.

#ifndef NNCERT_REFERENCE_NUMBER_FAST_FUNCTIONS_H_
#define NNCERT_REFERENCE_NUMBER_FAST_FUNCTIONS_H_

#include <cstddef>
#include <cstdint>

#include "reference/number/ball.h"
#include "reference/number/matrix_product.h"
#include "reference/number/precision.h"

namespace nncert {

/// Functions that do faster what an obvious loop does: arithmetics, and the conversions of
/// storage.h, use them when they are given them. reference/fast has those there are.
struct FastFunctions {
  /// result = left * transpose(right).
  void (*multiply_floats)(const MatrixProductSizes& sizes, const float* left,
                          const Matrix<float>& right, float* result);
  void (*multiply_doubles)(const MatrixProductSizes& sizes, const double* left,
                           const Matrix<double>& right, double* result);
  /// Encloses it, as BallArithmetic::FinishPart does.
  void (*multiply_balls)(const MatrixProductSizes& sizes, const Precision& precision,
                         const Ball* left, const Matrix<Ball>& right, Ball* result);
  /// The functions of each of `count` numbers, within 3 units in the last place; `result` may be
  /// `x`.
  void (*tanh)(size_t count, const float* x, float* result);
  void (*logistic)(size_t count, const float* x, float* result);
  /// Exact; `floats` need not be aligned.
  void (*floats_to_doubles)(size_t count, const float* floats, double* doubles);
  /// The floats as exact balls, midpoint and radius over and over. False when some of them are
  /// subnormal, and so may be held as zero; what is stored is then arbitrary.
  bool (*floats_to_balls)(size_t count, const float* floats, double* balls);
  /// Between halves, which need not be aligned, and floats, rounding to nearest even. Null where
  /// the processor has no instructions for it.
  void (*halves_to_floats)(size_t count, const uint16_t* halves, float* floats);
  void (*floats_to_halves)(size_t count, const float* floats, uint16_t* halves);
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_NUMBER_FAST_FUNCTIONS_H_
