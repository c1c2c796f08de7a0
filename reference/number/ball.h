// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_NUMBER_BALL_H_
#define NNCERT_REFERENCE_NUMBER_BALL_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace nncert {

/// x + y rounded up: the least double that is not below the exact sum.
inline double AddUpwards(double x, double y) {
  const double sum = x + y;
  // What the rounding of the sum lost, exactly (Knuth's TwoSum).
  const double y_in_sum = sum - x;
  const double lost = (x - (sum - y_in_sum)) + (y - y_in_sum);
  // The next double is one further from zero, or nearer to it: a sum of zero has lost nothing. It
  // is what std::nextafter gives, but neither a call nor a branch: half of all sums lose something,
  // and which ones no processor foresees. Where the sum is infinite `lost` is NaN.
  const auto bits = std::bit_cast<int64_t>(sum);
  const int64_t next = bits < 0 ? -1 : 1;
  return std::bit_cast<double>(bits + next * int64_t{lost > 0});
}

/// A ball of real numbers: every x with |x - midpoint| <= radius.
///
/// Enclosures of operation results are balls (midpoint-radius interval arithmetic; van der Hoeven,
/// "Ball arithmetic", 2009). A radius of infinity says that nothing is known: the value may be any
/// number, an infinity or a NaN. A midpoint that is not finite together with radius zero is that
/// very infinity or NaN, known exactly.
struct Ball {
  double midpoint = 0;
  double radius = 0;

  /// The ball that holds everything, infinities and NaN included.
  static constexpr Ball Anything() { return {0, std::numeric_limits<double>::infinity()}; }

  /// The smallest ball that holds [lower, upper], rounded outwards; Anything() unless both are
  /// finite and ordered. An infinity as both bounds is that very infinity.
  static Ball FromBounds(double lower, double upper) {
    if (lower == upper) return {lower, 0};
    if (!(lower <= upper) || !std::isfinite(lower) || !std::isfinite(upper)) return Anything();
    const double midpoint = lower / 2 + upper / 2;
    return {midpoint, std::max(AddUpwards(upper, -midpoint), AddUpwards(midpoint, -lower))};
  }

  /// True when the radius is finite.
  bool IsBounded() const { return std::isfinite(radius); }

  /// True when the ball is one number (or one infinity, or NaN).
  bool IsExact() const { return radius == 0; }

  /// True when the ball is an infinity or NaN, known exactly.
  bool IsExactSpecial() const { return radius == 0 && !std::isfinite(midpoint); }

  /// The least number in the ball, rounded down to a double; -infinity when unbounded.
  double Lower() const { return IsExact() ? midpoint : -AddUpwards(-midpoint, radius); }

  /// The greatest number in the ball, rounded up to a double; +infinity when unbounded.
  double Upper() const { return IsExact() ? midpoint : AddUpwards(midpoint, radius); }

  /// Whether `value` is in the ball. A NaN is only in a ball that is exactly NaN or holds
  /// everything.
  bool Contains(double value) const {
    if (!IsBounded()) return true;
    if (!std::isfinite(midpoint))
      return std::isnan(midpoint) ? std::isnan(value) : value == midpoint;
    return std::abs(value - midpoint) <= radius;
  }
};

/// The smallest ball that holds both `x` and `y`.
inline Ball Hull(const Ball& x, const Ball& y) {
  if (!x.IsBounded() || !y.IsBounded()) return Ball::Anything();
  if (x.midpoint == y.midpoint) return {x.midpoint, std::max(x.radius, y.radius)};
  if (std::isnan(x.midpoint) || std::isnan(y.midpoint)) {
    return std::isnan(x.midpoint) && std::isnan(y.midpoint) ? x : Ball::Anything();
  }
  return Ball::FromBounds(std::min(x.Lower(), y.Lower()), std::max(x.Upper(), y.Upper()));
}

/// The answer to a question about numbers that may be known only as balls.
enum class Truth { kFalse, kTrue, kUndecided };

/// A plain answer as a Truth.
constexpr Truth ToTruth(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

/// Logical negation; undecided stays undecided.
constexpr Truth Not(Truth value) {
  switch (value) {
    case Truth::kFalse:
      return Truth::kTrue;
    case Truth::kTrue:
      return Truth::kFalse;
    case Truth::kUndecided:
      return Truth::kUndecided;
  }
  return Truth::kUndecided;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_NUMBER_BALL_H_
