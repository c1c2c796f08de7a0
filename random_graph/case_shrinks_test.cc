// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/case_shrinks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hal/testing/status_is.h"
#include "random_graph/graph_plan.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;

// input -> ABS -> NEG -> output, with the dimensions of what is between unknown.
TestCase TwoOperations() {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {2, 3}});
  const uint32_t between = builder.Temporary({OperandType::TENSOR_FLOAT32, {0, 0}});
  const uint32_t output = builder.Output({OperandType::TENSOR_FLOAT32, {2, 3}});
  builder.Operation(OperationType::ABS, {input}, {between});
  builder.Operation(OperationType::NEG, {between}, {output});
  TestCase test_case;
  test_case.name = "two_operations";
  test_case.model = builder.model();
  test_case.examples = {
      {{{false, {2, 3}, BytesOf(OperandType::TENSOR_FLOAT32, {{-1, 2, -3, 4, -5, 6}})}}, {}}};
  return test_case;
}

TEST(EvaluateTest, FindsDimensionsAndValues) {
  const auto evaluated = Evaluate(TwoOperations());
  ASSERT_TRUE(evaluated.ok()) << evaluated.status();
  EXPECT_EQ(evaluated->test_case.name, "two_operations");
  EXPECT_THAT(evaluated->test_case.model.operands[1].dimensions, ElementsAre(2, 3));
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, evaluated->values.at(1).data),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, evaluated->values.at(2).data),
              ElementsAre(-1, -2, -3, -4, -5, -6));
}

TEST(EvaluateTest, SaysWhatIsWrongWithACase) {
  TestCase test_case = TwoOperations();
  EXPECT_THAT(
      Evaluate(test_case, 1).status(),
      hal::testing::StatusIs(absl::StatusCode::kInvalidArgument, "the case has no such example"));
  test_case.model.operations[0].type = OperationType::ADD;
  EXPECT_THAT(Evaluate(test_case).status(),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ADD")));
}

TEST(SizeOfTest, CountsWhatMattersMostFirst) {
  TestCase test_case = TwoOperations();
  const CaseSize whole = SizeOf(test_case);
  EXPECT_EQ(whole[0], 2);
  EXPECT_EQ(whole[1], 2);
  EXPECT_EQ(whole[2], 6);
  test_case.examples[0].inputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {{0, 0, 0, 0, 0, 1}});
  EXPECT_LT(SizeOf(test_case), whole);
}

// Whatever is made of a random graph, it does not end the process; and each graph has a valid case
// that is smaller, or has nothing that could be.
TEST(ShrinksOfTest, MakeValidCasesOfRandomGraphs) {
  GraphPlan plan(/*seed=*/3, hal::HalVersion::V1_2);
  size_t smaller = 0;
  for (uint64_t number = 0; number < 60; ++number) {
    if (plan.WishesOf(number).operations > 20) continue;
    const auto evaluated = Evaluate(plan.Make(number));
    ASSERT_TRUE(evaluated.ok()) << evaluated.status();
    const CaseSize size = SizeOf(evaluated->test_case);
    for (const CaseShrink& shrink : ShrinksOf(*evaluated)) {
      std::optional<TestCase> made = shrink();
      if (!made.has_value()) continue;
      const auto again = Evaluate(*std::move(made));
      smaller += again.ok() && SizeOf(again->test_case) < size;
    }
  }
  EXPECT_THAT(smaller, Gt(1000));
}

}  // namespace
}  // namespace nncert
