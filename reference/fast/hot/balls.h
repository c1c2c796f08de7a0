// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Balls by the vector: taking them apart, and putting together what their products come to.
// Included by level.cc alone.
//
// The formulas are those of BallArithmetic and SumError (reference/number), which leave room for
// the roundings of double precision; that a product and a sum may be fused here only makes fewer of
// them.

#ifndef NNCERT_REFERENCE_FAST_HOT_BALLS_H_
#define NNCERT_REFERENCE_FAST_HOT_BALLS_H_

#include "reference/fast/hot/convert.h"
#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/vector.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

struct Balls {
  Doubles midpoint;
  Doubles radius;
};

// Evens are the midpoints of balls in memory, odds the radii.
#if defined(__AVX512F__)
#define NNCERT_HOT_EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define NNCERT_HOT_ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define NNCERT_HOT_LOWER_PAIRS 0, 8, 1, 9, 2, 10, 3, 11
#define NNCERT_HOT_UPPER_PAIRS 4, 12, 5, 13, 6, 14, 7, 15
#elif defined(__AVX2__)
#define NNCERT_HOT_EVENS 0, 2, 4, 6
#define NNCERT_HOT_ODDS 1, 3, 5, 7
#define NNCERT_HOT_LOWER_PAIRS 0, 4, 1, 5
#define NNCERT_HOT_UPPER_PAIRS 2, 6, 3, 7
#else
#define NNCERT_HOT_EVENS 0, 2
#define NNCERT_HOT_ODDS 1, 3
#define NNCERT_HOT_LOWER_PAIRS 0, 2
#define NNCERT_HOT_UPPER_PAIRS 1, 3
#endif

NNCERT_HOT_INLINE Balls LoadBalls(const double* balls) {
  const Doubles first = Load(balls);
  const Doubles second = Load(balls + kDoubleLanes);
  return {__builtin_shufflevector(first, second, NNCERT_HOT_EVENS),
          __builtin_shufflevector(first, second, NNCERT_HOT_ODDS)};
}

NNCERT_HOT_INLINE void StoreBalls(const Balls& balls, double* to) {
  Store(to, __builtin_shufflevector(balls.midpoint, balls.radius, NNCERT_HOT_LOWER_PAIRS));
  Store(to + kDoubleLanes,
        __builtin_shufflevector(balls.midpoint, balls.radius, NNCERT_HOT_UPPER_PAIRS));
}

NNCERT_HOT_INLINE Doubles Magnitudes(const Doubles& x) {
  using Bits = Vector<int64_t>;
  return reinterpret_cast<Doubles>(reinterpret_cast<Bits>(x) & INT64_MAX);
}

// Calls visit(i, lanes) for all of `count` doubles' worth of work: `lanes` at a time, which are
// kDoubleLanes but for the last.
template <class Visitor>
NNCERT_HOT_INLINE void ForDoubles(size_t count, Visitor visit) {
  size_t i = 0;
  for (; i + kDoubleLanes <= count; i += kDoubleLanes) visit(i, kDoubleLanes);
  if (i < count) visit(i, count - i);
}

template <class T>
NNCERT_HOT_INLINE void Copy(const T* from, size_t count, T* to) {
  for (size_t i = 0; i < count; ++i) to[i] = from[i];
}

inline BallSurvey SurveyBalls(size_t count, const double* balls) {
  using Mask = Vector<int64_t>;
  const Doubles zero = {};
  Mask are_exact = ~Mask{};
  Mask fit_floats = ~Mask{};
  const auto fits = [&](const Doubles& x) __attribute__((always_inline)) {
    // A NaN is none of these.
    return (x == zero) | ((x >= kLeastBallFactor) & (x <= kGreatestBallFactor));
  };
  ForDoubles(
      count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        double rest[2 * kDoubleLanes] = {};
        const double* from = balls + 2 * i;
        if (lanes < kDoubleLanes) {
          Copy(from, 2 * lanes, rest);
          from = rest;
        }
        const Balls some = LoadBalls(from);
        are_exact &= some.radius == zero;
        fit_floats &= fits(Magnitudes(some.midpoint)) & fits(some.radius);
      });
  bool all_are_exact = true;
  bool all_fit_floats = true;
  for (size_t i = 0; i < kDoubleLanes; ++i) {
    all_are_exact = all_are_exact && are_exact[i] != 0;
    all_fit_floats = all_fit_floats && fit_floats[i] != 0;
  }
  return {all_are_exact, all_fit_floats};
}

inline void SplitBalls(size_t count, const double* balls, double* midpoints, float* magnitudes,
                       float* radii) {
  // The nearest float, which is at most half a unit in the last place below, times a unit more.
  const auto store_upwards = [](const Doubles& x, float* to) __attribute__((always_inline)) {
    StoreNarrowed(x * (1 + 0x1p-23), to);
  };
  ForDoubles(
      count, [&](size_t i, size_t lanes) __attribute__((always_inline)) {
        if (lanes == kDoubleLanes) {
          const Balls some = LoadBalls(balls + 2 * i);
          Store(midpoints + i, some.midpoint);
          store_upwards(Magnitudes(some.midpoint), magnitudes + i);
          if (radii != nullptr) store_upwards(some.radius, radii + i);
          return;
        }
        for (size_t k = i; k < i + lanes; ++k) {
          midpoints[k] = balls[2 * k];
          magnitudes[k] = static_cast<float>(Magnitude(balls[2 * k]) * (1 + 0x1p-23));
          if (radii != nullptr) radii[k] = static_cast<float>(balls[2 * k + 1] * (1 + 0x1p-23));
        }
      });
}

// A double that is not below x + y.
NNCERT_HOT_INLINE Doubles AddUpwards(const Doubles& x, const Doubles& y) {
  const Doubles sum = x + y;
  // What the rounding of the sum lost, exactly (Knuth's TwoSum).
  const Doubles y_in_sum = sum - x;
  const Doubles lost = (x - (sum - y_in_sum)) + (y - y_in_sum);
  // A step of 2^-52 of a number reaches the next one. Sums of subnormal numbers lose nothing.
  return lost > Doubles{} ? sum + Magnitudes(sum) * 0x1p-52 : sum;
}

// The ball around [lower, upper].
NNCERT_HOT_INLINE Balls Between(const Doubles& lower, const Doubles& upper) {
  const Doubles midpoint = lower * 0.5 + upper * 0.5;
  // To the last bit: what is limited to numbers from 0 on must not reach below.
  const Doubles above = AddUpwards(upper, -midpoint);
  const Doubles below = AddUpwards(midpoint, -lower);
  const auto is_one = lower == upper;
  return {is_one ? lower : midpoint, is_one ? Doubles{} : (above > below ? above : below)};
}

NNCERT_HOT_INLINE Balls Choose(const Vector<int64_t>& mask, const Balls& x, const Balls& y) {
  return {mask ? x.midpoint : y.midpoint, mask ? x.radius : y.radius};
}

// What the numbers in x, which is bounded and no NaN, become when they are limited.
NNCERT_HOT_INLINE Balls LimitBalls(const Balls& x, const Doubles& lowest, const Doubles& highest) {
  const Doubles lower = -AddUpwards(-x.midpoint, x.radius);
  const Doubles upper = AddUpwards(x.midpoint, x.radius);
  const Balls limited = Between(Limit(lower, lowest, highest), Limit(upper, lowest, highest));
  return Choose((lower >= lowest) & (upper <= highest), x, limited);
}

// The rounding of a sum and a bias, as a constant ball.
struct BallBias {
  Doubles midpoint;
  Doubles radius;
  // What adding it anywhere in the sum may lose.
  Doubles error;
};

// What is the same for all sums.
struct BallConstants {
  explicit NNCERT_HOT_INLINE BallConstants(const BallSums& sums)
      : roundoff(sums.terms * (sums.sum_roundoff + 0x1p-50) + sums.unit_roundoff),
        underflow((2 * sums.terms + 1) * sums.underflow * (1 + 2 * roundoff)),
        slack(1 + sums.terms * 0x1p-52),
        has_limits(sums.lowest > -__builtin_inf() || sums.highest < __builtin_inf()) {}
  double roundoff;
  double underflow;
  double slack;
  bool has_limits;
};

NNCERT_HOT_INLINE Balls FinishSums(const BallSums& sums, const BallConstants& constants,
                                   const Doubles& midpoint, Doubles magnitude, Doubles spread,
                                   const BallBias& bias) {
  const Doubles zero = {};
  magnitude = magnitude * sums.inflation;
  spread = spread * sums.inflation;
  const Doubles reach = magnitude + spread;
  const Doubles sum_error = (reach * constants.roundoff + constants.underflow) * constants.slack;
  const Doubles error = reach == zero ? zero : sum_error;
  auto is_valid = reach + error <= sums.largest_finite;
  // The bias, and its rounding.
  Balls total = {midpoint + bias.midpoint, spread + error + bias.radius};
  const Doubles total_reach = Magnitudes(total.midpoint) + total.radius;
  const Doubles loss =
      total_reach == zero ? zero : total_reach * (sums.unit_roundoff + 0x1p-50) + sums.underflow;
  is_valid &= total_reach + loss <= sums.largest_finite;
  total.radius = total.radius + loss + bias.error;
  if (constants.has_limits) {
    total = LimitBalls(total, Broadcast(sums.lowest), Broadcast(sums.highest));
  }
  return Choose(is_valid, total, {zero, Broadcast(__builtin_inf())});
}

inline void FinishBalls(const BallSums& all) {
  const BallSums sums = all;  // a copy, which no store to the result can change
  const BallConstants constants(sums);
  const double bias_loss = (sums.terms_with_bias + 1) * sums.sum_roundoff * (1 + 0x1p-50);
  for (size_t row = 0; row < sums.rows; ++row) {
    const size_t first = row * sums.columns;
    ForDoubles(
        sums.columns, [&](size_t c, size_t lanes) __attribute__((always_inline)) {
          // The last ones are copied into whole vectors.
          double midpoints[kDoubleLanes] = {};
          float magnitudes[kDoubleLanes] = {};
          float spreads[kDoubleLanes] = {};
          double biases[2 * kDoubleLanes] = {};
          double results[2 * kDoubleLanes];
          const bool is_whole = lanes == kDoubleLanes;
          if (!is_whole) {
            Copy(sums.midpoints + first + c, lanes, midpoints);
            Copy(sums.magnitudes + first + c, lanes, magnitudes);
            if (sums.spreads != nullptr) Copy(sums.spreads + first + c, lanes, spreads);
            Copy(sums.bias + 2 * c, 2 * lanes, biases);
          }
          const Balls bias = LoadBalls(is_whole ? sums.bias + 2 * c : biases);
          const Doubles spread = sums.spreads == nullptr
                                     ? Doubles{}
                                     : LoadWidened(is_whole ? sums.spreads + first + c : spreads);
          const Balls finished = FinishSums(
              sums, constants, Load(is_whole ? sums.midpoints + first + c : midpoints),
              LoadWidened(is_whole ? sums.magnitudes + first + c : magnitudes), spread,
              {bias.midpoint, bias.radius, (Magnitudes(bias.midpoint) + bias.radius) * bias_loss});
          StoreBalls(finished, is_whole ? sums.result + 2 * (first + c) : results);
          if (!is_whole) Copy(results, 2 * lanes, sums.result + 2 * (first + c));
        });
  }
}

#undef NNCERT_HOT_EVENS
#undef NNCERT_HOT_ODDS
#undef NNCERT_HOT_LOWER_PAIRS
#undef NNCERT_HOT_UPPER_PAIRS

}  // namespace nncert::hot::NNCERT_HOT_LEVEL

#endif  // NNCERT_REFERENCE_FAST_HOT_BALLS_H_
