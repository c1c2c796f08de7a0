// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of invalid models: each case's model is broken in every way that there is, and the
// driver has to refuse it.

#ifndef NNCERT_HAL_TESTS_SUITES_VALIDATE_MODEL_H_
#define NNCERT_HAL_TESTS_SUITES_VALIDATE_MODEL_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each of ModelMutationFamilies.
std::vector<Check> ModelChecks();

/// A test for each case, which sends the driver mutants of its model by the methods of `version`:
/// ValidationTest.NAME. Where that is a later version than the case takes, there is another one by
/// the methods of the case's own: ValidationTestV1_0.NAME. Cases whose model is invalid at
/// `version` have none.
///
/// getSupportedOperations has to end with INVALID_ARGUMENT; prepareModel has to return it, and call
/// its callback once, with INVALID_ARGUMENT and null. Mutants that the reference's validation
/// accepts are not sent, but counted as skipped.
///
/// A mutation whose kind (ModelMutation::kind) an earlier test has had is left out; but each test
/// has a few of them all the same, so that none is empty.
std::vector<std::unique_ptr<SuiteTest>> MakeModelTests(absl::Span<const CaseInMode> cases,
                                                       hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_VALIDATE_MODEL_H_
