// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/acceptance.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cases/element_values.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/float16.h"
#include "hal/testing/status_is.h"
#include "harness/judging/element_judge.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

AcceptedAnswer AnswerOf(const TestCase& test_case) {
  Oracle oracle(test_case);
  const auto answers = AcceptedAnswersOf(test_case, oracle);
  EXPECT_TRUE(answers.ok()) << answers.status();
  EXPECT_THAT(*answers, SizeIs(1));
  return (*answers)[0];
}

// The number of the type that comes after another one, towards positive or negative infinity.
double Next(OperandType type, double number, bool is_up) {
  if (type == OperandType::TENSOR_FLOAT32) {
    return std::nextafter(static_cast<float>(number),
                          static_cast<float>(is_up ? kInfinity : -kInfinity));
  }
  if (type != OperandType::TENSOR_FLOAT16) return number + (is_up ? 1 : -1);
  // Halves without a sign are in the order of their bits.
  const uint16_t bits = hal::DoubleToFloat16(number);
  if (number == 0) return is_up ? 0x1p-24 : -0x1p-24;
  return hal::Float16ToDouble((number > 0) == is_up ? bits + 1 : bits - 1);
}

// Whether the judge lets an answer pass that is as expected but for one element of output 0.
bool Passes(const TestCase& test_case, size_t index, double number) {
  const OperandType type = test_case.model.operands[test_case.model.outputIndexes[0]].type;
  std::vector<double> numbers = DecodeElements(type, test_case.examples[0].outputs[0].data);
  numbers[index] = number;
  const std::vector<uint8_t> bytes = BytesOf(type, numbers);
  std::vector<ActualOutput> answer;
  for (const ExpectedOutput& output : test_case.examples[0].outputs)
    answer.push_back({output.data});
  answer[0].bytes = bytes;
  Oracle oracle(test_case);
  ElementJudge judge({test_case, &oracle, KernelChoice::kFast, /*explains_specials=*/false});
  return !IsFailure(judge(0, answer).verdict);
}

// Holds the bounds of output 0 against the judge: they pass, and the next numbers outside do not.
void ExpectTight(const TestCase& test_case) {
  const OperandType type = test_case.model.operands[test_case.model.outputIndexes[0]].type;
  const std::vector<AcceptedElement> elements = AnswerOf(test_case).outputs[0].elements;
  ASSERT_FALSE(elements.empty());
  for (size_t i = 0; i < elements.size(); ++i) {
    const auto& [lowest, highest] = elements[i];
    SCOPED_TRACE(testing::Message()
                 << "element " << i << " in [" << lowest << ", " << highest << "]");
    EXPECT_TRUE(Passes(test_case, i, lowest));
    EXPECT_TRUE(Passes(test_case, i, highest));
    const double below = Next(type, lowest, false);
    const double above = Next(type, highest, true);
    if (BytesOf(type, {below}) != BytesOf(type, {lowest})) {
      EXPECT_FALSE(Passes(test_case, i, below));
    }
    if (BytesOf(type, {above}) != BytesOf(type, {highest})) {
      EXPECT_FALSE(Passes(test_case, i, above));
    }
  }
}

TEST(AcceptedAnswersOf, AreTheOutermostNumbersThatPass) {
  for (const OperandType type : {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                                 OperandType::TENSOR_QUANT8_ASYMM}) {
    ExpectTight(AddCase(type));
  }
  TestCase relaxed = AddCase();
  relaxed.model.relaxComputationFloat32toFloat16 = true;
  ExpectTight(relaxed);
}

TEST(AcceptedAnswersOf, AreTightRoundZeroAndAtTheEndsOfTheRange) {
  TestCase floats = AddCase();
  floats.examples[0].inputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {0, -1, 0, 0});
  floats.examples[0].inputs[1].data = BytesOf(OperandType::TENSOR_FLOAT32, {0, 1e-20, 1e-39, 3e38});
  floats.examples[0].outputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {0, -1, 1e-39, 3e38});
  ExpectTight(floats);
  TestCase quantized = AddCase(OperandType::TENSOR_QUANT8_ASYMM);
  quantized.examples[0].inputs[0].data = {0, 255, 254, 0};
  quantized.examples[0].inputs[1].data = {0, 255, 0, 1};
  quantized.examples[0].outputs[0].data = {0, 255, 254, 1};
  ExpectTight(quantized);
  EXPECT_THAT(AnswerOf(quantized).outputs[0].elements,
              ElementsAre(AcceptedElement{0, 1}, AcceptedElement{254, 255},
                          AcceptedElement{253, 255}, AcceptedElement{0, 2}));
}

TEST(AcceptedAnswersOf, ReachAsFarAsTheEnclosureDoes) {
  // What is left of 1e8 may be anything within a few of its roundings.
  const TestCase cancels = SumOfThreeCase(1e8, 1, -1e8, 1);
  ExpectTight(cancels);
  const AcceptedElement element = AnswerOf(cancels).outputs[0].elements[0];
  EXPECT_LT(element.lowest, 0);
  EXPECT_GT(element.highest, 2);
}

TEST(AcceptedAnswersOf, ExplainNothingWhereTheExpectationIsWrong) {
  const TestCase wrong = SumOfThreeCase(1, 2, 3, 7);
  ExpectTight(wrong);
  EXPECT_GT(AnswerOf(wrong).outputs[0].elements[0].lowest, 6.9);
}

TEST(AcceptedAnswersOf, NansAndInfinitiesAreTheSame) {
  TestCase test_case = AddCase();
  test_case.examples[0].inputs[0].data =
      BytesOf(OperandType::TENSOR_FLOAT32, {kNan, kInfinity, -kInfinity, 4});
  test_case.examples[0].outputs[0].data =
      BytesOf(OperandType::TENSOR_FLOAT32, {kNan, kInfinity, -kInfinity, 44});
  const std::vector<AcceptedElement> elements = AnswerOf(test_case).outputs[0].elements;
  EXPECT_TRUE(std::isnan(elements[0].lowest) && std::isnan(elements[0].highest));
  EXPECT_EQ(elements[1], (AcceptedElement{kInfinity, kInfinity}));
  EXPECT_EQ(elements[2], (AcceptedElement{-kInfinity, -kInfinity}));
}

TEST(AcceptedAnswersOf, OfAnUnboundedEnclosureEveryFiniteNumberPasses) {
  // Beyond the range of floats nothing is known.
  const TestCase beyond = SumOfThreeCase(3e38, 3e38, -3e38, 3e38);
  constexpr double kMost = std::numeric_limits<float>::max();
  EXPECT_THAT(AnswerOf(beyond).outputs[0].elements, ElementsAre(AcceptedElement{-kMost, kMost}));
}

TEST(AcceptedAnswersOf, SayWhereTheEnclosureIsNotKnown) {
  TestCase unknown = AddCase();
  unknown.model.operations[0].type = OperationType::OEM_OPERATION;
  const AcceptedOutput output = AnswerOf(unknown).outputs[0];
  EXPECT_THAT(output.caveat, HasSubstr("the documented threshold alone counts"));
  EXPECT_THAT(output.elements, SizeIs(4));
}

TEST(AcceptedAnswersOf, SayNothingOfWhatIsNotCompared) {
  TestCase test_case = AddMulCase();
  test_case.examples[0].outputs[0].ignored = true;
  const AcceptedAnswer answer = AnswerOf(test_case);
  EXPECT_THAT(answer.outputs[0].elements, SizeIs(0));
  EXPECT_THAT(answer.outputs[1].elements, SizeIs(2));
  test_case.expectFailure = true;
  EXPECT_THAT(AnswerOf(test_case).outputs[1].elements, SizeIs(0));
}

TEST(AcceptedAnswersOf, DoNotSayWhatSamplesAreLike) {
  ModelBuilder builder;
  const uint32_t logits = builder.Input({OperandType::TENSOR_FLOAT32, {1, 2}});
  const uint32_t seeds = builder.Input({OperandType::TENSOR_INT32, {2}});
  builder.Operation(OperationType::RANDOM_MULTINOMIAL, {logits, builder.Int32(3), seeds},
                    {builder.Output({OperandType::TENSOR_INT32, {1, 3}})});
  const TestCase samples = CaseWith(builder.model(), {{0, 0}, {1, 2}}, {{0, 0, 0}});
  Oracle oracle(samples);
  EXPECT_THAT(AcceptedAnswersOf(samples, oracle),
              hal::testing::StatusIs(absl::StatusCode::kUnimplemented,
                                     HasSubstr("RANDOM_MULTINOMIAL output 0 is of samples")));
}

// Boxes far from each other, of the classes beside the background, by score.
TestCase BoxesCase(const std::vector<double>& expected_scores,
                   const std::vector<double>& expected_boxes) {
  constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
  constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {2, 2}}),
                                        builder.Input({kFloat32, {2, 8}}),
                                        builder.Input({kInt32, {2}}),
                                        builder.Float32(0.1F),
                                        builder.Int32(-1),
                                        builder.Int32(0),
                                        builder.Float32(0.4F),
                                        builder.Float32(1),
                                        builder.Float32(0.1F)};
  builder.Operation(OperationType::BOX_WITH_NMS_LIMIT, inputs,
                    {builder.Output({kFloat32, {2}}), builder.Output({kFloat32, {2, 4}}),
                     builder.Output({kInt32, {2}}), builder.Output({kInt32, {2}})});
  return CaseWith(builder.model(),
                  {{0, 0.5, 0, 0.75}, {0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 8, 0, 9, 1}, {0, 0}},
                  {expected_scores, expected_boxes, {1, 1}, {0, 0}});
}

TEST(AcceptedAnswersOf, RowsWithoutAnOrderAreThoseThatAreExpected) {
  for (const TestCase& test_case : {BoxesCase({0.75, 0.5}, {8, 0, 9, 1, 0, 0, 1, 1}),
                                    BoxesCase({0.5, 0.75}, {0, 0, 1, 1, 8, 0, 9, 1})}) {
    const AcceptedAnswer answer = AnswerOf(test_case);
    ASSERT_THAT(answer.unordered_rows, SizeIs(1));
    EXPECT_THAT(answer.unordered_rows[0].outputs, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(answer.unordered_rows[0].rows, 2U);
    EXPECT_THAT(answer.unordered_rows[0].groups, ElementsAre(RowGroup{0, 2}));
    ExpectTight(test_case);
  }
}

}  // namespace
}  // namespace nncert
