// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the bundled cases on the faulty driver, each fault in a process of its own.

#ifndef NNCERT_DRIVERS_FAULTY_KILL_RUN_H_
#define NNCERT_DRIVERS_FAULTY_KILL_RUN_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "drivers/faulty/foreseen_tests.h"
#include "drivers/faulty/readme.h"

namespace nncert::faulty {

/// Cases for rules that no bundled case tells from none: called by their names, and run in the
/// static mode alone.
std::vector<TestCase> OwnCases();

/// The tests of the case files in folders in both modes, the static ones first, and those of
/// OwnCases at the end. Fails when a file cannot be read.
absl::StatusOr<std::vector<Test>> LoadTests(absl::Span<const std::string> folders);

/// Whether a test is one of OwnCases.
bool IsOwn(const Test& test);

/// The tests that a fault is run on, which stay where they are.
using TestsForFault = std::function<absl::Span<const Test>(const std::string& fault)>;

/// Runs tests on the driver with each of several faults, `jobs` of them at a time. The driver and
/// the harness are in a process of their own, a copy of this one: a crash of it is the verdict
/// CRASH. To be called while there is no other thread. `done` is called with each kill, in the
/// order of the faults. Fails with the first error.
///
/// Own cases are run when no test of the suite fails. Faults that are not about operations bite
/// alike in every model, so the run stops at the first failure; those that end or stall processes
/// have two seconds for a call. A test whose outputs the fault does not change is not run. A fault
/// that no case shows (Rule::passes) is run once. One that the driver cannot be opened with counts
/// as found by the first test.
absl::StatusOr<std::vector<Kill>> RunFaultsApart(const std::vector<std::string>& faults,
                                                 const TestsForFault& tests_for, size_t jobs,
                                                 const std::function<void(const Kill& kill)>& done);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_KILL_RUN_H_
