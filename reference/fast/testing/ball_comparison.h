// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Balls of fast kernels beside those of definitions.

#ifndef NNCERT_REFERENCE_FAST_TESTING_BALL_COMPARISON_H_
#define NNCERT_REFERENCE_FAST_TESTING_BALL_COMPARISON_H_

#include <cstddef>
#include <optional>

#include "absl/types/span.h"
#include "reference/number/ball.h"

namespace nncert {

/// Whether two numbers are the same; so are two NaN.
bool AreSame(double a, double b);

/// How far roundings of doubles may move a bound of a ball: its own and, of sums, those of all that
/// they add up, whose magnitudes the radius knows.
double Slack(const Ball& ball);

/// How balls compare with as many others.
struct BallComparison {
  /// The first element whose ball does not hold the other one, but for Slack.
  std::optional<size_t> first_not_held;
  /// The median of how many times as wide as the other ones they are; 1 when there are none.
  double median_width = 1;
};

/// Compares balls with what the definition gives.
BallComparison CompareBalls(absl::Span<const Ball> balls, absl::Span<const Ball> defined);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_FAST_TESTING_BALL_COMPARISON_H_
