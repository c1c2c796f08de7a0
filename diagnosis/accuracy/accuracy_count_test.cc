// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A sample of what accuracy measures, by the specs of HAL 1.0.

#include "diagnosis/accuracy/accuracy_count.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_join.h"
#include "drivers/faulty/kill_run.h"

namespace nncert {
namespace {

using ::testing::Contains;
using ::testing::Not;

constexpr char kCases[] = "spec_tests/specs/V1_0";

std::vector<DiagnosedUnit> UnitsOf(const std::vector<std::string>& faults, size_t most_failures) {
  AccuracyOptions options;
  options.most_failures = most_failures;
  options.left_out_every = 4;
  static const auto* const tests =
      new absl::StatusOr<std::vector<faulty::Test>>(faulty::LoadTests({kCases}));
  EXPECT_TRUE(tests->ok()) << tests->status();
  std::vector<DiagnosedUnit> units;
  const absl::Status status = DiagnoseUnitsApart(
      faults, **tests, options, 2, [&units](const DiagnosedUnit& unit) { units.push_back(unit); });
  EXPECT_TRUE(status.ok()) << status;
  return units;
}

TEST(AccuracyTest, TheRuleIsNamedFirst) {
  std::set<std::string> seen;
  size_t left_out = 0;
  for (const DiagnosedUnit& unit :
       UnitsOf({"padding_sides_swapped", "quantized_off_by_two", "wrong_shape"}, 2)) {
    seen.insert(unit.fault);
    left_out += unit.is_left_out;
    EXPECT_TRUE(unit.is_right) << unit.fault << " in " << unit.operation << ": "
                               << absl::StrJoin(unit.named, ", ");
    EXPECT_EQ(unit.named_without, "") << unit.fault << " in " << unit.operation;
  }
  EXPECT_EQ(seen.size(), 3);
  EXPECT_GT(left_out, 0);
}

TEST(AccuracyTest, BothOfTwoRulesAreNamed) {
  size_t right = 0;
  size_t units = 0;
  for (const DiagnosedUnit& unit : UnitsOf({"last_channel+half_precision"}, 8)) {
    if (unit.is_hidden) continue;
    ++units;
    right += unit.is_right;
  }
  EXPECT_GE(units, 5);
  EXPECT_GE(right, units * 7 / 10);
}

TEST(AccuracyTest, EveryHypothesisHasAName) {
  const std::vector<std::string> rules = RulesToDiagnose();
  EXPECT_THAT(rules, Contains("strides_swapped"));
  EXPECT_THAT(rules, Contains("wrong_rank"));
  EXPECT_THAT(rules, Not(Contains("execute_fails")));
  EXPECT_EQ(std::set<std::string>(rules.begin(), rules.end()).size(), rules.size());
}

}  // namespace
}  // namespace nncert
