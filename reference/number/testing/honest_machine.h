// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Implementations that are honest by the model of Precision, for tests of the enclosures: they
// round every operation correctly, flush subnormal numbers or not, and add in various orders.

#ifndef NNCERT_REFERENCE_NUMBER_TESTING_HONEST_MACHINE_H_
#define NNCERT_REFERENCE_NUMBER_TESTING_HONEST_MACHINE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hal/float16.h"
#include "random/split_mix.h"
#include "reference/number/arithmetic.h"
#include "reference/number/ball.h"
#include "reference/number/precision.h"

namespace nncert {

/// Random numbers for tests.
using TestRandom = SplitMix64;

/// In which order a machine adds the terms of a sum.
enum class SumOrder { kForward, kBackward, kPairwise, kFourLanes, kFused, kLargestFirst };

inline constexpr SumOrder kSumOrders[] = {SumOrder::kForward,  SumOrder::kBackward,
                                          SumOrder::kPairwise, SumOrder::kFourLanes,
                                          SumOrder::kFused,    SumOrder::kLargestFirst};

/// A machine with IEEE 754 binary32 or binary16 arithmetic. Numbers are passed as doubles that the
/// machine's format holds.
class HonestMachine {
 public:
  HonestMachine(bool is_half, bool flushes) : is_half_(is_half), flushes_(flushes) {}

  const Precision& precision() const { return is_half_ ? kFloat16Precision : kFloat32Precision; }
  std::string name() const {
    return std::string(is_half_ ? "binary16" : "binary32") + (flushes_ ? " with flushing" : "");
  }

  /// The number of the format nearest to `value`. Rounding a result of one operation twice, first
  /// to a double, is the same as rounding it once, for 53 >= 2 * 24 + 2 (Figueroa 1995).
  double Round(double value) const {
    const double rounded = is_half_ ? hal::Float16ToDouble(hal::DoubleToFloat16(value))
                                    : static_cast<double>(static_cast<float>(value));
    const bool is_subnormal = std::abs(rounded) < precision().underflow;
    return flushes_ && is_subnormal ? 0 : rounded;
  }

  double Add(double x, double y) const { return Round(Round(x) + Round(y)); }
  double Subtract(double x, double y) const { return Round(Round(x) - Round(y)); }
  double Multiply(double x, double y) const { return Round(Round(x) * Round(y)); }
  double Divide(double x, double y) const { return Round(Round(x) / Round(y)); }
  /// As a product with the reciprocal.
  double DivideByReciprocal(double x, double y) const { return Multiply(x, Divide(1, y)); }
  double Sqrt(double x) const { return Round(std::sqrt(Round(x))); }
  double Exp(double x) const { return Round(std::exp(Round(x))); }

  /// The sum of x[i] * y[i].
  double DotProduct(const std::vector<double>& x, const std::vector<double>& y,
                    SumOrder order) const {
    if (order == SumOrder::kFused) {
      double sum = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        // Exact enough in long double to be rounded once.
        const long double product = static_cast<long double>(Round(x[i])) * Round(y[i]);
        sum = Round(static_cast<double>(product + sum));
      }
      return sum;
    }
    std::vector<double> terms(x.size());
    for (size_t i = 0; i < x.size(); ++i) terms[i] = Multiply(x[i], y[i]);
    return Sum(std::move(terms), order);
  }

  /// The sum of `terms`.
  double Sum(std::vector<double> terms, SumOrder order) const {
    switch (order) {
      case SumOrder::kForward:
      case SumOrder::kFused:
        break;
      case SumOrder::kBackward:
        std::reverse(terms.begin(), terms.end());
        break;
      case SumOrder::kLargestFirst:
        std::sort(terms.begin(), terms.end(),
                  [](double a, double b) { return std::abs(a) > std::abs(b); });
        break;
      case SumOrder::kPairwise:
        return PairwiseSum(terms, 0, terms.size());
      case SumOrder::kFourLanes: {
        std::vector<double> lanes(4, 0.0);
        for (size_t i = 0; i < terms.size(); ++i) lanes[i % 4] = Add(lanes[i % 4], terms[i]);
        return Add(Add(lanes[0], lanes[2]), Add(lanes[1], lanes[3]));
      }
    }
    double sum = 0;
    for (const double term : terms) sum = Add(sum, term);
    return sum;
  }

 private:
  double PairwiseSum(const std::vector<double>& terms, size_t first, size_t end) const {
    if (first == end) return 0;
    if (end - first == 1) return Round(terms[first]);
    const size_t middle = first + (end - first) / 2;
    return Add(PairwiseSum(terms, first, middle), PairwiseSum(terms, middle, end));
  }

  bool is_half_;
  bool flushes_;
};

/// The four machines.
inline std::vector<HonestMachine> HonestMachines() {
  return {{false, false}, {false, true}, {true, false}, {true, true}};
}

/// A number that a machine holds, and a ball that stands for it: exact, or around another number.
struct Sample {
  double value;
  Ball ball;
};

/// A ball of at least `radius` around `midpoint` that truly holds `value`.
inline Ball Around(double midpoint, double radius, double value) {
  const double distance = std::max(AddUpwards(value, -midpoint), AddUpwards(midpoint, -value));
  return {midpoint, std::max(radius, distance)};
}

/// A number with an exponent in [lowest, highest] in any of the ways to stand for it.
inline Sample RandomSample(const HonestMachine& machine, TestRandom& random, int lowest,
                           int highest) {
  const double value = machine.Round(random.WithExponent(lowest, highest));
  if (random.Bits() % 3 == 0) return {value, Held(value, machine.precision())};
  const double radius = std::abs(random.WithExponent(lowest - 20, highest - 1));
  // Any midpoint will do whose ball holds the value, its ends included.
  const double offset = random.Bits() % 4 == 0 ? radius : random.Uniform(-radius, radius);
  return {value, Around(value - offset, radius, value)};
}

/// Whether `value`, which is no double, is in the ball.
inline bool ContainsExactly(const Ball& ball, long double value) {
  if (!ball.IsBounded()) return true;
  return std::abs(value - ball.midpoint) <= ball.radius;
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_NUMBER_TESTING_HONEST_MACHINE_H_
