// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of determinism: a request gives the same bytes, however often and in whatever way it is
// executed, and whatever was in memory before.

#ifndef NNCERT_HAL_TESTS_SUITES_DETERMINISM_H_
#define NNCERT_HAL_TESTS_SUITES_DETERMINISM_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each thing that results must not depend on.
std::vector<Check> DeterminismChecks();

/// A test for each case, DeterminismTest.NAME: its first request is executed three times in every
/// way that a device of `version` has, without timing, and once on a model that was prepared again.
/// Cases whose outputs the documentation leaves to chance have none.
std::vector<std::unique_ptr<SuiteTest>> MakeDeterminismTests(absl::Span<const CaseInMode> cases,
                                                             hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_DETERMINISM_H_
