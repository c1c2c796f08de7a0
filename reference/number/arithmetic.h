// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The number systems that kernels compute in.
//
// A kernel is a template over an arithmetic: an object with the elementary operations on its
// Number. RealArithmetic does them on float or double; BallArithmetic encloses every answer that an
// honest implementation of a given Precision may give. A kernel written once thereby gives the fast
// answer, the expected answer and the bounds on honest answers.
//
// A product of matrices is the obvious loop, unless the arithmetic is made with FastFunctions.

#ifndef NNCERT_REFERENCE_NUMBER_ARITHMETIC_H_
#define NNCERT_REFERENCE_NUMBER_ARITHMETIC_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "reference/number/ball.h"
#include "reference/number/fast_functions.h"
#include "reference/number/matrix_product.h"
#include "reference/number/precision.h"

namespace nncert {

/// Logistic function 1 / (1 + exp(-x)), without overflow for any x.
template <class T>
T LogisticOf(T x) {
  if (x >= 0) return T{1} / (T{1} + std::exp(-x));
  const T exponential = std::exp(x);
  return exponential / (T{1} + exponential);
}

/// Arithmetic on `T` (float or double) itself. A NaN operand gives NaN in every function, Min, Max
/// and Clamp included.
template <class T>
class RealArithmetic {
 public:
  using Number = T;

  RealArithmetic() = default;
  /// Multiplies matrices by `fast`, which must outlive this, unless it is null.
  explicit RealArithmetic(const FastFunctions* fast) : fast_(fast) {}

  /// A sum under way. Floats accumulate in double, as an implementation with wide accumulators
  /// does.
  class Accumulator {
   public:
    /// Adds x * y.
    void MultiplyAdd(Number x, Number y) {
      sum_ += static_cast<double>(x) * static_cast<double>(y);
    }
    /// Adds x.
    void Add(Number x) { sum_ += static_cast<double>(x); }
    /// Adds 0 * x, as padding does; implementations may leave it out.
    void AddZeroTimes(Number x) { sum_ += 0 * static_cast<double>(x); }
    /// Leaves 0 * x out, which implementations may add, as padding does.
    void LeaveOutZeroTimes([[maybe_unused]] Number x) {}

   private:
    friend class RealArithmetic;
    double sum_ = 0;
  };

  Number Constant(double value) const { return static_cast<Number>(value); }
  /// A value that the operation leaves unspecified: zero.
  Number Unspecified() const { return 0; }
  Number Add(Number x, Number y) const { return x + y; }
  Number Subtract(Number x, Number y) const { return x - y; }
  Number Multiply(Number x, Number y) const { return x * y; }
  Number Square(Number x) const { return x * x; }
  Number Divide(Number x, Number y) const { return x / y; }
  Number Negate(Number x) const { return -x; }
  Number Abs(Number x) const { return std::abs(x); }
  Number Min(Number x, Number y) const { return (x < y || std::isnan(x)) ? x : y; }
  Number Max(Number x, Number y) const { return (x > y || std::isnan(x)) ? x : y; }
  Number Floor(Number x) const { return std::floor(x); }
  Number Truncate(Number x) const { return std::trunc(x); }
  Number Sqrt(Number x) const { return std::sqrt(x); }
  /// 1 / sqrt(x).
  Number Rsqrt(Number x) const { return T{1} / std::sqrt(x); }
  Number Exp(Number x) const { return std::exp(x); }
  /// The natural logarithm.
  Number Log(Number x) const { return std::log(x); }
  /// The sine of x radians.
  Number Sin(Number x) const { return std::sin(x); }
  /// `base` to the power `exponent`.
  Number Power(Number base, Number exponent) const { return std::pow(base, exponent); }
  Number Tanh(Number x) const { return std::tanh(x); }
  Number Logistic(Number x) const { return LogisticOf(x); }
  /// x, converted to the precision of the operation where that may lose something.
  Number Round(Number x) const { return x; }
  /// The value that a sum has come to.
  Number Finish(const Accumulator& sum) const { return static_cast<Number>(sum.sum_); }
  /// The value that a part of a longer sum, of `terms` terms in all, has come to.
  Number FinishPart(const Accumulator& sum, [[maybe_unused]] size_t terms) const {
    return Finish(sum);
  }
  /// sum + addend, where `sum` is of `terms` terms, among which the addend may come anywhere.
  Number AddToSum(Number sum, Number addend, [[maybe_unused]] size_t terms) const {
    return sum + addend;
  }
  Truth Less(Number x, Number y) const { return ToTruth(x < y); }
  Truth LessOrEqual(Number x, Number y) const { return ToTruth(x <= y); }
  Truth Equal(Number x, Number y) const { return ToTruth(x == y); }
  /// x where `condition` holds, else y.
  Number Select(Truth condition, Number x, Number y) const {
    return condition == Truth::kTrue ? x : y;
  }
  /// x, which may also be computed from numbers of the size of `magnitude` that cancel out, and
  /// then loses up to `roundings` roundings of it.
  Number Loosen(Number x, [[maybe_unused]] Number magnitude,
                [[maybe_unused]] size_t roundings) const {
    return x;
  }
  /// One of two ways to define a value where the definition leaves a choice.
  Number EitherOf(Number preferred, [[maybe_unused]] Number alternative) const { return preferred; }
  /// result = left * transpose(right); see MatrixProductSizes.
  void MatrixProduct(const MatrixProductSizes& sizes, const Number* left,
                     const Matrix<Number>& right, Number* result) const {
    if (fast_ == nullptr) return MultiplyMatrices(*this, sizes, left, right, result);
    if constexpr (std::is_same_v<T, float>) {
      fast_->multiply_floats(sizes, left, right, result);
    } else {
      fast_->multiply_doubles(sizes, left, right, result);
    }
  }
  /// Sets each of `count` numbers to its hyperbolic tangent, or its logistic function, by
  /// FastFunctions. False, and nothing is done, where there are none for such numbers.
  bool FastTanh(size_t count, Number* numbers) const {
    if constexpr (std::is_same_v<T, float>) {
      if (fast_ != nullptr) fast_->tanh(count, numbers, numbers);
      return fast_ != nullptr;
    }
    return false;
  }
  bool FastLogistic(size_t count, Number* numbers) const {
    if constexpr (std::is_same_v<T, float>) {
      if (fast_ != nullptr) fast_->logistic(count, numbers, numbers);
      return fast_ != nullptr;
    }
    return false;
  }

 private:
  const FastFunctions* fast_ = nullptr;
};

using FloatArithmetic = RealArithmetic<float>;
using DoubleArithmetic = RealArithmetic<double>;

/// What an implementation of `precision` may hold for the finite or special number `value`, which
/// is given to it in a wider format: an operand of a relaxed model, a scalar, a constant. Exact
/// where every implementation holds it exactly; otherwise one rounding, and down to zero below the
/// normal range.
inline Ball Held(double value, const Precision& precision) {
  if (!std::isfinite(value) || IsHeldExactly(value, precision)) return {value, 0};
  const double magnitude = std::abs(value);
  if (magnitude > precision.largest_finite) return Ball::Anything();
  const double roundoff = precision.unit_roundoff * std::max(magnitude, precision.underflow);
  if (magnitude >= precision.underflow) return {value, roundoff};
  return Ball::FromBounds(std::min(value, 0.0) - roundoff, std::max(value, 0.0) + roundoff);
}

/// Arithmetic on balls that vouches for `precision`: each result holds the exact result for every
/// choice of operands in the balls, and all that rounding at that precision may make of it.
///
/// Where an operation leaves the range of the precision, or divides by zero, implementations differ
/// (infinity, the largest number, NaN), so the result is Ball::Anything(). An infinity or NaN that
/// was an operand from the start is known exactly, and so is what becomes of it.
class BallArithmetic {
 public:
  using Number = Ball;

  /// Relative error, in units in the last place, granted to exp, tanh and other transcendental
  /// functions; the same figure, absolute, to functions bounded by one (implementations compute
  /// tanh from exponentials, which loses relative accuracy near zero). OpenCL 1.2 grants 3 to exp
  /// and 5 to tanh (section 7.4).
  static constexpr double kFunctionUlps = 5;
  /// The same for square roots, of which OpenCL 1.2 grants 3.
  static constexpr double kRootUlps = 3;
  /// The same for quotients, of which OpenCL 1.2 grants 2.5: a reciprocal and a product.
  static constexpr double kQuotientUlps = 2.5;

  /// Multiplies matrices by `fast`, which must outlive this, unless it is null.
  explicit BallArithmetic(const Precision& precision, const FastFunctions* fast = nullptr)
      : precision_(precision), fast_(fast) {}

  /// The precision vouched for.
  const Precision& precision() const { return precision_; }

  /// A sum under way, in any order of its terms.
  class Accumulator {
   public:
    /// Adds x * y.
    void MultiplyAdd(const Ball& x, const Ball& y) {
      const double term = x.midpoint * y.midpoint;
      const double spread = ProductSpread(x, y);
      const double reach = std::abs(term) + spread;
      if (std::isfinite(reach)) {
        AddFinite(term, spread, reach);
      } else if (x.IsExact() && y.IsExact() && (x.IsExactSpecial() || y.IsExactSpecial())) {
        AddSpecial(term);
      } else {
        is_bounded_ = false;
      }
    }
    /// Adds x.
    void Add(const Ball& x) {
      const double reach = std::abs(x.midpoint) + x.radius;
      if (std::isfinite(reach)) {
        AddFinite(x.midpoint, x.radius, reach);
      } else if (x.IsExactSpecial()) {
        AddSpecial(x.midpoint);
      } else {
        is_bounded_ = false;
      }
    }
    /// Adds 0 * x, as padding does; implementations may leave it out, and it is no zero when x may
    /// be an infinity or NaN.
    void AddZeroTimes(const Ball& x) {
      if (!std::isfinite(std::abs(x.midpoint) + x.radius)) is_bounded_ = false;
    }
    /// The same: who leaves 0 * x out and who adds it are both honest.
    void LeaveOutZeroTimes(const Ball& x) { AddZeroTimes(x); }

   private:
    friend class BallArithmetic;
    void AddFinite(double term, double spread, double reach) {
      sum_ += term;
      radius_ += spread;
      magnitude_ += reach;
      ++terms_;
    }
    void AddSpecial(double term) {
      specials_ += term;
      has_specials_ = true;
    }
    double sum_ = 0;
    double radius_ = 0;
    double magnitude_ = 0;
    size_t terms_ = 0;
    double specials_ = 0;  // the sum of the infinities and NaN among the terms
    bool has_specials_ = false;
    bool is_bounded_ = true;
  };

  /// A number that the operation defines, as an implementation holds it.
  Ball Constant(double value) const { return Held(value, precision_); }
  /// Any number at all: an output that the operation leaves unspecified.
  Ball Unspecified() const { return Ball::Anything(); }
  Ball Add(const Ball& x, const Ball& y) const {
    return Rounded(x.midpoint + y.midpoint, x.radius + y.radius, AreFinite(x, y));
  }
  Ball Subtract(const Ball& x, const Ball& y) const {
    return Rounded(x.midpoint - y.midpoint, x.radius + y.radius, AreFinite(x, y));
  }
  Ball Multiply(const Ball& x, const Ball& y) const {
    return Rounded(x.midpoint * y.midpoint, ProductSpread(x, y), AreFinite(x, y));
  }
  /// x * x, which is not negative.
  Ball Square(const Ball& x) const {
    const Ball square = Multiply(x, x);
    if (!square.IsBounded() || square.IsExact() || square.Lower() >= 0) return square;
    return Ball::FromBounds(0, square.Upper());
  }
  Ball Divide(const Ball& x, const Ball& y) const {
    const double clearance = std::abs(y.midpoint) - y.radius;
    if (std::isnan(y.midpoint)) return Rounded(y.midpoint, x.radius + y.radius, AreFinite(x, y));
    // Below the normal range, a divisor may be flushed to zero, and its reciprocal may overflow.
    if (!(clearance >= precision_.underflow)) return Ball::Anything();
    const double quotient = x.midpoint / y.midpoint;
    if (x.IsExactSpecial() || y.IsExactSpecial()) {
      return Rounded(quotient, x.radius + y.radius, AreFinite(x, y));
    }
    // The clearance is rounded, and so is what it divides: 2^-50 covers both.
    double radius = (x.radius + std::abs(quotient) * y.radius) / clearance * (1 + 0x1p-50);
    // The reciprocal of so large a number is below the normal range and may be flushed to zero.
    if (!((std::abs(y.midpoint) + y.radius) * precision_.underflow <= 1)) {
      radius += std::abs(quotient);
    }
    return Rounded(quotient, radius, AreFinite(x, y), 2 * kQuotientUlps);
  }
  Ball Negate(const Ball& x) const { return {-x.midpoint, x.radius}; }
  Ball Abs(const Ball& x) const {
    if (!x.IsBounded()) return x;
    if (x.IsExact()) return {std::abs(x.midpoint), 0};
    if (x.Lower() >= 0) return x;
    if (x.Upper() <= 0) return Negate(x);
    return Ball::FromBounds(0, std::max(-x.Lower(), x.Upper()));
  }
  Ball Min(const Ball& x, const Ball& y) const { return Negate(Max(Negate(x), Negate(y))); }
  /// The greater one; anything when one may be NaN, for some implementations then answer the other
  /// one.
  Ball Max(const Ball& x, const Ball& y) const {
    if (!x.IsBounded() || !y.IsBounded()) return Ball::Anything();
    if (std::isnan(x.midpoint) || std::isnan(y.midpoint)) return Ball::Anything();
    if (y.Upper() <= x.Lower()) return x;
    if (x.Upper() <= y.Lower()) return y;
    return Ball::FromBounds(std::max(x.Lower(), y.Lower()), std::max(x.Upper(), y.Upper()));
  }
  Ball Floor(const Ball& x) const {
    return Monotonic(x, 0, 0, [](double value) { return std::floor(value); });
  }
  Ball Truncate(const Ball& x) const {
    return Monotonic(x, 0, 0, [](double value) { return std::trunc(value); });
  }
  Ball Sqrt(const Ball& x) const {
    if (!x.IsExact() && x.Lower() < 0) return Ball::Anything();
    return Monotonic(x, kRootUlps, 0, [](double value) { return std::sqrt(value); });
  }
  /// 1 / sqrt(x), which may be computed as that. NaN for negative numbers; anything where an
  /// implementation may divide by zero.
  Ball Rsqrt(const Ball& x) const {
    return Negate(MonotonicOfPositive(x, kRootUlps + kQuotientUlps, 0,
                                      [](double value) { return -1 / std::sqrt(value); }));
  }
  Ball Exp(const Ball& x) const {
    return Monotonic(x, kFunctionUlps, 0, [](double value) { return std::exp(value); });
  }
  /// The natural logarithm, with an absolute error as well, for implementations lose relative
  /// accuracy near one: Vulkan grants 2^-21, four units, to binary32 logarithms of numbers in
  /// [1/2, 2] (Vulkan 1.1, "Precision and operation of SPIR-V instructions"). The logarithm of one
  /// itself is zero. NaN for negative numbers; anything where the argument may be taken for zero.
  Ball Log(const Ball& x) const {
    if (x.IsExact() && x.midpoint == 1) return {0, 0};
    return MonotonicOfPositive(x, kFunctionUlps, kFunctionUlps,
                               [](double value) { return std::log(value); });
  }
  /// The sine of x radians. An argument beyond pi / 4 may first be brought near zero, by taking a
  /// multiple of pi / 2 from it, which may lose two roundings of the argument: of pi / 2 and of the
  /// multiple. Large arguments thereby lose everything but the sine's range.
  Ball Sin(const Ball& x) const;
  /// `base` to the power `exponent`, by any of: multiplication, a correctly rounded function, and
  /// exp(exponent * log(base)), which is what Vulkan makes of it. A negative base has powers with
  /// integer exponents, and NaN otherwise; zero has powers with positive exponents. Anything where
  /// that is undecided, where a result may overflow, for powers of zero with other exponents, zero
  /// included, and where ways to compute differ in what they make of infinities and NaN.
  Ball Power(const Ball& base, const Ball& exponent) const;
  Ball Tanh(const Ball& x) const {
    return Monotonic(x, kFunctionUlps, kFunctionUlps,
                     [](double value) { return std::tanh(value); });
  }
  Ball Logistic(const Ball& x) const {
    return Monotonic(x, kFunctionUlps, kFunctionUlps,
                     [](double value) { return LogisticOf(value); });
  }
  /// x as an implementation holds it when it is converted to the precision.
  Ball Round(const Ball& x) const {
    return x.IsExact() ? Held(x.midpoint, precision_) : Rounded(x.midpoint, x.radius, true);
  }
  /// The value that a sum has come to, whatever the order of its terms; see SumError.
  Ball Finish(const Accumulator& sum) const {
    if (!sum.is_bounded_) return Ball::Anything();
    const double error = SumError(precision_, static_cast<double>(sum.terms_), sum.magnitude_);
    if (!(sum.magnitude_ + error <= precision_.largest_finite)) return Ball::Anything();
    if (sum.has_specials_) return {sum.specials_, 0};
    return {sum.sum_, sum.radius_ + error};
  }
  /// The value that a part of a longer sum, of `terms` terms in all, has come to: added up, the
  /// parts enclose the whole sum in any order of its terms. Each of up to four parts may use a
  /// quarter of the range of the precision; beyond that, and with a term that is not a finite
  /// number, it is Ball::Anything().
  Ball FinishPart(const Accumulator& sum, size_t terms) const {
    if (!sum.is_bounded_ || sum.has_specials_) return Ball::Anything();
    const size_t in_all = std::max(terms, sum.terms_);
    const double error = SumError(precision_, static_cast<double>(in_all), sum.magnitude_);
    const double limit = precision_.largest_finite / (in_all > sum.terms_ ? 4 : 1);
    if (!(sum.magnitude_ + error <= limit)) return Ball::Anything();
    return {sum.sum_, sum.radius_ + error};
  }
  /// sum + addend, where `sum` is what MatrixProduct or Finish made of `terms` terms, and the one
  /// addend may come anywhere among them: implementations often start a sum with the bias.
  Ball AddToSum(const Ball& sum, const Ball& addend, size_t terms) const {
    const Ball total = Add(sum, addend);
    const double reach = std::abs(addend.midpoint) + addend.radius;
    const double error = (static_cast<double>(terms) + 1) * precision_.sum_roundoff * reach;
    if (!total.IsBounded() || !std::isfinite(total.midpoint) || error == 0) return total;
    return {total.midpoint, total.radius + error * (1 + 0x1p-50)};
  }
  Truth Less(const Ball& x, const Ball& y) const {
    if (!x.IsBounded() || !y.IsBounded()) return Truth::kUndecided;
    if (x.IsExact() && y.IsExact()) return ToTruth(x.midpoint < y.midpoint);
    if (x.Upper() < y.Lower()) return Truth::kTrue;
    if (x.Lower() >= y.Upper()) return Truth::kFalse;
    return Truth::kUndecided;
  }
  Truth LessOrEqual(const Ball& x, const Ball& y) const {
    if (!x.IsBounded() || !y.IsBounded()) return Truth::kUndecided;
    if (x.IsExact() && y.IsExact()) return ToTruth(x.midpoint <= y.midpoint);
    if (x.Upper() <= y.Lower()) return Truth::kTrue;
    if (x.Lower() > y.Upper()) return Truth::kFalse;
    return Truth::kUndecided;
  }
  Truth Equal(const Ball& x, const Ball& y) const {
    if (!x.IsBounded() || !y.IsBounded()) return Truth::kUndecided;
    if (x.IsExact() && y.IsExact()) return ToTruth(x.midpoint == y.midpoint);
    if (x.Upper() < y.Lower() || y.Upper() < x.Lower()) return Truth::kFalse;
    return Truth::kUndecided;
  }
  /// x or y by `condition`; both when that is undecided.
  Ball Select(Truth condition, const Ball& x, const Ball& y) const {
    if (condition == Truth::kUndecided) return Hull(x, y);
    return condition == Truth::kTrue ? x : y;
  }
  /// x with the error of up to `roundings` roundings of numbers of the size of `magnitude`.
  Ball Loosen(const Ball& x, const Ball& magnitude, size_t roundings) const {
    if (!x.IsBounded() || !magnitude.IsBounded()) return Ball::Anything();
    const double reach = std::abs(magnitude.midpoint) + magnitude.radius;
    const double relative = static_cast<double>(roundings) * precision_.unit_roundoff;
    const double error = relative * (1 + relative) * (reach + precision_.underflow);
    if (!std::isfinite(x.midpoint) || !std::isfinite(error)) return Ball::Anything();
    return {x.midpoint, x.radius + error};
  }
  /// Both: an implementation may compute either.
  Ball EitherOf(const Ball& preferred, const Ball& alternative) const {
    return Hull(preferred, alternative);
  }
  /// Encloses left * transpose(right), each element as FinishPart does; see MatrixProductSizes.
  void MatrixProduct(const MatrixProductSizes& sizes, const Ball* left, const Matrix<Ball>& right,
                     Ball* result) const {
    if (fast_ == nullptr) return MultiplyMatrices(*this, sizes, left, right, result);
    fast_->multiply_balls(sizes, precision_, left, right, result);
  }
  /// As of RealArithmetic; there are no fast functions on balls.
  bool FastTanh(size_t /*count*/, Ball* /*numbers*/) const { return false; }
  bool FastLogistic(size_t /*count*/, Ball* /*numbers*/) const { return false; }

 private:
  static constexpr Ball kNotANumber = {std::numeric_limits<double>::quiet_NaN(), 0};

  // How far a product of numbers in the balls may be from the product of the midpoints.
  static double ProductSpread(const Ball& x, const Ball& y) {
    // Infinity times a radius of zero would be NaN.
    if (x.IsExact() && y.IsExact()) return 0;
    return std::abs(x.midpoint) * y.radius + x.radius * (std::abs(y.midpoint) + y.radius);
  }

  // Whether neither is an infinity or NaN.
  static bool AreFinite(const Ball& x, const Ball& y) {
    return std::isfinite(x.midpoint) && std::isfinite(y.midpoint);
  }

  // A result with `roundings` roundings, of which `midpoint` is the exact value up to double
  // rounding. `has_finite_operands` tells an overflow from an infinity that came in.
  Ball Rounded(double midpoint, double radius, bool has_finite_operands,
               double roundings = 1) const {
    if (!std::isfinite(midpoint) || !std::isfinite(radius)) {
      return radius == 0 && !has_finite_operands ? Ball{midpoint, 0} : Ball::Anything();
    }
    const double reach = std::abs(midpoint) + radius;
    // A result that is exactly zero is zero in every floating-point system.
    if (reach == 0) return {midpoint, 0};
    const double loss =
        roundings * (precision_.unit_roundoff + 0x1p-50) * reach + precision_.underflow;
    if (!(reach + loss <= precision_.largest_finite)) return Ball::Anything();
    return {midpoint, radius + loss};
  }

  // An increasing function of x, with `relative_ulps` and `absolute_ulps` granted.
  template <class F>
  Ball Monotonic(const Ball& x, double relative_ulps, double absolute_ulps, F function) const {
    if (!x.IsBounded()) return Ball::Anything();
    const Ball image = x.IsExact() ? Ball{function(x.midpoint), 0}
                                   : Ball::FromBounds(function(x.Lower()), function(x.Upper()));
    if (!image.IsBounded()) return Ball::Anything();
    // An infinity of finite operands is an overflow.
    if (std::isinf(image.midpoint)) return x.IsExactSpecial() ? image : Ball::Anything();
    if (std::isnan(image.midpoint)) return image;
    const double reach = std::abs(image.midpoint) + image.radius;
    double loss = 0;
    if (relative_ulps != 0 || absolute_ulps != 0) {
      // A unit in the last place is at most twice the unit roundoff.
      const double unit = 2 * precision_.unit_roundoff + 0x1p-50;
      loss = relative_ulps * unit * reach + absolute_ulps * unit + precision_.underflow;
    }
    if (!(reach + loss <= precision_.largest_finite)) return Ball::Anything();
    return {image.midpoint, image.radius + loss};
  }

  // An increasing function that is defined for positive numbers alone: NaN for negative ones, and
  // anything where x may be zero, or be flushed to zero.
  template <class F>
  Ball MonotonicOfPositive(const Ball& x, double relative_ulps, double absolute_ulps,
                           F function) const {
    if (x.Upper() <= -precision_.underflow) return kNotANumber;
    if (x.Lower() < precision_.underflow) return Ball::Anything();
    return Monotonic(x, relative_ulps, absolute_ulps, function);
  }

  // `base` to the power `exponent`, where no number in the base can be flushed to zero.
  Ball PowerOfPositive(const Ball& base, const Ball& exponent) const;
  // `base` to the power `exponent`, where one of them is an infinity or NaN.
  static Ball PowerOfSpecials(const Ball& base, const Ball& exponent);

  Precision precision_;
  const FastFunctions* fast_;
};

inline Ball BallArithmetic::Sin(const Ball& x) const {
  constexpr double kPi = 3.141592653589793;
  if (!x.IsBounded()) return Ball::Anything();
  if (!std::isfinite(x.midpoint)) return kNotANumber;
  const double reach = std::abs(x.midpoint) + x.radius;
  double spread = x.radius;
  // 2^-50 is for the roundings of a double, of the ends below and of pi.
  if (reach > kPi / 4) spread += (2 * precision_.unit_roundoff + 0x1p-50) * reach;
  double lowest = -1;
  double highest = 1;
  if (spread < kPi) {
    const double first = x.midpoint - spread;
    const double last = x.midpoint + spread;
    // Whether `angle` plus a multiple of 2 pi is between the ends.
    const auto passes = [&](double angle) {
      return std::floor((last - angle) / (2 * kPi)) > std::floor((first - angle) / (2 * kPi));
    };
    if (!passes(-kPi / 2)) lowest = std::min(std::sin(first), std::sin(last));
    if (!passes(kPi / 2)) highest = std::max(std::sin(first), std::sin(last));
  }
  const Ball range = Ball::FromBounds(lowest, highest);
  const double unit = 2 * precision_.unit_roundoff + 0x1p-50;
  const double loss =
      kFunctionUlps * unit * (std::abs(range.midpoint) + range.radius + 1) + precision_.underflow;
  return {range.midpoint, range.radius + loss};
}

inline Ball BallArithmetic::Power(const Ball& base, const Ball& exponent) const {
  if (!base.IsBounded() || !exponent.IsBounded()) return Ball::Anything();
  if (!AreFinite(base, exponent)) return PowerOfSpecials(base, exponent);
  if (base.Lower() >= precision_.underflow) return PowerOfPositive(base, exponent);
  const bool is_integer = exponent.IsExact() && std::floor(exponent.midpoint) == exponent.midpoint;
  const bool is_odd = is_integer && std::fmod(exponent.midpoint, 2) != 0;
  if (base.Upper() <= -precision_.underflow) {
    if (is_integer) {
      const Ball power = PowerOfPositive(Negate(base), exponent);
      return is_odd ? Negate(power) : power;
    }
    const bool may_be_integer = std::floor(exponent.Upper()) >= std::ceil(exponent.Lower());
    return may_be_integer ? Ball::Anything() : kNotANumber;
  }
  // The base may be zero, or be flushed to it.
  if (!(exponent.Lower() >= precision_.underflow)) return Ball::Anything();
  if (base.IsExact() && base.midpoint == 0) return {0, 0};
  if (base.Lower() < 0 && !is_integer) return Ball::Anything();
  // The greatest power of a number of up to `magnitude`; infinite when there is none.
  const auto greatest_power = [&](double magnitude) {
    return PowerOfPositive({std::max(magnitude, precision_.underflow), 0}, exponent).Upper();
  };
  const double of_upper = greatest_power(base.Upper());
  if (base.Lower() >= 0) return Ball::FromBounds(0, of_upper);
  const double of_lower = greatest_power(-base.Lower());
  if (is_odd) return Ball::FromBounds(-of_lower, of_upper);
  return Ball::FromBounds(0, std::max(of_lower, of_upper));
}

inline Ball BallArithmetic::PowerOfPositive(const Ball& base, const Ball& exponent) const {
  const Ball logarithm = Log(base);
  const double product = exponent.midpoint * logarithm.midpoint;
  // So far below the range that it is zero, though the product itself may be beyond the range.
  if (product + ProductSpread(exponent, logarithm) < -precision_.largest_finite / 2) {
    return {0, precision_.underflow};
  }
  const Ball power = Exp(Multiply(exponent, logarithm));
  // It may also be the reciprocal of the power of the other sign, which may be flushed to zero.
  const bool may_be_reciprocal = exponent.Lower() < 0;
  if (may_be_reciprocal && power.Upper() * precision_.underflow > 1) return Ball::Anything();
  return power;
}

inline Ball BallArithmetic::PowerOfSpecials(const Ball& base, const Ball& exponent) {
  if (!base.IsExact() || !exponent.IsExact()) return Ball::Anything();
  const double x = base.midpoint;
  const double y = exponent.midpoint;
  // pow(1, NaN) and pow(NaN, 0) are 1 in C, where exp(y * log(x)) is NaN.
  if (x == 1 || y == 0) return Ball::Anything();
  if (std::isnan(x) || std::isnan(y)) return kNotANumber;
  // A logarithm of what is not positive is an infinity or NaN already.
  return x > 0 ? Ball{std::pow(x, y), 0} : Ball::Anything();
}

/// x limited to [lower, upper].
template <class A>
typename A::Number Clamp(const A& arithmetic, const typename A::Number& x, double lower,
                         double upper) {
  return arithmetic.Min(arithmetic.Max(x, arithmetic.Constant(lower)), arithmetic.Constant(upper));
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_NUMBER_ARITHMETIC_H_
