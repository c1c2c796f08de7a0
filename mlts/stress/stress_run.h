// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver under stress: all tests, or some of them, one after the other.

#ifndef NNCERT_MLTS_STRESS_STRESS_RUN_H_
#define NNCERT_MLTS_STRESS_STRESS_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/driver_names.h"
#include "certifying/name_filter.h"
#include "mlts/measuring/benchmark_source.h"
#include "mlts/results/results.h"

namespace nncert {

/// How far a run is.
struct StressProgress {
  /// Tests that have ended, and how many there are.
  size_t done = 0;
  size_t total = 0;
  /// What is under way.
  std::string_view test;
  /// How long the rest takes, if tests keep to their time.
  absl::Duration left;
};

/// How a run is done.
struct StressRunOptions {
  NamedDriver driver;
  /// The memory that a process of the driver may have, see DriverProcessOptions.
  uint64_t memory = DefaultDriverMemory();
  /// For all tests together, in equal parts.
  absl::Duration time = absl::Minutes(4);
  absl::Duration deadline = kDefaultDeadline;
  /// Of everything that is random.
  uint64_t seed = 1;
  /// Which tests.
  NameFilter filter;
  /// What client processes are started by, see ClientCommand::words.
  std::vector<std::string> client;
  /// Where random graphs that fail are written to; empty for nowhere.
  std::string dump_directory;
  /// The command line, for the results.
  std::string command;
  /// Told how far the run is; whether to go on. May be null.
  std::function<bool(const StressProgress& progress)> on_progress;
  /// Told the results so far when a test, the last of them, has ended. May be null.
  std::function<void(const MltsResults& so_far)> on_test;
};

/// What the first of the results is called: whether networks are right before any stress.
inline constexpr char kBeforeStress[] = "before-stress";

/// Has a driver run networks one after the other, and then under each test, with a process of its
/// own for each. What a network cannot be used for is said by the first result. NotFound when the
/// filter leaves no test. Fails as DriverService::Start does when the driver cannot be opened at
/// first; whatever comes later is in the results.
absl::StatusOr<MltsResults> RunStress(const StressRunOptions& options,
                                      absl::Span<const BenchmarkSource> sources);

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_STRESS_RUN_H_
