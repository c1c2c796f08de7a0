// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What preparing a network takes, with a cache and without.

#ifndef NNCERT_MLTS_MEASURING_COMPILATION_H_
#define NNCERT_MLTS_MEASURING_COMPILATION_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "mlts/measuring/latency.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/measuring/timing_plan.h"
#include "mlts/results/results.h"

namespace nncert {

/// What came of it.
struct CompilationMeasurement {
  CompilationResult result;
  /// "network from the cache": whether it gives what the prepared one gives. NOT_RUN when the
  /// driver does not cache.
  CheckResult check;
};

/// Has a driver prepare a network TimingPlan::preparations times: without a cache, saving it to new
/// files, and from files that it saved. The time is that until the callback is called. Fails with
/// what StatusOfProblem says; a cache that the driver cannot use fails the check alone.
absl::StatusOr<CompilationMeasurement> MeasureCompilation(const NetworkArguments& arguments,
                                                          const TimedDriver& driver,
                                                          const TimingPlan& plan,
                                                          absl::Duration deadline);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_COMPILATION_H_
