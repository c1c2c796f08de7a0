// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of calls that a driver gets at the same time.

#ifndef NNCERT_HAL_TESTS_SUITES_CONCURRENCY_H_
#define NNCERT_HAL_TESTS_SUITES_CONCURRENCY_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each way in which calls of a driver come together.
std::vector<Check> ConcurrencyChecks();

/// A test for each operation, type of the first input and mode: ConcurrencyTest.NAME, of the
/// largest case that there is. It has the largest one that the driver supports executed alone, on
/// several inputs, and makes every check with it and cases of the kinds that follow: whatever
/// happens at the same time, each execution has to give the same, bit by bit. Cases that are not
/// executable (see IsExecutable), or whose outputs are samples, have none.
std::vector<std::unique_ptr<SuiteTest>> MakeConcurrencyTests(absl::Span<const CaseInMode> cases,
                                                             hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_CONCURRENCY_H_
