// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How long an inference takes, in every way of executing.
//
// Drivers are measured by turns, each for a fraction of the time, so that whatever else the machine
// does meets all of them. The clock is monotonic, runs from the call until its result is there, and
// stands still while requests are put back and answers compared.

#ifndef NNCERT_MLTS_MEASURING_LATENCY_H_
#define NNCERT_MLTS_MEASURING_LATENCY_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "harness/isolation/driver_session.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/measuring/timed_requests.h"
#include "mlts/measuring/timing_plan.h"
#include "mlts/results/results.h"

namespace nncert {

/// A driver that is to be timed on a network.
struct TimedDriver {
  std::string name;
  /// Called from the thread that measures.
  DriverSession* session = nullptr;
  /// Inferences with the answers that this driver gives when it is not timed, at least one; see
  /// DistinctInferences.
  std::vector<Inference> inferences;
};

/// What came of it.
struct LatencyMeasurement {
  /// By way of executing, and within one in the order of the drivers.
  std::vector<LatencyResult> results;
  /// See BenchmarkResult::call_time.
  std::optional<Estimate> call_time;
  /// How the answers of the first driver compare with those that it gives when it is not timed.
  TimedAnswers answers;
  /// Of the first driver: "driver-reported timing", "new inputs" and "steady latency".
  std::vector<CheckResult> checks;
  /// Why a driver other than the first was not measured.
  std::vector<std::string> problems;
};

/// Measures drivers, the first of which is under test and the others are baselines. Devices before
/// HAL 1.2 have one way of executing; a network is prepared anew for each. Fails as
/// NetworkOnDriver's methods do when the first driver does something wrong.
///
/// The driver is asked to measure its own time (MeasureTiming) in every other round of the
/// requests. It must not report more than passed by our clock, nor more on the device than in the
/// driver. Latency is steady unless, from turn to turn, the ratio of its shortest times to the
/// first baseline's grows by a fifth or more, beyond its interval, and still does with as many
/// turns more, in which it goes on to grow, or the driver's own times do so beyond their interval.
/// What seems to grow, or may be twice as slow by its interval, is looked at up to five times; the
/// check is NOT_RUN when that leaves it open still. Inputs that were not seen before may take half
/// as long again as one that was, beyond the interval of the ratio of medians, in two looks.
absl::StatusOr<LatencyMeasurement> MeasureLatency(const NetworkArguments& arguments,
                                                  absl::Span<const TimedDriver> drivers,
                                                  const TimingPlan& plan, absl::Duration deadline);

/// The check of answers: nothing wrong among them; NOT_RUN when there were none.
CheckResult CheckTimedAnswers(const TimedAnswers& answers, size_t inferences);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_LATENCY_H_
