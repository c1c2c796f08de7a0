// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Balls element by element: arithmetic on two of them, exponentials, and what floats are as balls.
// Included by level.cc alone.
//
// The formulas are those of BallArithmetic; see balls.h.

#ifndef NNCERT_REFERENCE_FAST_HOT_BALL_ELEMENTS_H_
#define NNCERT_REFERENCE_FAST_HOT_BALL_ELEMENTS_H_

#include "reference/fast/hot/balls.h"
#include "reference/fast/hot/convert.h"
#include "reference/fast/hot/functions.h"
#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

using DoubleMask = Vector<int64_t>;

inline constexpr double kInfinity = __builtin_inf();

// The least number that binary32 holds with all its bits.
inline constexpr double kLeastNormalFloat = 0x1p-126;

NNCERT_HOT_INLINE Balls Anything() { return {Doubles{}, Broadcast(kInfinity)}; }

// A NaN is not finite.
NNCERT_HOT_INLINE DoubleMask AreFinite(const Doubles& x) { return Magnitudes(x) < kInfinity; }

NNCERT_HOT_INLINE bool AreAll(const DoubleMask& mask) {
  return !IsAny(reinterpret_cast<Vector<int32_t> >(~mask));
}

// BallArithmetic::Rounded.
NNCERT_HOT_INLINE Balls Rounded(const Balls& x, const DoubleMask& has_finite_operands,
                                const Doubles& roundings, const BallPrecision& precision) {
  const Doubles zero = {};
  const Doubles reach = Magnitudes(x.midpoint) + x.radius;
  const Doubles some_loss =
      roundings * (precision.unit_roundoff + 0x1p-50) * reach + precision.underflow;
  const Doubles loss = reach == zero ? zero : some_loss;
  const DoubleMask is_special = (x.radius == zero) & ~AreFinite(x.midpoint) & ~has_finite_operands;
  const Balls other = Choose(is_special, {x.midpoint, zero}, Anything());
  return Choose(reach + loss <= precision.largest_finite, {x.midpoint, x.radius + loss}, other);
}

NNCERT_HOT_INLINE Balls DivideBalls(const Balls& x, const Balls& y, const DoubleMask& are_finite,
                                    double quotient_roundings, const BallPrecision& precision) {
  const Doubles zero = {};
  const Doubles one = Broadcast(1.);
  const Doubles magnitude = Magnitudes(y.midpoint);
  const Doubles clearance = magnitude - y.radius;
  const Doubles quotient = x.midpoint / y.midpoint;
  const Doubles reach = Magnitudes(quotient);
  const Doubles spread = (x.radius + reach * y.radius) / clearance * (1 + 0x1p-50);
  const DoubleMask has_normal_reciprocal = (magnitude + y.radius) * precision.underflow <= 1;
  const Doubles radius = has_normal_reciprocal ? spread : spread + reach;
  const auto is_special = [&](const Balls& ball) __attribute__((always_inline)) {
    return (ball.radius == zero) & ~AreFinite(ball.midpoint);
  };
  const DoubleMask of_specials = is_special(x) | is_special(y);
  const Balls rounded = Rounded({quotient, of_specials ? x.radius + y.radius : radius}, are_finite,
                                of_specials ? one : quotient_roundings * one, precision);
  // A NaN is no clearance, and passes on.
  const DoubleMask is_nan = y.midpoint != y.midpoint;  // NOLINT(misc-redundant-expression)
  return Choose((clearance >= precision.underflow) | is_nan, rounded, Anything());
}

template <BinaryOperation kOperation>
NNCERT_HOT_INLINE Balls CombineBalls(const BallBinary& binary, const Balls& x, const Balls& y) {
  const Doubles one = Broadcast(1.);
  const BallPrecision& precision = binary.precision;
  const DoubleMask are_finite = AreFinite(x.midpoint) & AreFinite(y.midpoint);
  if constexpr (kOperation == BinaryOperation::kAdd) {
    return Rounded({x.midpoint + y.midpoint, x.radius + y.radius}, are_finite, one, precision);
  }
  if constexpr (kOperation == BinaryOperation::kSubtract) {
    return Rounded({x.midpoint - y.midpoint, x.radius + y.radius}, are_finite, one, precision);
  }
  if constexpr (kOperation == BinaryOperation::kMultiply) {
    const Doubles spread =
        Magnitudes(x.midpoint) * y.radius + x.radius * (Magnitudes(y.midpoint) + y.radius);
    const DoubleMask are_exact = (x.radius == Doubles{}) & (y.radius == Doubles{});
    // Infinity times a radius of zero would be NaN.
    return Rounded({x.midpoint * y.midpoint, are_exact ? Doubles{} : spread}, are_finite, one,
                   precision);
  }
  if constexpr (kOperation == BinaryOperation::kDivide) {
    return DivideBalls(x, y, are_finite, binary.quotient_roundings, precision);
  }
}

// BallArithmetic::Max with the lowest, then its Min with the highest, where these are limits.
NNCERT_HOT_INLINE Balls Activated(const Balls& x, double lowest, double highest) {
  if (!(lowest > -kInfinity) && !(highest < kInfinity)) return x;
  const Balls limited = LimitBalls(x, Broadcast(lowest), Broadcast(highest));
  const DoubleMask is_number = x.midpoint == x.midpoint;  // NOLINT(misc-redundant-expression)
  return Choose((x.radius < kInfinity) & is_number, limited, Anything());
}

template <BinaryOperation kOperation, bool kIsAOne, bool kIsBOne>
NNCERT_HOT_INLINE void CombineAllBalls(const BallBinary& all) {
  const BallBinary binary = all;  // a copy, which no store to the result can change
  const auto operand = [](const double* from, bool is_one) __attribute__((always_inline)) {
    return is_one ? Balls{Broadcast(from[0]), Broadcast(from[1])} : LoadBalls(from);
  };
  ForDoubles(
      binary.count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        const double* a = kIsAOne ? binary.a : binary.a + 2 * i;
        const double* b = kIsBOne ? binary.b : binary.b + 2 * i;
        double* result = binary.result + 2 * i;
        // The last ones are copied into whole vectors.
        double rest_of_a[2 * kDoubleLanes];
        double rest_of_b[2 * kDoubleLanes];
        double rest[2 * kDoubleLanes];
        const bool is_whole = lanes == kDoubleLanes;
        if (!is_whole) {
          for (size_t k = 0; k < 2 * kDoubleLanes; ++k) {
            rest_of_a[k] = k < 2 * lanes ? a[kIsAOne ? k % 2 : k] : 0;
            rest_of_b[k] = k < 2 * lanes ? b[kIsBOne ? k % 2 : k] : 0;
          }
        }
        const Balls x = is_whole ? operand(a, kIsAOne) : LoadBalls(rest_of_a);
        const Balls y = is_whole ? operand(b, kIsBOne) : LoadBalls(rest_of_b);
        const Balls limited =
            Activated(CombineBalls<kOperation>(binary, x, y), binary.lowest, binary.highest);
        StoreBalls(limited, is_whole ? result : rest);
        if (!is_whole) Copy(rest, 2 * lanes, result);
      });
}

template <BinaryOperation kOperation>
inline void CombineBallsBySteps(const BallBinary& binary) {
  if (binary.a_step == 0) {
    if (binary.b_step == 0) return CombineAllBalls<kOperation, true, true>(binary);
    return CombineAllBalls<kOperation, true, false>(binary);
  }
  if (binary.b_step == 0) return CombineAllBalls<kOperation, false, true>(binary);
  CombineAllBalls<kOperation, false, false>(binary);
}

inline void ComputeBallBinary(const BallBinary& binary) {
  switch (binary.operation) {
    case BinaryOperation::kAdd:
      return CombineBallsBySteps<BinaryOperation::kAdd>(binary);
    case BinaryOperation::kSubtract:
      return CombineBallsBySteps<BinaryOperation::kSubtract>(binary);
    case BinaryOperation::kMultiply:
      return CombineBallsBySteps<BinaryOperation::kMultiply>(binary);
    case BinaryOperation::kDivide:
      return CombineBallsBySteps<BinaryOperation::kDivide>(binary);
  }
}

// The greatest of some balls, as what its least and its greatest number may be.
struct GreatestBall {
  double lower = -kInfinity;
  double upper = -kInfinity;
  bool are_finite = false;  // whether all of the balls are
};

// kDoubleLanes balls, of which the last repeat the first of them where there are fewer.
NNCERT_HOT_INLINE Balls LoadSomeBalls(const double* balls, size_t lanes) {
  if (lanes == kDoubleLanes) return LoadBalls(balls);
  double rest[2 * kDoubleLanes];
  for (size_t k = 0; k < 2 * kDoubleLanes; ++k) rest[k] = balls[k < 2 * lanes ? k : k % 2];
  return LoadBalls(rest);
}

NNCERT_HOT_INLINE double GreatestLane(const Doubles& x) {
  double greatest = x[0];
  for (size_t i = 1; i < kDoubleLanes; ++i) greatest = greatest < x[i] ? x[i] : greatest;
  return greatest;
}

inline GreatestBall FindGreatestBall(size_t count, const double* balls) {
  DoubleMask are_finite = ~DoubleMask{};
  DoubleMask are_exact = ~DoubleMask{};
  Doubles greatest = Broadcast(-kInfinity);
  ForDoubles(
      count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        const Balls some = LoadSomeBalls(balls + 2 * i, lanes);
        are_finite &= AreFinite(some.midpoint) & AreFinite(some.radius);
        are_exact &= some.radius == Doubles{};
        greatest = greatest < some.midpoint ? some.midpoint : greatest;
      });
  if (!AreAll(are_finite)) return {};
  if (AreAll(are_exact)) return {GreatestLane(greatest), GreatestLane(greatest), true};
  Doubles lower = Broadcast(-kInfinity);
  Doubles upper = Broadcast(-kInfinity);
  ForDoubles(
      count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        const Balls some = LoadSomeBalls(balls + 2 * i, lanes);
        const Doubles least = -AddUpwards(-some.midpoint, some.radius);
        const Doubles most = AddUpwards(some.midpoint, some.radius);
        lower = lower < least ? least : lower;
        upper = upper < most ? most : upper;
      });
  return {GreatestLane(lower), GreatestLane(upper), true};
}

inline bool ComputeBallExponentials(const BallExponentials& all, BallTotals& totals) {
  const BallExponentials exponentials = all;  // a copy, which no store to the result can change
  const BallPrecision& precision = exponentials.precision;
  const Doubles one = Broadcast(1.);
  const Doubles widest = Broadcast(0.25);
  const DoubleMask all_lanes = ~DoubleMask{};
  const GreatestBall greatest = FindGreatestBall(exponentials.count, exponentials.x);
  if (!greatest.are_finite) return false;
  const Balls maximum = Between(Broadcast(greatest.lower), Broadcast(greatest.upper));
  // A unit in the last place is at most twice the unit roundoff. 2^-50 for each is also for the
  // errors of double precision, of Exp first of all.
  const double loss_of_one = exponentials.function_ulps * (2 * precision.unit_roundoff + 0x1p-50);
  DoubleMask are_enclosed = all_lanes;
  Doubles midpoints = {};
  Doubles radii = {};
  double rest_of_midpoints = 0;
  double rest_of_radii = 0;
  ForDoubles(
      exponentials.count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        const Balls x = LoadSomeBalls(exponentials.x + 2 * i, lanes);
        const Balls difference = Rounded({x.midpoint - maximum.midpoint, x.radius + maximum.radius},
                                         all_lanes, one, precision);
        const Balls argument = Rounded(
            {difference.midpoint * exponentials.beta, difference.radius * exponentials.beta},
            all_lanes, one, precision);
        const Doubles exponential = Exp(argument.midpoint);
        // exp(r) - 1 is at most r + r^2, and 1 - exp(-r) is less, for r of at most 1; with more
        // than a quarter the quotient of it and a sum of its like would be twice as wide as need
        // be.
        const Doubles radius = exponential * (argument.radius + argument.radius * argument.radius);
        const Doubles reach = exponential + radius;
        const Doubles loss = reach * loss_of_one + precision.underflow;
        are_enclosed &= (argument.radius <= widest) & (reach + loss <= precision.largest_finite);
        const Balls result = {exponential, radius + loss};
        if (lanes == kDoubleLanes) {
          StoreBalls(result, exponentials.result + 2 * i);
          midpoints += result.midpoint;
          radii += result.radius;
          return;
        }
        double rest[2 * kDoubleLanes];
        StoreBalls(result, rest);
        Copy(rest, 2 * lanes, exponentials.result + 2 * i);
        for (size_t k = 0; k < lanes; ++k) {
          rest_of_midpoints += rest[2 * k];
          rest_of_radii += rest[2 * k + 1];
        }
      });
  totals.midpoints = rest_of_midpoints;
  totals.radii = rest_of_radii;
  for (size_t k = 0; k < kDoubleLanes; ++k) {
    totals.midpoints += midpoints[k];
    totals.radii += radii[k];
  }
  // No exponential is negative.
  totals.magnitudes = totals.midpoints + totals.radii;
  return AreAll(are_enclosed);
}

// kDoubleLanes floats as doubles, of which the last are zeros where there are fewer.
NNCERT_HOT_INLINE Doubles LoadSomeWidened(const float* floats, size_t lanes) {
  if (lanes == kDoubleLanes) return LoadWidened(floats);
  float rest[kDoubleLanes] = {};
  __builtin_memcpy(rest, floats, lanes * sizeof(float));
  return LoadWidened(rest);
}

inline void FloatsToDoubles(size_t count, const float* floats, double* doubles) {
  ForDoubles(
      count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        const Doubles some = LoadSomeWidened(floats + i, lanes);
        __builtin_memcpy(doubles + i, &some, lanes * sizeof(double));
      });
}

inline bool FloatsToBalls(size_t count, const float* floats, double* balls) {
  DoubleMask are_subnormal = {};
  ForDoubles(
      count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        const Doubles some = LoadSomeWidened(floats + i, lanes);
        are_subnormal |= (Magnitudes(some) < kLeastNormalFloat) & (some != Doubles{});
        if (lanes == kDoubleLanes) return StoreBalls({some, Doubles{}}, balls + 2 * i);
        double rest[2 * kDoubleLanes];
        StoreBalls({some, Doubles{}}, rest);
        Copy(rest, 2 * lanes, balls + 2 * i);
      });
  return AreAll(~are_subnormal);
}

inline bool SplitFloats(size_t count, const float* floats, double* midpoints, float* magnitudes) {
  DoubleMask fit = ~DoubleMask{};
  ForDoubles(
      count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        const Doubles some = LoadSomeWidened(floats + i, lanes);
        const Doubles magnitude = Magnitudes(some);
        fit &= (some == Doubles{}) |
               ((magnitude >= kLeastBallFactor) & (magnitude <= kGreatestBallFactor));
        float rest[kDoubleLanes];
        StoreNarrowed(magnitude, lanes == kDoubleLanes ? magnitudes + i : rest);
        if (lanes != kDoubleLanes) Copy(rest, lanes, magnitudes + i);
        __builtin_memcpy(midpoints + i, &some, lanes * sizeof(double));
      });
  return AreAll(fit);
}

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_BALL_ELEMENTS_H_
