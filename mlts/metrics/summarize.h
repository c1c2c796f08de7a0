// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Times as statistics.

#ifndef NNCERT_MLTS_METRICS_SUMMARIZE_H_
#define NNCERT_MLTS_METRICS_SUMMARIZE_H_

#include <vector>

#include "mlts/results/results.h"

namespace nncert {

/// The statistics of times in microseconds, in any order, each of which is finite. `deviation` is
/// that of a sample (divided by count - 1; 0 of one time). Percentiles are QuantileOf's, whose
/// lower bounds are at least 0, and whose upper bounds are infinite where so few times do not tell.
/// Of no times everything is 0.
TimeStatistics Summarize(std::vector<double> microseconds);

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_SUMMARIZE_H_
