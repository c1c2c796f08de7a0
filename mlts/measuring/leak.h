// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What loading a network again and again leaves behind.

#ifndef NNCERT_MLTS_MEASURING_LEAK_H_
#define NNCERT_MLTS_MEASURING_LEAK_H_

#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "harness/isolation/resource_growth.h"
#include "mlts/measuring/latency.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/measuring/timing_plan.h"
#include "mlts/results/results.h"

namespace nncert {

/// What came of it.
struct LeakMeasurement {
  LeakResult result;
  /// "leaks".
  CheckResult check;
};

/// Loads a network, executes it once and releases it, TimingPlan::loads times and a few times
/// before; `resources` says what the driver's process has after each. A load must not leave
/// anything behind (see GrowingThings); what grows is looked at a second time before it is said,
/// since allocators and caches fill. Fails as NetworkOnDriver's methods do.
absl::StatusOr<LeakMeasurement> MeasureLeak(const NetworkArguments& arguments,
                                            const TimedDriver& driver, const TimingPlan& plan,
                                            absl::Duration deadline,
                                            const std::function<ResourceUse()>& resources);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_LEAK_H_
