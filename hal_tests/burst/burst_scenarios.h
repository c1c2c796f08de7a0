// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a burst is put through that takes more than one packet.

#ifndef NNCERT_HAL_TESTS_BURST_BURST_SCENARIOS_H_
#define NNCERT_HAL_TESTS_BURST_BURST_SCENARIOS_H_

#include "absl/types/span.h"
#include "hal_tests/burst/burst_run.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check that takes more than one packet.
struct BurstScenario {
  Check check;
  /// Makes the check; called with the burst of BurstRun::Begin open.
  BurstRun::Lost (*play)(BurstRun& run);
};

/// Every scenario, in the order in which they are played.
absl::Span<const BurstScenario> BurstScenarios();

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_BURST_BURST_SCENARIOS_H_
