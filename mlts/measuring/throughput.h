// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How many inferences come of several clients at once.

#ifndef NNCERT_MLTS_MEASURING_THROUGHPUT_H_
#define NNCERT_MLTS_MEASURING_THROUGHPUT_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mlts/measuring/latency.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/measuring/timing_plan.h"
#include "mlts/results/results.h"

namespace nncert {

/// What came of it.
struct ThroughputMeasurement {
  /// By number of threads.
  std::vector<ThroughputResult> results;
  /// How the answers compare with those without a clock.
  TimedAnswers answers;
};

/// Measures the throughput of one prepared network with each number of TimingPlan::threads, each
/// thread executing one request after the other for TimingPlan::time / 2. The session should be one
/// whose process may use every processor. Fails as NetworkOnDriver's methods do.
absl::StatusOr<ThroughputMeasurement> MeasureThroughput(const NetworkArguments& arguments,
                                                        const TimedDriver& driver,
                                                        const TimingPlan& plan,
                                                        absl::Duration deadline);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_THROUGHPUT_H_
