// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What passes by the documented threshold and is not honest all the same.

#include <cmath>
#include <string>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/records/accuracy.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;

// One operation of one input and one output of the same type and dimensions.
TestCase UnaryCase(OperationType operation, const OperandSpec& spec,
                   const std::vector<double>& input) {
  ModelBuilder builder;
  const uint32_t a = builder.Input(spec);
  builder.Operation(operation, {a}, {builder.Output(spec)});
  TestCase test_case = CaseWith(builder.model(), {input}, {input});
  test_case.examples[0].outputs.clear();
  return test_case;
}

// The accuracy of the one operation of a case on a device that gives `value` as its element 1.
OperationAccuracy AccuracyWith(const TestCase& test_case, auto value) {
  Lies lies;
  lies.execution = [value](FakeExecution& execution) { SetElement(execution, 0, 1, value); };
  const CaseResult result = RunOnFake(lies, test_case);
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_THAT(result.accuracy, SizeIs(1));
  return result.accuracy.empty() ? OperationAccuracy() : result.accuracy[0];
}

TEST(SuspectTest, AnHonestResultIsNot) {
  const CaseResult result = RunOnFake({}, AddCase());
  ASSERT_THAT(result.accuracy, SizeIs(1));
  EXPECT_EQ(result.accuracy[0].operation, "ADD");
  EXPECT_EQ(result.accuracy[0].type, "TENSOR_FLOAT32");
  // Six executions with the same elements.
  EXPECT_EQ(result.accuracy[0].elements, 4U);
  EXPECT_EQ(result.accuracy[0].suspect, 0U);
}

TEST(SuspectTest, ACopyThatIsNotBitForBitIs) {
  const TestCase test_case =
      UnaryCase(OperationType::RELU, {OperandType::TENSOR_FLOAT32, {3}}, {1, 2, 3});
  const OperationAccuracy accuracy = AccuracyWith(test_case, std::nextafter(2.0F, 3.0F));
  EXPECT_EQ(accuracy.suspect, 1U);
  EXPECT_THAT(accuracy.first_suspect,
              AllOf(HasSubstr("GeneratedTests.test: RELU output 0: element [1] (flat 1) is "
                              "2.0000002, outside of 2 +/- 0")));
}

TEST(SuspectTest, OneUnitInTheLastPlaceOfAFunctionIsNot) {
  const TestCase test_case =
      UnaryCase(OperationType::LOGISTIC, {OperandType::TENSOR_FLOAT32, {3}}, {0.5, 1.5, 2.5});
  const auto right = static_cast<float>(1 / (1 + std::exp(-1.5)));
  EXPECT_EQ(AccuracyWith(test_case, std::nextafter(right, 1.0F)).suspect, 0U);
  EXPECT_EQ(AccuracyWith(test_case, right + 5e-6F).suspect, 1U);
}

TEST(SuspectTest, HalfPrecisionWhereFloatWasAskedForIs) {
  TestCase test_case =
      UnaryCase(OperationType::RELU, {OperandType::TENSOR_FLOAT32, {3}}, {1, 1.0000076, 3});
  EXPECT_EQ(AccuracyWith(test_case, 1.0F).suspect, 1U);
  // Unless the model allows it.
  test_case.model.relaxComputationFloat32toFloat16 = true;
  EXPECT_EQ(AccuracyWith(test_case, 1.0F).suspect, 0U);
}

TEST(SuspectTest, AQuantizedStepTooFewIs) {
  // 2 in steps of 1, to steps of 0.75: 2.67 steps, which nobody rounds to 2, and 1.33 of 1.
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_QUANT8_ASYMM, {2}, 1.0F};
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Output({OperandType::TENSOR_QUANT8_ASYMM, {2}, 0.725F});
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  TestCase test_case = CaseWith(builder.model(), {{1, 1}, {0, 1}}, {{0, 0}});
  test_case.examples[0].outputs.clear();
  // 2.76 steps.
  EXPECT_EQ(AccuracyWith(test_case, uint8_t{3}).suspect, 0U);
  EXPECT_EQ(AccuracyWith(test_case, uint8_t{2}).suspect, 1U);
  EXPECT_EQ(AccuracyWith(test_case, uint8_t{4}).suspect, 1U);
}

TEST(AccuracyTest, ErrorsOfWhatMayBeZeroDoNotCount) {
  const auto errors_with = [](float value, float given) {
    TestCase test_case =
        UnaryCase(OperationType::RELU, {OperandType::TENSOR_FLOAT32, {3}}, {1.0003, value, 2});
    test_case.model.relaxComputationFloat32toFloat16 = true;
    return AccuracyWith(test_case, given).errors;
  };
  // As halves the first two may be rounded, and the last one is itself.
  EXPECT_THAT(errors_with(1.5003F, 1.5F), SizeIs(2));
  // Below the normal range of halves, the second may be flushed to zero.
  EXPECT_THAT(errors_with(3e-5F, 0.0F), SizeIs(1));
}

TEST(AccuracyTest, ErrorsAreASampleWhateverTheirOrder) {
  std::vector<ElementError> errors;
  for (uint64_t i = 0; i < 3 * kMostErrors; ++i) errors.push_back({i * 7919 % 65536, 0.5F});
  OperationAccuracy forwards;
  AddErrors(errors, forwards);
  OperationAccuracy backwards;
  for (size_t i = errors.size(); i > 0; i -= 4) {
    AddErrors({errors.begin() + static_cast<std::ptrdiff_t>(i - 4),
               errors.begin() + static_cast<std::ptrdiff_t>(i)},
              backwards);
  }
  EXPECT_THAT(forwards.errors, SizeIs(kMostErrors));
  EXPECT_EQ(forwards, backwards);
  AddErrors(errors, forwards);
  EXPECT_EQ(forwards, backwards);
}

}  // namespace
}  // namespace nncert
