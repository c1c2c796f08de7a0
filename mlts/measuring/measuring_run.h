// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A whole run: a driver on many benchmarks.

#ifndef NNCERT_MLTS_MEASURING_MEASURING_RUN_H_
#define NNCERT_MLTS_MEASURING_MEASURING_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/driver_names.h"
#include "mlts/measuring/benchmark_run.h"
#include "mlts/measuring/benchmark_source.h"
#include "mlts/measuring/measured_driver.h"
#include "mlts/results/results.h"

namespace nncert {

/// What results call the reference driver.
inline constexpr char kReferenceName[] = "reference";
/// The driver that stands in for TensorFlow Lite on the CPU, which computes by it.
inline constexpr char kCpuName[] = "xnnpack";

/// How far a run is.
struct RunProgress {
  /// Benchmarks that have ended, and how many there are.
  size_t done = 0;
  size_t total = 0;
  /// The benchmark under way, and what is measured of it.
  std::string benchmark;
  MeasuringStep step;
  /// How long the rest will take if it goes on as it did; nothing while that cannot be said.
  std::optional<absl::Duration> left;
};

/// How a run is done.
struct MeasuringRunOptions {
  NamedDriver driver;
  Isolation isolation = Isolation::kPinned;
  /// The memory that a process of a driver may have, see DriverProcessOptions.
  uint64_t memory = DefaultDriverMemory();
  MeasuringOptions measuring;
  /// The command line, for the results.
  std::string command;
  /// Told how far the run is; whether to go on. May be null.
  std::function<bool(const RunProgress& progress)> on_progress;
  /// Told the results so far when a benchmark, the last of them, has ended. May be null.
  std::function<void(const MltsResults& so_far)> on_benchmark;
};

/// The baselines for a driver: the reference, and xnnpack unless it is the driver. Fails as
/// FindDriver does.
absl::StatusOr<std::vector<std::unique_ptr<MeasuredDriver>>> BaselinesFor(const NamedDriver& driver,
                                                                          Isolation isolation,
                                                                          absl::Duration deadline,
                                                                          uint64_t memory);

/// Measures a driver on benchmarks, one after the other, and what it claims of its speed: its time
/// as a multiple of xnnpack's on networks that this takes, else of the reference's
/// (RatioOfComputing). Fails as OpenDriver does when the driver cannot be opened at first; whatever
/// comes later is in the results.
absl::StatusOr<MltsResults> MeasureDriver(const MeasuringRunOptions& options,
                                          absl::Span<const BenchmarkSource> sources);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_MEASURING_RUN_H_
