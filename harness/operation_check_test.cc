// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/operation_check.h"

#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// ((a + b) * factor) + a, of [3] floats, with ADD, MUL and ADD: operands 4 and 6 are between them.
TestCase ThreeOperations(float factor = 2, const std::vector<double>& b_values = {10, 20, 40}) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {3}};
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t by = builder.Constant({OperandType::TENSOR_FLOAT32, {1}}, {factor});
  const uint32_t sum = builder.Temporary(spec);
  const uint32_t product = builder.Temporary(spec);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::MUL, {sum, by, none}, {product});
  builder.Operation(OperationType::ADD, {product, a, none}, {builder.Output(spec)});
  TestCase test_case = CaseWith(builder.model(), {{1, 2, 4}, b_values}, {{0, 0, 0}});
  test_case.examples[0].outputs.clear();
  return test_case;
}

// Changes an element of output 1, the first that is not the model's own, where there is one.
Lies WrongBetween(size_t output, float value) {
  Lies lies;
  lies.execution = [=](FakeExecution& execution) {
    if (execution.request.outputs.size() > output) SetElement(execution, output, 1, value);
  };
  return lies;
}

TEST(OperationCheckTest, AnHonestDriverIsAskedOnceMore) {
  const CaseResult result = RunOnFake({}, ThreeOperations());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(result.executions, 7);
  EXPECT_THAT(result.undivided, IsEmpty());
  // By operation, and not by the last one alone.
  ASSERT_THAT(result.accuracy, SizeIs(2));
  EXPECT_EQ(result.accuracy[0].operation, "ADD");
  EXPECT_EQ(result.accuracy[0].elements, 6U);
  EXPECT_EQ(result.accuracy[1].operation, "MUL");
}

TEST(OperationCheckTest, TheFirstOperationThatErrsIsNamed) {
  CaseResult result = RunOnFake(WrongBetween(1, 23), ThreeOperations());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_EQ(result.operation, "ADD");
  EXPECT_THAT(FirstLine(result),
              AllOf(HasSubstr("operation 0 (ADD) errs, given what the driver has its inputs as: "),
                    HasSubstr("element [1] (flat 1): expected 22, actual 23")));
  result = RunOnFake(WrongBetween(2, 45), ThreeOperations());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_EQ(result.operation, "MUL");
  EXPECT_THAT(FirstLine(result), HasSubstr("operation 1 (MUL) errs"));
}

TEST(OperationCheckTest, AnOperationIsJudgedOnWhatTheDriverHasAsItsInputs) {
  // Half the sum, and twice the factor: the first operation errs, the second does not.
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    if (execution.request.outputs.size() < 3) return;
    SetElement(execution, 1, 1, 11.0F);
    SetElement(execution, 2, 1, 22.0F);
  };
  const CaseResult result = RunOnFake(lies, ThreeOperations());
  EXPECT_THAT(FirstLine(result), HasSubstr("operation 0 (ADD) errs"));
}

TEST(OperationCheckTest, ZerosThatTheToleranceAcceptsAreNoAnswerInBetween) {
  // What is within 1e-5 of the answer.
  TestCase test_case = ThreeOperations(1e-9F);
  Lies lies;
  lies.compute = [](FakeExecution& execution) {
    for (size_t i = 0; i < execution.request.outputs.size(); ++i) {
      std::memset(execution.Output(i).data(), 0, execution.Output(i).size());
    }
  };
  // a is 0, so that the model's output is next to nothing.
  std::fill(test_case.examples[0].inputs[0].data.begin(),
            test_case.examples[0].inputs[0].data.end(), 0);
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), HasSubstr("operation 0 (ADD) errs"));
}

// Within the threshold, and given by no honest implementation: the sum and all that follows from
// it, or the product and what follows.
TEST(OperationCheckTest, TheFirstOperationWithASuspectElementIsNamed) {
  for (const auto& [number, name] : {std::pair(1, "ADD"), std::pair(2, "MUL")}) {
    Lies lies;
    lies.compute = [wrong = number](FakeExecution& execution) {
      const size_t outputs = execution.request.outputs.size();
      for (size_t i = 0; i < 3; ++i) {
        const float a = std::array{1.0F, 2.0F, 4.0F}[i];
        const float sum = 11 * a + (wrong == 1 ? 1.1e-5F : 0);
        const float product = 2 * sum + (wrong == 2 ? 1.1e-5F : 0);
        SetElement(execution, 0, i, product + a);
        if (outputs > 1) SetElement(execution, 1, i, sum);
        if (outputs > 2) SetElement(execution, 2, i, product);
      }
    };
    const CaseResult result = RunOnFake(lies, ThreeOperations());
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
    EXPECT_EQ(result.operation, name);
    const auto place = absl::StrCat("GeneratedTests.test: operation ", number - 1, ": ", name);
    int suspects = 0;
    for (const OperationAccuracy& accuracy : result.accuracy) {
      if (accuracy.suspect == 0) continue;
      ++suspects;
      EXPECT_EQ(accuracy.operation, name);
      EXPECT_THAT(accuracy.first_suspect, HasSubstr(place));
    }
    EXPECT_EQ(suspects, 1);
  }
}

TEST(OperationCheckTest, AFailureIsLedBackToItsOperation) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    SetElement(execution, 0, 0, 99.0F);
    if (execution.request.outputs.size() > 2) SetElement(execution, 2, 0, 98.0F);
  };
  const CaseResult result = RunOnFake(lies, ThreeOperations());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_EQ(result.operation, "MUL");
  EXPECT_THAT(FirstLine(result), HasSubstr("ADD output 0 element [0]"));
  EXPECT_THAT(result.detail, HasSubstr("\n  operation by operation: operation 1 (MUL) errs"));
}

// A small sum is wrong by less than its threshold; a million times that is not.
TEST(OperationCheckTest, WhereNoneErrsByItselfTheFirstWithASuspectElementIsNamed) {
  constexpr float kSum = 0x1p-10F;
  constexpr float kFactor = 1e6F;
  const TestCase test_case = ThreeOperations(kFactor, {kSum - 1, kSum - 2, kSum - 4});
  Lies lies;
  lies.compute = [](FakeExecution& execution) {
    const size_t outputs = execution.request.outputs.size();
    for (size_t i = 0; i < 3; ++i) {
      const float a = std::array{1.0F, 2.0F, 4.0F}[i];
      const float sum = kSum + 9e-6F;
      SetElement(execution, 0, i, kFactor * sum + a);
      if (outputs > 1) SetElement(execution, 1, i, sum);
      if (outputs > 2) SetElement(execution, 2, i, kFactor * sum);
    }
  };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::FAIL) << result.detail;
  EXPECT_EQ(result.operation, "ADD");
  EXPECT_THAT(
      result.detail,
      HasSubstr("\n  each of its 3 operations is right, given what the driver has its inputs "
                "as, but no honest implementation gives what operation 0 (ADD) does"));
}

TEST(OperationCheckTest, TheFailingOperationIsDumpedByItself) {
  RunOptions options;
  options.dump_directory = ::testing::TempDir() + "/operation_check";
  const CaseResult result =
      RunOnFake(WrongBetween(2, 45), ThreeOperations(), TestMode::kStatic, options);
  EXPECT_THAT(result.dumped_files, SizeIs(8));
  EXPECT_THAT(result.dumped_files[4], HasSubstr("test_operation_1.case"));
  EXPECT_THAT(result.detail, HasSubstr("\n  the operation alone: nncert run --driver fake "));
  // The whole model's test would pass without that of the operation.
  for (const auto& [file, has_whole] : {std::pair(2, true), std::pair(6, false)}) {
    std::stringstream source;
    source << std::ifstream(result.dumped_files[file]).rdbuf();
    EXPECT_EQ(absl::StrContains(source.str(), "TEST(GeneratedTests, test) {"), has_whole);
    EXPECT_TRUE(absl::StrContains(source.str(), "TEST(GeneratedTests, test_operation_1) {"));
  }
}

TEST(OperationCheckTest, OtherResultsThanBeforeAreNotJudgedOneByOne) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    // Within the threshold, and not the same.
    if (execution.request.outputs.size() == 1) SetElement(execution, 0, 0, 23.00001F);
    if (execution.request.outputs.size() > 1) SetElement(execution, 1, 0, 99.0F);
  };
  const CaseResult result = RunOnFake(lies, ThreeOperations());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_THAT(result.undivided, HasSubstr("gives other results once intermediate operands"));
}

TEST(OperationCheckTest, ADriverThatRefusesSomeOutputsIsAskedForTheOthers) {
  std::atomic<int> models = 0;
  Lies lies = WrongBetween(1, 45);
  lies.prepare = [&](const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback,
                     const std::shared_ptr<hal::V1_2::IPreparedModel>& model) {
    const auto callback_1_2 =
        std::dynamic_pointer_cast<hal::V1_2::IPreparedModelCallback>(callback);
    // The model itself, both operands, the first and the second.
    const bool is_refused = ++models == 2;
    const ErrorStatus status = is_refused ? ErrorStatus::GENERAL_FAILURE : ErrorStatus::NONE;
    callback_1_2->notify_1_2(status, is_refused ? nullptr : model);
    return status;
  };
  lies.supported = [](hal::V1_0::GetSupportedOperationsResult& result) {
    result.supportedOperations.assign(result.supportedOperations.size(), false);
  };
  const CaseResult result = RunOnFake(lies, ThreeOperations());
  EXPECT_EQ(models, 4);
  EXPECT_THAT(FirstLine(result), HasSubstr("operation 0 (ADD) errs"));
}

TEST(OperationCheckTest, ADriverThatRefusesAllIsJudgedAsAWhole) {
  std::atomic<int> models = 0;
  Lies lies;
  lies.prepare = [&](const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback,
                     const std::shared_ptr<hal::V1_2::IPreparedModel>& model) {
    const bool is_refused = ++models > 1;
    const ErrorStatus status = is_refused ? ErrorStatus::GENERAL_FAILURE : ErrorStatus::NONE;
    std::dynamic_pointer_cast<hal::V1_2::IPreparedModelCallback>(callback)->notify_1_2(
        status, is_refused ? nullptr : model);
    return status;
  };
  lies.supported = [](hal::V1_0::GetSupportedOperationsResult& result) {
    result.supportedOperations.assign(result.supportedOperations.size(), false);
  };
  const CaseResult result = RunOnFake(lies, ThreeOperations());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(models, 4);
  EXPECT_THAT(result.undivided, HasSubstr("the driver does not give operand "));
}

TEST(OperationCheckTest, TheDynamicModeDoesNotAskAgain) {
  const CaseResult result = RunOnFake(WrongBetween(1, 23), ThreeOperations(), TestMode::kDynamic);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
}

TEST(ModelPartsTest, TheCaseOfAnOperationHasItsOperandsAlone) {
  const TestCase whole = ThreeOperations();
  const std::vector<uint32_t> temporaries = TemporariesOf(whole.model);
  ASSERT_THAT(temporaries, SizeIs(2));
  const OperandValues values = {
      {temporaries[0], {{3}, BytesOf(OperandType::TENSOR_FLOAT32, {11, 22, 44})}}};
  const std::optional<TestCase> part = CaseOfOperations(whole, 0, {1}, values);
  ASSERT_TRUE(part.has_value());
  EXPECT_THAT(part->model.operands, SizeIs(4));
  EXPECT_THAT(part->model.operations, SizeIs(1));
  EXPECT_THAT(part->model.operations[0].inputs, ElementsAre(0, 1, 2));
  EXPECT_THAT(part->model.inputIndexes, ElementsAre(0));
  EXPECT_THAT(part->model.outputIndexes, ElementsAre(3));
  EXPECT_EQ(part->examples[0].inputs[0].data, values.begin()->second.data);
  // The factor and the activation, and nothing of the other operations' constants.
  EXPECT_THAT(part->model.operandValues, SizeIs(8));
  EXPECT_FALSE(CaseOfOperations(whole, 0, {2}, values).has_value());
}

TEST(ModelPartsTest, AnOperationOnConstantsGetsOneOfThemAsAnInput) {
  TestCase whole = ThreeOperations();
  const uint32_t factor = whole.model.operations[1].inputs[1];
  whole.model.operations[1].inputs[0] = factor;
  const std::optional<TestCase> part = CaseOfOperations(whole, 0, {1}, {});
  ASSERT_TRUE(part.has_value());
  EXPECT_THAT(part->model.inputIndexes, ElementsAre(0));
  EXPECT_EQ(part->examples[0].inputs[0].data, BytesOf(OperandType::TENSOR_FLOAT32, {2}));
}

}  // namespace
}  // namespace nncert
