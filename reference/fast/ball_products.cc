// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/ball_products.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nncert {

BallParts::BallParts(size_t count, const Ball* balls, bool needs_exact) {
  const hot::BallSurvey survey = hot::BestKernels().survey_balls(count, DoublesOf(balls));
  are_exact = survey.are_exact;
  is_fast = survey.fit_floats && (are_exact || !needs_exact);
  if (!is_fast) return;
  midpoints.resize(count);
  magnitudes.resize(count);
  if (!are_exact) radii.resize(count);
  hot::BestKernels().split_balls(count, DoublesOf(balls), midpoints.data(), magnitudes.data(),
                                 are_exact ? nullptr : radii.data());
}

BallParts::BallParts(size_t count, const float* floats)
    : are_exact(true), midpoints(count), magnitudes(count) {
  is_fast = hot::BestKernels().split_floats(count, floats, midpoints.data(), magnitudes.data());
}

PackedBalls::PackedBalls(size_t units, size_t depth, const Ball* weights) {
  if (depth > kMostBallTerms) return;
  const BallParts parts(units * depth, weights, /*needs_exact=*/true);
  is_fast = parts.is_fast;
  if (!is_fast) return;
  midpoints.emplace(units, depth, parts.midpoints.data());
  magnitudes.emplace(units, depth, parts.magnitudes.data());
}

bool PrepareBallSums(const Precision& precision, FusedActivationFunc activation, size_t columns,
                     size_t terms_with_bias, const Ball* bias, hot::BallSums& sums) {
  const bool is_finite = std::all_of(bias, bias + columns, [](const Ball& ball) {
    return std::isfinite(ball.midpoint) && std::isfinite(ball.radius);
  });
  if (!is_finite) return false;
  const ActivationLimits limits = LimitsOf(activation);
  sums.columns = columns;
  sums.terms_with_bias = static_cast<double>(terms_with_bias);
  sums.bias = DoublesOf(bias);
  sums.unit_roundoff = precision.unit_roundoff;
  sums.underflow = precision.underflow;
  sums.largest_finite = precision.largest_finite;
  sums.sum_roundoff = precision.sum_roundoff;
  sums.lowest = limits.lowest;
  sums.highest = limits.highest;
  return true;
}

double InflationOf(size_t terms) {
  // Sums of numbers that are not negative lose at most terms * 2^-24 of themselves (see SumError),
  // and 1 / (1 - x) is less than 1 + 2 x for x below a half.
  return 1 + static_cast<double>(terms + 1) * 0x1p-23;
}

void MultiplyBalls(const BallParts& left, const PackedBalls& right, const BallRows& rows,
                   hot::BallSums sums) {
  const size_t count = rows.rows * rows.taps;
  const size_t terms = rows.taps * rows.depth;
  const auto multiply = [&](const auto& numbers, const auto& packed, auto& products) {
    using T = typename std::decay_t<decltype(numbers)>::value_type;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    const std::vector<T> outside(rows.depth);
    std::vector<const T*> pieces(count);
    for (size_t i = 0; i < count; ++i) {
      pieces[i] =
          rows.pieces[i] == BallRows::kOutside ? outside.data() : numbers.data() + rows.pieces[i];
    }
    products.resize(rows.rows * sums.columns);
    HotKernels<T>().multiply({.rows = rows.rows,
                              .columns = sums.columns,
                              .taps = rows.taps,
                              .depth = rows.depth,
                              .left = pieces.data(),
                              .packed = packed->numbers(),
                              .bias = nullptr,
                              .lowest = -kInfinity,
                              .highest = kInfinity,
                              .result = products.data(),
                              .stride = sums.columns});
  };
  std::vector<double> midpoints;
  std::vector<float> magnitudes;
  std::vector<float> spreads;
  multiply(left.midpoints, right.midpoints, midpoints);
  multiply(left.magnitudes, right.magnitudes, magnitudes);
  if (!left.are_exact) multiply(left.radii, right.magnitudes, spreads);
  sums.rows = rows.rows;
  sums.midpoints = midpoints.data();
  sums.magnitudes = magnitudes.data();
  sums.spreads = left.are_exact ? nullptr : spreads.data();
  sums.inflation = InflationOf(terms);
  sums.terms = static_cast<double>(terms);
  hot::BestKernels().finish_balls(sums);
}

}  // namespace nncert
