// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Tests of which it can be foreseen whether a fault changes anything.

#ifndef NNCERT_DRIVERS_FAULTY_FORESEEN_TESTS_H_
#define NNCERT_DRIVERS_FAULTY_FORESEEN_TESTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cases/test_case.h"
#include "drivers/faulty/rule_executor.h"
#include "drivers/faulty/rules/rule.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/case_result.h"

namespace nncert::faulty {

/// A case to be run in a mode.
struct Test {
  std::shared_ptr<const TestCase> test_case;
  TestMode mode = TestMode::kStatic;
  /// The bytes of all outputs of all examples, one after the other, on the driver without faults.
  std::shared_ptr<const std::vector<std::vector<uint8_t>>> healthy;
  /// "GeneratedTests.conv_2d".
  std::string name;
};

/// Static tests of these cases, called by their names.
std::vector<Test> TestsOf(std::vector<TestCase> cases);

/// The bytes of all outputs of a case on the driver with faults, with the dimensions behind them;
/// none of an example that cannot be executed.
std::vector<std::vector<uint8_t>> OutputsOf(const TestCase& test_case, const Faults& faults);

/// Makes the driver with a fault, and a session of it. Fails when a call does not return in time,
/// or as MakeFaultyDriver does.
absl::StatusOr<std::unique_ptr<DriverSession>> OpenFaulty(const std::string& fault,
                                                          absl::Duration deadline);

/// Whether a rule may end or stall the process that the driver is in.
bool EndsProcess(const Rule& rule);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_FORESEEN_TESTS_H_
