// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_driver.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case_source.h"
#include "cases/testing/test_cases.h"
#include "drivers/faulty/rule_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/callbacks.h"
#include "harness/case_runner.h"
#include "harness/isolation/driver_session.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<hal::V1_2::IDevice> Make(std::string_view name) {
  absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> driver = MakeFaultyDriver(name);
  EXPECT_TRUE(driver.ok()) << driver.status();
  return *std::move(driver);
}

CaseResult RunOn(std::string_view name, const TestCase& test_case,
                 TestMode mode = TestMode::kStatic) {
  const auto session = DriverSession::FromDevice(Make(name), "faulty");
  EXPECT_TRUE(session.ok()) << session.status();
  return RunCase(**session, test_case, mode);
}

TEST(FaultyDriverTest, WithoutFaultsItPassesEveryBundledCase) {
  const auto loaded = LoadCases({"spec_tests/specs"});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_THAT(loaded->errors, IsEmpty());
  const auto session = DriverSession::FromDevice(
      MakeRuleExecutor(std::make_shared<const std::vector<Fault>>()), "healthy");
  ASSERT_TRUE(session.ok()) << session.status();
  for (const LoadedCase& entry : loaded->cases) {
    for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
      if (NameInMode(entry.test_case, mode).empty()) continue;
      const CaseResult result = RunCase(**session, entry.test_case, mode);
      EXPECT_EQ(result.verdict, Verdict::PASS) << result.name << ": " << result.detail;
    }
  }
}

TEST(FaultyDriverTest, AFaultThatNeverBitesPasses) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    for (const char* name : {"all_nan@rank>8", "execute_fails@operation=SUB",
                             "prepare_callback_missing@batch>100", "supported_fails@relaxed",
                             "execute_crashes@same_operand", "release_crashes@every=2@rank>8"}) {
      const CaseResult result = RunOn(name, AddCase(), mode);
      EXPECT_EQ(result.verdict, Verdict::PASS) << name << ": " << result.detail;
    }
  }
}

TEST(FaultyDriverTest, ConditionsChooseOperationsOfAModel) {
  const CaseResult add = RunOn("all_nan@operation=ADD", AddMulCase());
  EXPECT_EQ(add.verdict, Verdict::FAIL);
  EXPECT_EQ(add.operation, "ADD");
  const CaseResult mul = RunOn("all_nan@operation=MUL", AddMulCase());
  EXPECT_EQ(mul.verdict, Verdict::FAIL);
  EXPECT_EQ(mul.operation, "MUL");
}

TEST(FaultyDriverTest, EveryCountsExecutionsOfAModel) {
  // Four executions: two asynchronous, two synchronous.
  EXPECT_THAT(RunOn("execute_fails@every=2", AddCase()).detail, HasSubstr("2 of 4 executions"));
  EXPECT_THAT(RunOn("execute_fails@every=4", AddCase()).detail, HasSubstr("1 of 4 executions"));
  EXPECT_EQ(RunOn("execute_fails@every=5", AddCase()).verdict, Verdict::PASS);
}

TEST(FaultyDriverTest, EveryCountsModelsBeforeTheyArePrepared) {
  const auto session = DriverSession::FromDevice(Make("prepare_fails@every=2"), "faulty");
  ASSERT_TRUE(session.ok()) << session.status();
  const auto verdict = [&] { return RunCase(**session, AddCase(), TestMode::kStatic).verdict; };
  EXPECT_EQ(verdict(), Verdict::PASS);
  EXPECT_EQ(verdict(), Verdict::BROKEN_PROMISE);
  EXPECT_EQ(verdict(), Verdict::PASS);
}

TEST(FaultyDriverTest, TheVersionStringNamesTheFault) {
  EXPECT_EQ(Make("all_nan@rank>3")->getVersionString().version,
            "nncert faulty driver: all_nan@rank>3");
}

TEST(FaultyDriverTest, ANameThatIsNoneIsAnError) {
  const absl::Status status = MakeFaultyDriver("nonsense").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("all_nan"));
}

TEST(FaultyDriverTest, NullCallbacksAndInvalidModelsAreRefusedAsByAGoodDriver) {
  for (const char* name : {"all_nan", "prepare_crashes", "prepare_callback_missing",
                           "prepare_fails", "supported_crashes"}) {
    const auto driver = Make(name);
    EXPECT_EQ(driver->prepareModel_1_2(AddCase().model,
                                       hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {}, {},
                                       {}, nullptr),
              ErrorStatus::INVALID_ARGUMENT);
    hal::V1_2::Model invalid = AddCase().model;
    invalid.operations[0].inputs[0] = 1000;
    invalid.outputIndexes[0] = 1000;
    EXPECT_EQ(driver->getSupportedOperations_1_2(invalid).status, ErrorStatus::INVALID_ARGUMENT);
    const auto callback = std::make_shared<hal::testing::PreparedModelCallback>();
    EXPECT_EQ(driver->prepareModel_1_2(invalid, hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER,
                                       {}, {}, {}, callback),
              ErrorStatus::INVALID_ARGUMENT);
  }
}

}  // namespace
}  // namespace nncert::faulty
