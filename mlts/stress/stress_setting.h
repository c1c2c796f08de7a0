// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What stress tests work with, and what they come to.

#ifndef NNCERT_MLTS_STRESS_STRESS_SETTING_H_
#define NNCERT_MLTS_STRESS_STRESS_SETTING_H_

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/driver_names.h"
#include "mlts/stress/driver_service.h"
#include "mlts/stress/stress_client.h"
#include "mlts/stress/stress_network.h"

namespace nncert {

/// What a stress test works with.
struct StressSetting {
  NamedDriver driver;
  /// The driver's process, which is this test's own.
  DriverService* service = nullptr;
  /// What networks it has, at least one.
  absl::Span<const StressNetwork> networks;
  ClientCommand client;
  /// The memory that a process of the driver may have, see DriverProcessOptions.
  uint64_t memory = 0;
  /// For how long the test goes on, and how long the driver may take for one call.
  absl::Duration time;
  absl::Duration deadline = kDefaultDeadline;
  /// What is random in a test.
  uint64_t seed = 1;
  /// Where random graphs that fail are written to; empty for nowhere.
  std::string dump_directory;
  /// Whether to go on; asked often, by one thread.
  std::function<bool()> goes_on;
};

/// What a test came to.
struct StressOutcome {
  /// OK, or what the driver did wrong: Unavailable for a crash, DeadlineExceeded for a hang,
  /// anything else for a failure. Unimplemented when nothing could be said.
  absl::Status status;
  /// How often it did what it does, and what a reader should know of that.
  uint64_t rounds = 0;
  std::string detail;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_STRESS_SETTING_H_
