// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/oracle.h"

#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::ElementsAre;

TEST(Oracle, ExpectsTheAnswerInTheTypeOfTheOutput) {
  for (const OperandType type : {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16,
                                 OperandType::TENSOR_QUANT8_ASYMM}) {
    const TestCase test_case = AddCase(type);
    Oracle oracle(test_case);
    const absl::StatusOr<std::vector<ExpectedOutput>> expected = oracle.Expected(0);
    ASSERT_TRUE(expected.ok()) << expected.status();
    EXPECT_EQ(*expected, test_case.examples[0].outputs);
  }
}

TEST(Oracle, FindsDimensionsThatTheModelLeavesOpen) {
  TestCase test_case = AddCase();
  for (hal::V1_2::Operand& operand : test_case.model.operands) {
    for (uint32_t& dimension : operand.dimensions) dimension = 0;
  }
  Oracle oracle(test_case);
  EXPECT_THAT(oracle.Expected(0)->at(0).dimensions, ElementsAre(2, 2));
}

TEST(Oracle, EnclosesTheAnswer) {
  const TestCase test_case = AddCase();
  Oracle oracle(test_case);
  const auto enclosures = oracle.Enclosures(0);
  ASSERT_TRUE(enclosures.ok()) << enclosures.status();
  const absl::Span<const Ball> balls = (**enclosures)[0].balls();
  ASSERT_EQ(balls.size(), 4U);
  for (size_t i = 0; i < balls.size(); ++i) {
    EXPECT_TRUE(balls[i].Contains(11.0 * static_cast<double>(i + 1)));
    EXPECT_LT(balls[i].radius, 1e-5);
  }
  // They are kept.
  EXPECT_EQ(*oracle.Enclosures(0), *enclosures);
}

TEST(Oracle, AnswersEveryExampleByItself) {
  TestCase test_case = AddCase();
  test_case.examples.push_back(test_case.examples[0]);
  test_case.examples[1].inputs[0] = test_case.examples[1].inputs[1];
  Oracle oracle(test_case);
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, oracle.Expected(1)->at(0).data),
              ElementsAre(20, 40, 60, 80));
  EXPECT_NE((**oracle.Enclosures(0))[0].balls()[0].midpoint,
            (**oracle.Enclosures(1))[0].balls()[0].midpoint);
}

TEST(Oracle, DoesNotKnowOperationsOutsideOfTheCatalogue) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {1}};
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType{0x10001}, {input}, {builder.Output(spec)});
  TestCase test_case = CaseWith(builder.model(), {{1}}, {{1}});
  test_case.model.extensionNameToPrefix = {{"com.example.test", 1}};
  Oracle oracle(test_case);
  EXPECT_TRUE(absl::IsUnimplemented(oracle.Expected(0).status())) << oracle.Expected(0).status();
  EXPECT_TRUE(absl::IsUnimplemented(oracle.Enclosures(0).status()));
}

TEST(Oracle, AnswersForTemporariesAsWell) {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2}};
  const uint32_t a = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t twice = builder.Temporary(spec);
  builder.Operation(OperationType::ADD, {a, a, none}, {twice});
  builder.Operation(OperationType::MUL, {twice, a, none}, {builder.Output(spec)});
  const TestCase test_case = CaseWith(builder.model(), {{1, 3}}, {{2, 18}});
  Oracle oracle(test_case, {.has_temporaries = true});
  const auto temporaries = oracle.Temporaries(0);
  ASSERT_TRUE(temporaries.ok()) << temporaries.status();
  ASSERT_EQ(temporaries->size(), 1U);
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, (*temporaries)[0].data), ElementsAre(2, 6));
  EXPECT_EQ(*oracle.Expected(0), test_case.examples[0].outputs);
  EXPECT_EQ(**oracle.OutputsAndTemporaries(0),
            (std::vector<ExpectedOutput>{test_case.examples[0].outputs[0], (*temporaries)[0]}));
  EXPECT_EQ((*oracle.Enclosures(0))->size(), 1U);
  EXPECT_EQ((**oracle.GraphWithTemporaries()).model().outputIndexes.size(), 2U);
  EXPECT_TRUE(absl::IsFailedPrecondition(Oracle(test_case).Temporaries(0).status()));
}

TEST(Oracle, AnInvalidModelHasNoAnswer) {
  TestCase test_case = AddCase();
  test_case.model.operations[0].inputs.clear();
  Oracle oracle(test_case);
  EXPECT_TRUE(absl::IsInvalidArgument(oracle.Expected(0).status()));
}

}  // namespace
}  // namespace nncert
