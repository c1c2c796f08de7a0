// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Estimates with the interval that holds the true value in 95 of 100 runs, and exact tests.

#ifndef NNCERT_MLTS_METRICS_INTERVALS_H_
#define NNCERT_MLTS_METRICS_INTERVALS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "mlts/results/results.h"

namespace nncert {

/// How many samples of a pair of drivers were right by which of the two.
struct PairedCounts {
  uint64_t both = 0;
  uint64_t first_alone = 0;
  uint64_t second_alone = 0;
  uint64_t neither = 0;
};

/// The share of `successes` among `trials` with Wilson's score interval (E. B. Wilson 1927). Of no
/// trials, nothing is known: 0 in [0, 1].
Estimate ShareOf(uint64_t successes, uint64_t trials);

/// The difference of the two shares of right samples, first less second, in [-1, 1], with the score
/// interval for paired data (R. G. Newcombe, Statistics in Medicine 17 (1998) 2635-2650, method
/// 10). Of no samples: 0 in [-1, 1].
Estimate DifferenceOfShares(const PairedCounts& counts);

/// McNemar's exact test: the probability of a split at least as uneven as this one were either
/// equally likely, two-sided; 1 of no difference at all.
double McNemarProbability(uint64_t first_alone, uint64_t second_alone);

/// How much `values` rise from each to the next, by least squares, with its interval by Student's t
/// distribution. Of fewer than three values the interval is infinite; of fewer than two the slope
/// is 0.
Estimate SlopeOf(absl::Span<const double> values);

/// The p-quantile, 0 < p < 1, of the distribution that `sorted`, in ascending order and without
/// NaN, comes from: the smallest value with at least a share p at or below it. The interval lies
/// between two of the values, chosen by the binomial distribution, which asks nothing of the
/// distribution (order statistics; see H. A. David, Order Statistics, section 7.1). A bound that so
/// few values do not tell is infinite: the upper one of p = 0.99 asks for 368 of them. Of no
/// values: 0 in an infinite interval.
Estimate QuantileOf(absl::Span<const double> sorted, double p);

/// How many times as large the median of the one is as that of the other, which are positive: each
/// interval at 97.5 percent, so that their quotients hold the true one in 95 of 100 runs
/// (Bonferroni). Both in ascending order. Of no values: 0 in an infinite interval.
Estimate RatioOfMedians(absl::Span<const double> sorted, absl::Span<const double> by_sorted);

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_INTERVALS_H_
