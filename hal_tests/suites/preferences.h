// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of execution preferences: a model is prepared under each of them, and computes the
// same.

#ifndef NNCERT_HAL_TESTS_SUITES_PREFERENCES_H_
#define NNCERT_HAL_TESTS_SUITES_PREFERENCES_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// That models are prepared, and that results agree.
std::vector<Check> PreferenceChecks();

/// A test for each case, PreferenceTest.NAME. The documentation has one precision for all
/// preferences, and does not say that results have to be the same bit by bit: where they are not,
/// they are judged as those of the specs are. None on a device before 1.1, which has no
/// preferences.
std::vector<std::unique_ptr<SuiteTest>> MakePreferenceTests(absl::Span<const CaseInMode> cases,
                                                            hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_PREFERENCES_H_
