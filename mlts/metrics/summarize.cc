// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/summarize.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "mlts/metrics/intervals.h"

namespace nncert {
namespace {

// The most quantiles that TimeStatistics may have.
constexpr size_t kMostQuantiles = 200;

Estimate Percentile(const std::vector<double>& sorted, double p) {
  Estimate estimate = QuantileOf(sorted, p);
  estimate.low = std::max(estimate.low, 0.0);
  return estimate;
}

// As many of `sorted` as TimeStatistics may have: each stands for an equal share of them.
std::vector<double> EquallyLikely(const std::vector<double>& sorted) {
  if (sorted.size() <= kMostQuantiles) return sorted;
  std::vector<double> quantiles;
  for (size_t i = 0; i < kMostQuantiles; ++i) {
    quantiles.push_back(sorted[(2 * i + 1) * sorted.size() / (2 * kMostQuantiles)]);
  }
  return quantiles;
}

}  // namespace

TimeStatistics Summarize(std::vector<double> microseconds) {
  TimeStatistics statistics;
  if (microseconds.empty()) return statistics;
  std::sort(microseconds.begin(), microseconds.end());
  const double count = static_cast<double>(microseconds.size());
  statistics.count = microseconds.size();
  statistics.minimum = microseconds.front();
  statistics.maximum = microseconds.back();
  for (const double time : microseconds) statistics.mean += time / count;
  if (microseconds.size() > 1) {
    double squares = 0;
    for (const double time : microseconds) {
      squares += (time - statistics.mean) * (time - statistics.mean);
    }
    statistics.deviation = std::sqrt(squares / (count - 1));
  }
  statistics.p50 = Percentile(microseconds, 0.50);
  statistics.p90 = Percentile(microseconds, 0.90);
  statistics.p95 = Percentile(microseconds, 0.95);
  statistics.p99 = Percentile(microseconds, 0.99);
  statistics.quantiles = EquallyLikely(microseconds);
  return statistics;
}

}  // namespace nncert
