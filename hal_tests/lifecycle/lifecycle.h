// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of long sequences of calls on several models.

#ifndef NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_H_
#define NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each kind of call.
std::vector<Check> LifecycleChecks();

/// A test for each of OneOfEachKind: LifecycleTest.NAME, with a sequence of commands
/// (lifecycle_rules.h) on this case and those that follow, made by several threads by turns. It is
/// the same whenever the test is run. Each command has to be answered as the rules have it, and
/// each execution as when the model was executed on that input alone. A sequence that fails is made
/// short: commands are left out as long as the same check fails with the same verdict.
std::vector<std::unique_ptr<SuiteTest>> MakeLifecycleTests(absl::Span<const CaseInMode> cases,
                                                           hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_H_
