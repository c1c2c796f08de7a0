// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of invalid requests: each case's request is broken in every way that there is, and the
// prepared model has to refuse it.

#ifndef NNCERT_HAL_TESTS_SUITES_VALIDATE_REQUEST_H_
#define NNCERT_HAL_TESTS_SUITES_VALIDATE_REQUEST_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each of RequestMutationFamilies, and one that valid requests are still executed.
std::vector<Check> RequestChecks();

/// A test for each case, which has its model prepared and sends mutants of its first request in
/// every way that a device of `version` executes: ValidationTest.NAME. Cases whose model is invalid
/// at `version`, or whose execution is to fail, have none.
///
/// Launch and callback have to say INVALID_ARGUMENT, without output shapes and times; afterwards
/// the valid request has to be executed all the same. Mutants are thinned out as those of models
/// are: see MakeModelTests.
std::vector<std::unique_ptr<SuiteTest>> MakeRequestTests(absl::Span<const CaseInMode> cases,
                                                         hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_VALIDATE_REQUEST_H_
