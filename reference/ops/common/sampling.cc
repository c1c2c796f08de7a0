// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/sampling.h"

#include <algorithm>
#include <cmath>

namespace nncert {
namespace {

// Positions in the axis.
struct Range {
  double first;
  double last;
};

// Calls add(sampling, range) for the positions of each element, unless there are too many of them.
// Positions above `greatest` are moved onto it.
template <class F>
Sampling<Ball> SamplingOf(const BallArithmetic& arithmetic, size_t input, size_t output,
                          size_t greatest, F add) {
  Sampling<Ball> sampling;
  const auto behind = static_cast<double>(greatest);
  for (size_t index = 0; index < output; ++index) {
    const Ball position = PositionAt(arithmetic.precision(), index, input, output);
    const Range range = {std::clamp(position.Lower(), 0.0, behind),
                         std::clamp(position.Upper(), 0.0, behind)};
    const bool is_known =
        position.IsBounded() &&
        range.last - range.first < static_cast<double>(Sampling<Ball>::kMostStretches - 1);
    if (is_known) add(sampling, range);
    sampling.NextElement();
  }
  return sampling;
}

}  // namespace

Ball PositionAt(const Precision& precision, size_t index, size_t input, size_t output) {
  const auto from = static_cast<double>(index);
  const auto numerator = static_cast<double>(input);
  const auto denominator = static_cast<double>(output);
  if (std::max({from, numerator, denominator}) > precision.largest_finite) return Ball::Anything();
  const auto held = [&](double value) { return IsHeldExactly(value, precision); };
  const size_t inexact = static_cast<size_t>(!held(from)) + static_cast<size_t>(!held(numerator)) +
                         static_cast<size_t>(!held(denominator));
  const double scale = numerator / denominator;
  const size_t whole = index * input / output;
  const double position =
      static_cast<double>(whole) + static_cast<double>(index * input % output) / denominator;
  // A fused multiplication and addition tells whether what a double rounds is exact.
  const bool is_exact = inexact == 0 && held(scale) && held(position) &&
                        std::fma(scale, denominator, -numerator) == 0 &&
                        std::fma(scale, from, -position) == 0;
  if (is_exact) return {position, 0};
  const double roundings = static_cast<double>(2 + inexact) * (precision.unit_roundoff + 0x1p-50);
  const double underflow = scale < precision.underflow ? precision.underflow * (from + 1) : 0;
  return {position, roundings * (1 + roundings) * position + underflow};
}

Sampling<Ball> LinearSampling(const BallArithmetic& arithmetic, size_t input, size_t output) {
  const auto add = [input](Sampling<Ball>& sampling, const Range& range) {
    double low = std::floor(range.first);
    do {
      const double from = std::max(range.first, low) - low;
      const double to = std::min(range.last, low + 1) - low;
      // Behind the last element it is interpolated with itself.
      const size_t element = std::min(static_cast<size_t>(low), input - 1);
      sampling.Add({element, std::min(element + 1, input - 1), Ball::FromBounds(from, to)});
      low += 1;
    } while (low < range.last);
  };
  return SamplingOf(arithmetic, input, output, input, add);
}

Sampling<Ball> FloorSampling(const BallArithmetic& arithmetic, size_t input, size_t output) {
  const auto add = [](Sampling<Ball>& sampling, const Range& range) {
    const double last = std::floor(range.last);
    for (double low = std::floor(range.first); low <= last; low += 1) {
      const auto element = static_cast<size_t>(low);
      sampling.Add({element, element, Ball{0, 0}});
    }
  };
  return SamplingOf(arithmetic, input, output, input - 1, add);
}

}  // namespace nncert
