// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How right a driver is on a benchmark, beside baselines on the same sequences.

#ifndef NNCERT_MLTS_MEASURING_ACCURACY_H_
#define NNCERT_MLTS_MEASURING_ACCURACY_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "harness/isolation/driver_session.h"
#include "mlts/data_sets/benchmark.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/results/results.h"

namespace nncert {

/// A driver that computes results.
struct ComputingDriver {
  std::string name;
  DriverSession* session = nullptr;
};

/// How much is computed, and who hears of it.
struct AccuracyOptions {
  /// How many sequences at the most, the first ones; 0 for all.
  size_t samples = 0;
  /// Inferences with other inputs to keep of each driver, for timing.
  size_t kept_inferences = 8;
  absl::Duration deadline = kDefaultDeadline;
  /// Told the share of the sequences that are done; whether to go on. May be null.
  std::function<bool(double share)> on_progress;
};

/// What came of it.
struct AccuracyMeasurement {
  /// The driver first, then the baselines that took the network.
  std::vector<AccuracyResult> results;
  /// The driver against the first baseline, if that took the network.
  std::optional<PairedComparison> comparison;
  /// Top-1 against the first baseline, golden outputs, MLTS's thresholds.
  std::vector<CheckResult> checks;
  /// Of each of `results`, some inferences whose answers differ from each other.
  std::vector<std::vector<Inference>> inferences;
  /// The driver's inference that is furthest from that of the first baseline, one that cost it a
  /// right answer rather than another.
  std::optional<Inference> furthest;
  /// Sequences that could not be read, and what became of baselines that do not take the network.
  std::vector<std::string> problems;
};

/// Runs the sequences of a benchmark on all drivers, the first of which is under test; the first
/// baseline is the reference. Fails as NetworkOnDriver's methods do when the first driver does
/// something wrong, with InvalidArgument when no sequence can be read or compared, with Cancelled
/// when `on_progress` says so.
///
/// The check of top-1 fails when the driver is right on fewer sequences than the baseline, and
/// chance alone would make such a difference in one of a hundred runs at the most (McNemar).
absl::StatusOr<AccuracyMeasurement> MeasureAccuracy(const Benchmark& benchmark,
                                                    const NetworkArguments& arguments,
                                                    absl::Span<const ComputingDriver> drivers,
                                                    const AccuracyOptions& options);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_ACCURACY_H_
