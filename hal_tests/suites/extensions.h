// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite `extensions`: operations and operand types that are not the HAL's.

#ifndef NNCERT_HAL_TESTS_SUITES_EXTENSIONS_H_
#define NNCERT_HAL_TESTS_SUITES_EXTENSIONS_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// The checks of the suite, one for each thing that is not the HAL's.
std::vector<Check> ExtensionChecks();

/// A test of one case for each operation, on a device of 1.2: earlier ones have no extensions.
std::vector<std::unique_ptr<SuiteTest>> MakeExtensionTests(absl::Span<const CaseInMode> cases,
                                                           hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_EXTENSIONS_H_
