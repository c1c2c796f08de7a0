// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of timing: what a driver of 1.2 says of how long executions took.

#ifndef NNCERT_HAL_TESTS_SUITES_TIMING_H_
#define NNCERT_HAL_TESTS_SUITES_TIMING_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each rule about timing.
std::vector<Check> TimingChecks();

/// A test for each case, TimingTest.NAME: its first request is executed in every way that has
/// timing, with it and without, and fails for want of room, where it can. None on a device before
/// 1.2, which has no timing.
std::vector<std::unique_ptr<SuiteTest>> MakeTimingTests(absl::Span<const CaseInMode> cases,
                                                        hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_TIMING_H_
