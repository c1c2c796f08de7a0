// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of memory: arguments and constants in every kind of pool, however many there are and
// wherever in them they lie.

#ifndef NNCERT_HAL_TESTS_SUITES_MEMORY_H_
#define NNCERT_HAL_TESTS_SUITES_MEMORY_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each arrangement of arguments and of constants, and for what must not be written.
std::vector<Check> MemoryChecks();

/// A test for each case, MemoryTest.NAME: its first request is executed in every arrangement of
/// memory that a device of `version` knows, in one way of executing, which depends on the name. The
/// model is prepared with its constants in every arrangement in the first test of each kind: the
/// same operations on the same types. Results have to be those in ordinary memory, bit by bit.
std::vector<std::unique_ptr<SuiteTest>> MakeMemoryTests(absl::Span<const CaseInMode> cases,
                                                        hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITES_MEMORY_H_
