// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Balls in the form in which the hot kernels multiply them.
//
// The sum of the products of balls (a, r) with exact weights w lies around the sum of a * w, at
// most the sum of r * |w| away, and rounding may cost an implementation a multiple of the sum of
// |a| * |w| + r * |w|. The first is a product in double precision. The others need only be bounded
// closely from above: they are products in single precision, of factors that are rounded up.

#ifndef NNCERT_REFERENCE_FAST_BALL_PRODUCTS_H_
#define NNCERT_REFERENCE_FAST_BALL_PRODUCTS_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "reference/fast/hot/levels.h"
#include "reference/fast/packed_weights.h"
#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {

/// The greatest number of terms of a sum that is bounded in single precision: the bound is then too
/// wide by less than 2^-8 of itself.
inline constexpr size_t kMostBallTerms = size_t{1} << 14;

/// Balls as the hot kernels know them: a midpoint and a radius, over and over.
inline const double* DoublesOf(const Ball* balls) {
  static_assert(sizeof(Ball) == 2 * sizeof(double));
  return reinterpret_cast<const double*>(balls);
}
inline double* DoublesOf(Ball* balls) { return reinterpret_cast<double*>(balls); }

/// What rounding costs at `precision`.
inline hot::BallPrecision BallPrecisionOf(const Precision& precision) {
  return {precision.unit_roundoff, precision.underflow, precision.largest_finite};
}

/// Balls taken apart. Empty unless `is_fast`.
struct BallParts {
  /// Takes `count` balls apart when that is of use: they fit floats, and `needs_exact` or not, are
  /// exact.
  BallParts(size_t count, const Ball* balls, bool needs_exact);
  /// The same for exact balls that are given as floats.
  BallParts(size_t count, const float* floats);

  bool is_fast = false;
  bool are_exact = false;
  std::vector<double> midpoints;
  std::vector<float> magnitudes;
  std::vector<float> radii;  // empty when all are exact
};

/// The weights of a matrix of `units` rows of `depth` balls, taken apart and packed.
struct PackedBalls {
  PackedBalls(size_t units, size_t depth, const Ball* weights);

  /// Whether the weights may be used: they are exact and fit floats, and there are not too many in
  /// a row.
  bool is_fast = false;
  std::optional<PackedReals<double>> midpoints;
  std::optional<PackedReals<float>> magnitudes;
};

/// What every sum of an operation has in common: the precision, the bias and the activation. A bias
/// is added among `terms_with_bias` terms. False when the bias cannot be added in this way.
bool PrepareBallSums(const Precision& precision, FusedActivationFunc activation, size_t columns,
                     size_t terms_with_bias, const Ball* bias, hot::BallSums& sums);

/// How much too small sums of `terms` products of floats may be, as a factor that makes them great
/// enough.
double InflationOf(size_t terms);

/// The sums of rows of balls with packed weights: pieces[i] says where row i begins in `left`,
/// `depth` balls for each of `taps` pieces; kOutside is a piece of zeros.
struct BallRows {
  static constexpr size_t kOutside = static_cast<size_t>(-1);
  size_t rows;
  size_t taps;
  size_t depth;
  const size_t* pieces;
};

/// Multiplies and finishes: sums.result are the balls of rows.rows * sums.columns sums.
void MultiplyBalls(const BallParts& left, const PackedBalls& right, const BallRows& rows,
                   hot::BallSums sums);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_BALL_PRODUCTS_H_
