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
#include "reference/model_builder.h"
#include "system/processor.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<hal::V1_2::IDevice> Make(std::string_view name) {
  absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> driver = MakeFaultyDriver(name);
  EXPECT_TRUE(driver.ok()) << driver.status();
  return *std::move(driver);
}

CaseResult RunOn(std::string_view name, const TestCase& test_case,
                 TestMode mode = TestMode::kStatic) {
  const OnProcessor scope(CurrentProcessor());
  const auto session = DriverSession::FromDevice(Make(name), "faulty");
  EXPECT_TRUE(session.ok()) << session.status();
  return RunCase(**session, test_case, mode);
}

TEST(FaultyDriverTest, WithoutFaultsItPassesEveryBundledCase) {
  const auto loaded = LoadCases({"spec_tests/specs"});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_THAT(loaded->errors, IsEmpty());
  const OnProcessor scope(CurrentProcessor());
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

// The scores of those of two boxes, far apart, whose score is above 0.6, which both are: by
// LOGISTIC and BOX_WITH_NMS_LIMIT.
TestCase ScoresOfBoxes() {
  constexpr OperandType kFloat = OperandType::TENSOR_FLOAT32;
  ModelBuilder builder;
  const uint32_t logits = builder.Input({kFloat, {2, 2}});
  const uint32_t scores = builder.Temporary({kFloat, {2, 2}});
  builder.Operation(OperationType::LOGISTIC, {logits}, {scores});
  const std::vector<uint32_t> inputs = {
      scores,
      builder.Constant({kFloat, {2, 8}}, {0, 0, 1, 1, 0, 0, 1, 1, 5, 5, 6, 6, 5, 5, 6, 6}),
      builder.Constant({OperandType::TENSOR_INT32, {2}}, {0, 0}),
      builder.Float32(0.6F),
      builder.Int32(-1),
      builder.Int32(0),
      builder.Float32(0.3F),
      builder.Float32(0.5F),
      builder.Float32(0.1F)};
  builder.Operation(OperationType::BOX_WITH_NMS_LIMIT, inputs,
                    {builder.Output({kFloat, {0}}), builder.Output({kFloat, {0, 4}}),
                     builder.Output({OperandType::TENSOR_INT32, {0}}),
                     builder.Output({OperandType::TENSOR_INT32, {0}})});
  TestCase test_case = CaseWith(builder.model(), {{0, 1, 0, 2}}, {});
  test_case.examples[0].outputs.clear();
  return test_case;
}

// How many boxes there are follows from the scores, so an operation before may be to blame.
TEST(FaultyDriverTest, OtherDimensionsAreLedBackToTheOperationThatErrs) {
  EXPECT_EQ(RunOn("all_nan@rank>8", ScoresOfBoxes()).verdict, Verdict::PASS);
  const CaseResult wrong_scores = RunOn("all_bytes_zero@operation=LOGISTIC", ScoresOfBoxes());
  EXPECT_EQ(wrong_scores.verdict, Verdict::FAIL);
  EXPECT_EQ(wrong_scores.operation, "LOGISTIC") << wrong_scores.detail;
  const CaseResult wrong_boxes =
      RunOn("all_bytes_zero@operation=BOX_WITH_NMS_LIMIT", ScoresOfBoxes());
  EXPECT_EQ(wrong_boxes.verdict, Verdict::FAIL);
  EXPECT_EQ(wrong_boxes.operation, "BOX_WITH_NMS_LIMIT") << wrong_boxes.detail;
}

TEST(FaultyDriverTest, EveryCountsExecutionsOfAModel) {
  // Six executions: two asynchronous, two synchronous, two by a burst.
  EXPECT_THAT(RunOn("execute_fails@every=2", AddCase()).detail, HasSubstr("3 of 6 executions"));
  EXPECT_THAT(RunOn("execute_fails@every=4", AddCase()).detail, HasSubstr("1 of 6 executions"));
  EXPECT_EQ(RunOn("execute_fails@every=7", AddCase()).verdict, Verdict::PASS);
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
