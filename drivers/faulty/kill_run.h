// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the bundled cases on the faulty driver, each fault in a process of its own.

#ifndef NNCERT_DRIVERS_FAULTY_KILL_RUN_H_
#define NNCERT_DRIVERS_FAULTY_KILL_RUN_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "drivers/faulty/readme.h"
#include "drivers/faulty/rule.h"
#include "harness/records/case_result.h"

namespace nncert::faulty {

/// Whether a rule may end or stall the process that the driver is in.
bool EndsProcess(const Rule& rule);

/// Cases for rules that no bundled case tells from none: called by their names, and run in the
/// static mode alone.
std::vector<TestCase> OwnCases();

/// A case to be run in a mode.
struct Test {
  std::shared_ptr<const TestCase> test_case;
  TestMode mode = TestMode::kStatic;
  /// The bytes of all outputs of all examples, one after the other, on the driver without faults.
  std::shared_ptr<const std::vector<std::vector<uint8_t>>> healthy;
  /// "GeneratedTests.conv_2d"; see Kill::witness.
  std::string name;
};

/// The tests of the case files in a folder in both modes, the static ones first, and those of
/// OwnCases at the end. Fails when a file cannot be read.
absl::StatusOr<std::vector<Test>> LoadTests(const std::string& folder);

/// Runs tests on the driver with a fault. The driver and the harness are in a process of their own,
/// a copy of this one: a crash of it is the verdict CRASH. To be called while there is no other
/// thread.
///
/// Own cases are run when no test of the suite fails. Faults that are not about operations bite
/// alike in every model, so the run stops at the first failure; those that end or stall processes
/// have two seconds for a call. A test whose outputs the fault does not change is not run. A fault
/// that no case shows (Rule::passes) is run once. One that the driver cannot be opened with counts
/// as found by the first test.
absl::StatusOr<Kill> RunFaultApart(const std::string& fault, const std::vector<Test>& tests);

/// The same for several faults, `jobs` at a time. `done` is called with each kill, in the order of
/// the faults. Fails with the first error.
absl::StatusOr<std::vector<Kill>> RunFaultsApart(const std::vector<std::string>& faults,
                                                 const std::vector<Test>& tests, size_t jobs,
                                                 const std::function<void(const Kill& kill)>& done);

/// Static tests of these cases, which are taken as they are.
std::vector<Test> TestsOf(std::vector<TestCase> cases);

/// What a suite makes of a fault in one operation.
struct UnitCount {
  /// How many cases of that operation alone give other outputs with the fault.
  size_t changed = 0;
  /// How many of them fail, and cases of several operations in which this one is to blame.
  size_t failed = 0;
  /// Whether there is a finding SUSPECT or BIASED of that operation.
  bool is_suspect = false;
  bool is_biased = false;
};

/// The same of a fault in each of the operations whose outputs it changes, by their names; and,
/// where conditions are asked for, in those that meet one (CoverageConditions): "CONV_2D@batch>1".
struct FaultCount {
  std::string fault;
  std::map<std::string, UnitCount> units;
};

/// Counts what the static tests make of faults, those of one operation each, and with conditions
/// those of several as well; of faults which must be about
/// operations and not end processes: `jobs` at a time, each in a process of its own. `done` is
/// called with each count, in the order of the faults. Fails with the first error. To be called
/// while there is no other thread.
absl::Status CountUnitsApart(const std::vector<std::string>& faults, const std::vector<Test>& tests,
                             bool with_conditions, size_t jobs,
                             const std::function<void(const FaultCount& count)>& done);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_KILL_RUN_H_
