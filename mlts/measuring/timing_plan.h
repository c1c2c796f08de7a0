// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// For how long and how often a driver is measured.

#ifndef NNCERT_MLTS_MEASURING_TIMING_PLAN_H_
#define NNCERT_MLTS_MEASURING_TIMING_PLAN_H_

#include <chrono>
#include <cstddef>
#include <vector>

#include "absl/time/time.h"

namespace nncert {

/// How much measuring one figure takes. Both the time and the count are reached, unless `most`
/// is reached before.
struct TimingPlan {
  absl::Duration warm_up = absl::Milliseconds(100);
  absl::Duration time = absl::Milliseconds(500);
  size_t count = 20;
  size_t most = 100'000;
  /// In how many turns drivers are measured against each other, so that what the machine does
  /// meanwhile meets all of them.
  size_t turns = 10;
  /// With how many threads at once throughput is measured.
  std::vector<size_t> threads = {1, 2, 4};
  /// How often a network is prepared, and how often it is loaded and released to find leaks.
  size_t preparations = 10;
  size_t loads = 24;
};

/// The time since `start` by the monotonic clock, in microseconds.
inline double MicrosecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_TIMING_PLAN_H_
