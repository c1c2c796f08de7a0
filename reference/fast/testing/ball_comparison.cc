// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/testing/ball_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace nncert {
namespace {

bool Holds(const Ball& outer, const Ball& inner) {
  if (!outer.IsBounded()) return true;
  if (!inner.IsBounded()) return false;
  if (!std::isfinite(inner.midpoint)) return AreSame(outer.midpoint, inner.midpoint);
  return outer.Lower() <= inner.Lower() + Slack(inner) &&
         outer.Upper() >= inner.Upper() - Slack(inner);
}

double WidthRatio(const Ball& ball, const Ball& defined) {
  if (!defined.IsBounded() || ball.radius == defined.radius) return 1;
  return ball.IsBounded() ? ball.radius / defined.radius : std::numeric_limits<double>::infinity();
}

}  // namespace

bool AreSame(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double Slack(const Ball& ball) { return 0x1p-20 * ball.radius + 0x1p-48 * std::abs(ball.midpoint); }

BallComparison CompareBalls(absl::Span<const Ball> balls, absl::Span<const Ball> defined) {
  BallComparison comparison;
  std::vector<double> ratios(balls.size());
  for (size_t i = 0; i < balls.size(); ++i) {
    if (!comparison.first_not_held.has_value() && !Holds(balls[i], defined[i])) {
      comparison.first_not_held = i;
    }
    ratios[i] = WidthRatio(balls[i], defined[i]);
  }
  if (ratios.empty()) return comparison;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  comparison.median_width = *middle;
  return comparison;
}

}  // namespace nncert
