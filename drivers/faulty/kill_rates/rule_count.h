// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Counts what tests make of a rule, operation by operation, and condition by condition.

#ifndef NNCERT_DRIVERS_FAULTY_KILL_RATES_RULE_COUNT_H_
#define NNCERT_DRIVERS_FAULTY_KILL_RATES_RULE_COUNT_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "drivers/faulty/foreseen_tests.h"
#include "drivers/faulty/kill_rates/kill_rates.h"
#include "drivers/faulty/process_run.h"
#include "drivers/faulty/rules/rule.h"

namespace nncert::faulty {

/// What a unit of a rule is called: "CONV_2D", and "CONV_2D@batch>1" under a condition.
std::string UnitName(const std::string& operation, std::string_view condition);

/// A test of a suite, and what is known of it before any fault.
struct CountedTest {
  const Test* test = nullptr;
  /// Which suite it is of.
  size_t suite = 0;
  /// Whether faults are judged by it, or it only tells which operations rules change.
  bool is_judged = true;
  /// Its operations by name, with the conditions that each meets; none for one that comes several
  /// times, which may meet a condition here and be to blame there.
  std::map<std::string, std::vector<std::string>> conditions;

  bool IsOfSeveral() const { return test->test_case->model.operations.size() > 1; }
};

/// A test with what is known of it. Refers to the test.
CountedTest CountedTestOf(const Test& test, size_t suite, bool is_judged);

/// What tests make of a rule.
struct RuleCount {
  /// The operations of which it changes the result in a case of that operation alone, with the
  /// types of their first inputs. Of a case of several operations one may be to blame that the rule
  /// leaves as it is.
  std::set<std::pair<std::string, std::string>> changed;
  /// For each suite the units of which it changes a result in a test: one of the outcomes from
  /// kFailed to kWithinThreshold.
  std::vector<std::map<std::string, UnitOutcome>> suites;
};

/// Runs the static tests on the driver with the rule, and with it under each condition, and tells
/// what came of it, a line for each unit.
///
/// A case of one operation that meets a condition tells what it makes of the rule under it. Where
/// another operation is to blame for the rule, which is always so under "internal", cases of
/// several operations are run on the rule under the condition. One that fails is run once more with
/// the rule in the operation alone that is to blame, and counts when it fails again. Cases of which
/// nothing new is to be learned, since all that they could show has failed, are passed over.
absl::Status CountRule(const Rule& rule, const std::vector<CountedTest>& tests, bool has_conditions,
                       const Tell& tell);

/// Reads the lines that CountRule has told, of so many suites.
absl::StatusOr<RuleCount> ReadRuleCount(std::string_view lines, size_t suites);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_KILL_RATES_RULE_COUNT_H_
