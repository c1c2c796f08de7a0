// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite `basic`: what a device says of itself.

#ifndef NNCERT_HAL_TESTS_SUITES_BASIC_H_
#define NNCERT_HAL_TESTS_SUITES_BASIC_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// The checks of the suite: one for each call that asks about the device, and one for all of them
/// giving the same answers ever again.
std::vector<Check> BasicChecks();

/// A test of each check that a device of `version` has the call for. Cases are not looked at.
std::vector<std::unique_ptr<SuiteTest>> MakeBasicTests(absl::Span<const CaseInMode> cases,
                                                       hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_BASIC_H_
