// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Enclosures seen from kernels: indexes as results, for operations that choose among elements, and
// what is known of numbers beyond their arithmetic.

#ifndef NNCERT_REFERENCE_OPS_COMMON_SELECTION_H_
#define NNCERT_REFERENCE_OPS_COMMON_SELECTION_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "reference/kernel.h"
#include "reference/number/arithmetic.h"
#include "reference/number/ball.h"

namespace nncert {

/// Whether numbers of arithmetic `A` stand for all that honest implementations may answer, so that
/// a choice may have to be left open.
template <class A>
inline constexpr bool kIsEnclosure = std::is_same_v<A, BallArithmetic>;

/// What is known not to be negative in any implementation, a sum of squares for example: `x`
/// without the negative numbers of an enclosure.
template <class A>
typename A::Number AtLeastZero(const typename A::Number& x) {
  if constexpr (kIsEnclosure<A>) {
    if (x.IsBounded() && !x.IsExact() && x.Lower() < 0) {
      return Ball::FromBounds(0, std::max(0.0, x.Upper()));
    }
  }
  return x;
}

/// An index as a number, exactly. (Arithmetic::Constant is for real numbers, which an
/// implementation of half precision rounds.)
template <class Number>
Number IndexNumber(size_t index) {
  if constexpr (std::is_same_v<Number, Ball>) {
    return {static_cast<double>(index), 0};
  } else {
    return static_cast<Number>(index);
  }
}

/// All indexes from `lowest` to `highest` as one number; in a number system without enclosures the
/// two must be equal.
template <class Number>
Number IndexRange(size_t lowest, size_t highest) {
  if constexpr (std::is_same_v<Number, Ball>) {
    return Ball::FromBounds(static_cast<double>(lowest), static_cast<double>(highest));
  } else {
    return static_cast<Number>(lowest);
  }
}

/// The least number that `x` may be.
inline double LeastOf(const Ball& x) { return x.Lower(); }
inline double LeastOf(double x) { return x; }

/// The greatest number that `x` may be.
inline double GreatestOf(const Ball& x) { return x.Upper(); }
inline double GreatestOf(double x) { return x; }

/// Whether `x` may be NaN, which cannot be put in order with anything.
inline bool MayBeNaN(const Ball& x) { return !x.IsBounded() || std::isnan(x.midpoint); }
inline bool MayBeNaN(double x) { return std::isnan(x); }

/// Every i in [0, length) of which `element(i)` may be the greatest, in an enclosure: whatever is
/// certainly less than some other element is not. All of them beside what may be NaN.
template <class F>
Ball IndexesOfGreatest(size_t length, F element) {
  double bar = -std::numeric_limits<double>::infinity();
  for (size_t i = 0; i < length; ++i) {
    const Ball candidate = element(i);
    if (MayBeNaN(candidate)) return IndexRange<Ball>(0, length - 1);
    bar = std::max(bar, LeastOf(candidate));
  }
  const auto may_be_greatest = [&](size_t i) { return GreatestOf(element(i)) >= bar; };
  size_t first = 0;
  while (!may_be_greatest(first)) ++first;
  size_t last = length - 1;
  while (!may_be_greatest(last)) --last;
  return IndexRange<Ball>(first, last);
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_SELECTION_H_
