// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Products of many numbers, multiplied in any order.

#ifndef NNCERT_REFERENCE_OPS_COMMON_PRODUCT_H_
#define NNCERT_REFERENCE_OPS_COMMON_PRODUCT_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "reference/kernel.h"
#include "reference/number/arithmetic.h"
#include "reference/number/ball.h"

namespace nncert {

/// A product under way. Floats multiply in double, as an implementation with wide registers does.
template <class A>
class Product {
 public:
  using Number = typename A::Number;

  /// Multiplies by `factor`.
  void Multiply(Number factor) { product_ *= static_cast<double>(factor); }
  /// The value that the product has come to.
  Number Finish(const A& /*arithmetic*/) const { return static_cast<Number>(product_); }

 private:
  double product_ = 1;
};

/// The enclosure of a product, whatever the order of its factors.
///
/// Each multiplication loses one rounding, relative to what it gives, so n factors lose
/// (1 + unit_roundoff)^(n - 1) - 1 < e^(n unit_roundoff) - 1 of the product, in any order. The
/// order does matter where something leaves the range: whatever is multiplied first, an
/// intermediate product is never above the product of all magnitudes above one, and never below the
/// product of all those below one. The former may overflow, and the result is then
/// Ball::Anything(). If the latter may underflow, each multiplication may lose `underflow`, which
/// grows by no more than the former.
template <>
class Product<BallArithmetic> {
 public:
  /// Multiplies by `factor`.
  void Multiply(const Ball& factor) {
    if (!factor.IsBounded()) {
      is_bounded_ = false;
      return;
    }
    ++factors_;
    midpoint_ *= factor.midpoint;
    if (factor.IsExactSpecial()) {
      has_infinities_ |= std::isinf(factor.midpoint);
      has_nan_ |= std::isnan(factor.midpoint);
      return;
    }
    const double magnitude = std::abs(factor.midpoint);
    const double reach = magnitude + factor.radius;
    radius_ = magnitude * radius_ + factor.radius * (reach_ + radius_);
    // The reach is that of the midpoints alone: (m + r)(x + s) - m x = x r + s (m + r).
    reach_ *= magnitude;
    is_zero_ |= reach == 0;
    large_ *= std::max(1.0, reach);
    if (reach != 0) small_ *= std::min(1.0, std::max(0.0, magnitude - factor.radius));
  }

  /// Encloses the value that the product has come to.
  Ball Finish(const BallArithmetic& arithmetic) const {
    if (!is_bounded_) return Ball::Anything();
    const Precision& precision = arithmetic.precision();
    const auto factors = static_cast<double>(factors_);
    // The first factor is passed on. 2^-50 for the roundings of a double: of the midpoint, the
    // radius and the products of parts.
    const double roundings = std::max(0.0, factors - 1);
    const double growth = std::exp(roundings * (precision.unit_roundoff + 0x1p-50));
    const bool may_underflow = roundings > 0 && !(small_ >= precision.underflow * growth);
    if (has_nan_) return {std::numeric_limits<double>::quiet_NaN(), 0};
    if (has_infinities_) {
      // Infinity times what may be zero may be NaN.
      return may_underflow || is_zero_ ? Ball::Anything() : Ball{midpoint_, 0};
    }
    if (!(large_ * growth <= precision.largest_finite)) return Ball::Anything();
    if (is_zero_) return {0, 0};
    const double rounding = (growth - 1) * (reach_ + radius_);
    const double underflow = may_underflow ? roundings * precision.underflow * large_ * growth : 0;
    return {midpoint_, (radius_ + rounding + underflow) * (1 + 0x1p-50)};
  }

 private:
  double midpoint_ = 1;
  double reach_ = 1;   // the magnitude of the product of the finite midpoints
  double radius_ = 0;  // how far the exact product may be from that of the midpoints
  double large_ = 1;   // the product of all magnitudes above one
  double small_ = 1;   // the product of all magnitudes below one but zeros
  size_t factors_ = 0;
  bool is_zero_ = false;  // a factor is exactly zero
  bool has_infinities_ = false;
  bool has_nan_ = false;
  bool is_bounded_ = true;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_PRODUCT_H_
