// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/intervals.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "unsupported/Eigen/SpecialFunctions"

namespace nncert {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The probability that an interval misses the true value.
constexpr double kMiss = 0.05;

// The standard normal distribution's quantile at 1 - kMiss / 2.
constexpr double kNormalQuantile = 1.959963984540054;

// The probability that of `trials`, each of which succeeds with probability `p`, at most
// `successes` do: the regularized incomplete beta function I_(1-p)(trials - successes,
// successes + 1) (M. Abramowitz and I. Stegun, 26.5.24).
double BinomialAtMost(double successes, double trials, double p) {
  if (successes < 0) return 0;
  if (successes >= trials) return 1;
  return Eigen::numext::betainc(trials - successes, successes + 1, 1 - p);
}

// What Student's t distribution exceeds, in magnitude, with probability kMiss. Its tails are
// I_x(degrees / 2, 1 / 2) with x = degrees / (degrees + t^2) (M. Abramowitz and I. Stegun, 26.7.1).
double StudentQuantile(double degrees) {
  double low = 0;
  double high = 1;
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (Eigen::numext::betainc(degrees / 2, 0.5, middle) < kMiss ? low : high) = middle;
  }
  return std::sqrt(degrees * (1 - low) / low);
}

// QuantileOf with an interval that misses the true value with probability `miss`.
Estimate Quantile(absl::Span<const double> sorted, double p, double miss) {
  if (sorted.empty()) return {0, -kInfinity, kInfinity};
  const double count = static_cast<double>(sorted.size());
  // The product may be a little more than the whole number that it stands for.
  const double rank = std::clamp(std::ceil(p * count - 1e-9), 1.0, count);

  // The number of values below the quantile is binomial. The lower bound is the highest value, of
  // rank `low`, that is above the quantile with probability miss / 2 at most; 0 for none of them.
  size_t low = 0;
  for (size_t high = sorted.size(); low < high;) {
    const size_t middle = low + (high - low + 1) / 2;
    if (BinomialAtMost(static_cast<double>(middle) - 1, count, p) <= miss / 2) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  // The upper one is the lowest value that is at or below the quantile with that probability at
  // most; one beyond the last stands for none of them.
  size_t upper = 1;
  for (size_t high = sorted.size() + 1; upper < high;) {
    const size_t middle = upper + (high - upper) / 2;
    if (1 - BinomialAtMost(static_cast<double>(middle) - 1, count, p) <= miss / 2) {
      high = middle;
    } else {
      upper = middle + 1;
    }
  }
  return {sorted[static_cast<size_t>(rank) - 1], low == 0 ? -kInfinity : sorted[low - 1],
          upper > sorted.size() ? kInfinity : sorted[upper - 1]};
}

}  // namespace

Estimate ShareOf(uint64_t successes, uint64_t trials) {
  if (trials == 0) return {0, 0, 1};
  const double count = static_cast<double>(trials);
  const double share = static_cast<double>(successes) / count;
  const double square = kNormalQuantile * kNormalQuantile;
  const double middle = (share + square / (2 * count)) / (1 + square / count);
  const double half = kNormalQuantile / (1 + square / count) *
                      std::sqrt(share * (1 - share) / count + square / (4 * count * count));
  // At the ends the formula gives 0 and 1 but for rounding.
  return {share, successes == 0 ? 0 : middle - half, successes == trials ? 1 : middle + half};
}

Estimate DifferenceOfShares(const PairedCounts& counts) {
  const double both = static_cast<double>(counts.both);
  const double first_alone = static_cast<double>(counts.first_alone);
  const double second_alone = static_cast<double>(counts.second_alone);
  const double neither = static_cast<double>(counts.neither);
  const double count = both + first_alone + second_alone + neither;
  if (count == 0) return {0, -1, 1};
  const uint64_t trials = counts.both + counts.first_alone + counts.second_alone + counts.neither;
  const Estimate first = ShareOf(counts.both + counts.first_alone, trials);
  const Estimate second = ShareOf(counts.both + counts.second_alone, trials);

  // The correlation of the two, with Newcombe's correction for continuity.
  const double product = (both + first_alone) * (second_alone + neither) * (both + second_alone) *
                         (first_alone + neither);
  double correlation = 0;
  if (product > 0) {
    double covariance = both * neither - first_alone * second_alone;
    if (covariance > 0) covariance = std::max(covariance - count / 2, 0.0);
    correlation = covariance / std::sqrt(product);
  }
  const auto distance = [correlation](double one, double other) {
    return std::sqrt(std::max(one * one - 2 * correlation * one * other + other * other, 0.0));
  };
  const double difference = (first_alone - second_alone) / count;
  return {difference, difference - distance(first.value - first.low, second.high - second.value),
          difference + distance(first.high - first.value, second.value - second.low)};
}

double McNemarProbability(uint64_t first_alone, uint64_t second_alone) {
  const double count = static_cast<double>(first_alone) + static_cast<double>(second_alone);
  const double fewer = static_cast<double>(std::min(first_alone, second_alone));
  return std::min(2 * BinomialAtMost(fewer, count, 0.5), 1.0);
}

Estimate SlopeOf(absl::Span<const double> values) {
  const double count = static_cast<double>(values.size());
  if (values.size() < 2) return {0, -kInfinity, kInfinity};
  double mean = 0;
  for (const double value : values) mean += value / count;
  const double mean_position = (count - 1) / 2;
  double products = 0;
  double squares = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double position = static_cast<double>(i) - mean_position;
    products += position * (values[i] - mean);
    squares += position * position;
  }
  const double slope = products / squares;
  if (values.size() == 2) return {slope, -kInfinity, kInfinity};
  double residuals = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double position = static_cast<double>(i) - mean_position;
    const double residual = values[i] - mean - slope * position;
    residuals += residual * residual;
  }
  const double half = StudentQuantile(count - 2) * std::sqrt(residuals / (count - 2) / squares);
  return {slope, slope - half, slope + half};
}

Estimate QuantileOf(absl::Span<const double> sorted, double p) {
  return Quantile(sorted, p, kMiss);
}

Estimate RatioOfMedians(absl::Span<const double> sorted, absl::Span<const double> by_sorted) {
  if (sorted.empty() || by_sorted.empty()) return {0, 0, kInfinity};
  const Estimate median = Quantile(sorted, 0.5, kMiss / 2);
  const Estimate by = Quantile(by_sorted, 0.5, kMiss / 2);
  return {median.value / by.value, std::max(median.low, 0.0) / by.high,
          by.low > 0 ? median.high / by.low : kInfinity};
}

}  // namespace nncert
