// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// No bundled case lets a faulty driver pass.

#include <functional>
#include <memory>
#include <string>

#include "cases/case_source.h"
#include "drivers/faulty/faulty_driver.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/utils.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"
#include "system/processor.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Says of an output whether the fault shows in it.
using Shows = std::function<bool(const TestCase&, OperandType, const ExpectedOutput&)>;

bool ShowsIn(const TestCase& test_case, const Shows& shows) {
  // What a driver is to refuse gives no results.
  if (test_case.expectFailure) return false;
  for (const Example& example : test_case.examples) {
    for (size_t i = 0; i < example.outputs.size(); ++i) {
      const ExpectedOutput& output = example.outputs[i];
      const OperandType type = test_case.model.operands[test_case.model.outputIndexes[i]].type;
      if (!output.ignored && shows(test_case, type, output)) return true;
    }
  }
  return false;
}

// Runs every case in both modes; those in which the fault shows must fail, and there must be some.
void ExpectFailures(const std::string& fault, const Shows& shows, const std::string& evidence) {
  const auto loaded = LoadCases({"spec_tests/specs"});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_THAT(loaded->errors, IsEmpty());
  const OnProcessor scope(CurrentProcessor());
  const auto driver = faulty::MakeFaultyDriver(fault);
  ASSERT_TRUE(driver.ok()) << driver.status();
  const auto session = DriverSession::FromDevice(*driver, "faulty:" + fault);
  ASSERT_TRUE(session.ok()) << session.status();
  size_t failures = 0;
  for (const LoadedCase& entry : loaded->cases) {
    if (!ShowsIn(entry.test_case, shows)) continue;
    for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
      if (NameInMode(entry.test_case, mode).empty()) continue;
      const CaseResult result = RunCase(**session, entry.test_case, mode);
      // The catalogue does not have an operation of the model.
      if (result.verdict == Verdict::UNSUPPORTED) continue;
      EXPECT_EQ(result.verdict, Verdict::FAIL)
          << FixtureName(mode) << '.' << result.name << ": " << result.detail;
      EXPECT_THAT(result.detail, HasSubstr(evidence));
      EXPECT_THAT(result.detail, HasSubstr(result.operation));
      ++failures;
    }
  }
  EXPECT_GT(failures, 0u);
}

TEST(FaultyDriversTest, NotASingleFloatingPointCasePassesWithNan) {
  ExpectFailures(
      "all_nan",
      [](const TestCase&, OperandType type, const ExpectedOutput& output) {
        return !output.data.empty() &&
               (type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_FLOAT16);
      },
      "nan");
}

TEST(FaultyDriversTest, NotASingleQuantizedCasePassesOffByTwo) {
  ExpectFailures(
      "quantized_off_by_two",
      [](const TestCase& test_case, OperandType type, const ExpectedOutput& output) {
        return !output.data.empty() && hal::isQuantized(type) && test_case.quantizedTolerance < 2;
      },
      "actual");
}

TEST(FaultyDriversTest, NotASingleCasePassesWithAWrongShape) {
  ExpectFailures(
      "wrong_shape", [](const TestCase&, OperandType, const ExpectedOutput&) { return true; },
      "dimensions");
}

}  // namespace
}  // namespace nncert
