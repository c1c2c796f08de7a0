// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/case_shrinks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "cases/case_elements.h"
#include "hal/memory.h"
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
using ::testing::SizeIs;

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
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, evaluated->values[0].at(1).data),
              ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, evaluated->values[0].at(2).data),
              ElementsAre(-1, -2, -3, -4, -5, -6));
}

TEST(EvaluateTest, SaysWhatIsWrongWithACase) {
  TestCase test_case = TwoOperations();
  const std::vector<Example> examples = std::exchange(test_case.examples, {});
  EXPECT_THAT(
      Evaluate(test_case).status(),
      hal::testing::StatusIs(absl::StatusCode::kInvalidArgument, "the case has no examples"));
  test_case.examples = examples;
  test_case.model.operations[0].type = OperationType::ADD;
  EXPECT_THAT(Evaluate(test_case).status(),
              hal::testing::StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("ADD")));
}

TEST(EvaluateTest, TakesAllExamples) {
  TestCase test_case = TwoOperations();
  test_case.examples.push_back(test_case.examples[0]);
  test_case.examples[1].inputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {{0, 0, 0, 0, 0, 7}});
  const auto evaluated = Evaluate(test_case);
  ASSERT_TRUE(evaluated.ok()) << evaluated.status();
  ASSERT_THAT(evaluated->test_case.examples, SizeIs(2));
  EXPECT_EQ(evaluated->test_case.examples[1].inputs[0].data, test_case.examples[1].inputs[0].data);
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, evaluated->values[1].at(2).data),
              ElementsAre(-0.0, -0.0, -0.0, -0.0, -0.0, -7));
}

// input * [2, 3], with the factors behind 12 bytes of something else in a pool.
TestCase ConstantInPool() {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {2}});
  const uint32_t factors = builder.Constant({OperandType::TENSOR_FLOAT32, {2}}, {2, 3});
  const uint32_t none = builder.Int32(0);
  const uint32_t output = builder.Output({OperandType::TENSOR_FLOAT32, {2}});
  builder.Operation(OperationType::MUL, {input, factors, none}, {output});
  TestCase test_case;
  test_case.name = "constant_in_pool";
  test_case.model = builder.model();
  std::vector<uint8_t> pool(12, 0xee);
  const std::vector<uint8_t> bytes = BytesOf(OperandType::TENSOR_FLOAT32, {{2, 3}});
  pool.insert(pool.end(), bytes.begin(), bytes.end());
  hal::V1_2::Operand& constant = test_case.model.operands[factors];
  constant.lifetime = hal::V1_2::OperandLifeTime::CONSTANT_REFERENCE;
  constant.location = {0, 12, 8};
  test_case.model.pools = {hal::Memory::AllocateCopy(pool).value()};
  test_case.examples = {{{{false, {2}, BytesOf(OperandType::TENSOR_FLOAT32, {{5, 7}})}}, {}}};
  return test_case;
}

TEST(EvaluateTest, KeepsConstantsInPoolsAndNothingElseThere) {
  const auto evaluated = Evaluate(ConstantInPool());
  ASSERT_TRUE(evaluated.ok()) << evaluated.status();
  const hal::V1_2::Model& model = evaluated->test_case.model;
  ASSERT_THAT(model.pools, SizeIs(1));
  EXPECT_EQ(model.pools[0].size(), 8);
  EXPECT_EQ(model.operands[1].location.offset, 0);
  EXPECT_THAT(ElementsOf(evaluated->test_case, 1), ElementsAre(2, 3));
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, evaluated->values[0].at(3).data),
              ElementsAre(10, 21));
  EXPECT_EQ(SizeOf(evaluated->test_case)[3], 1);
}

TEST(CaseElementsTest, ReplacesConstantsInPoolsOfOneCaseAlone) {
  const TestCase test_case = ConstantInPool();
  TestCase other = test_case;
  SetElements(other, 1, 0, {1}, {9});
  EXPECT_THAT(ElementsOf(other, 1), ElementsAre(9));
  EXPECT_EQ(other.model.operands[1].location.length, 4);
  EXPECT_THAT(ElementsOf(test_case, 1), ElementsAre(2, 3));
  ASSERT_TRUE(TakeInConstants(other.model).ok());
  EXPECT_THAT(ElementsOf(other, 1), ElementsAre(9));
  EXPECT_THAT(other.model.pools, SizeIs(0));
}

TEST(CaseElementsTest, SaysWhenAPoolCannotBeRead) {
  TestCase test_case = ConstantInPool();
  test_case.model.operands[1].location.poolIndex = 3;
  EXPECT_THAT(ElementsOf(test_case, 1), SizeIs(0));
  EXPECT_THAT(TakeInConstants(test_case.model).message(), HasSubstr("lies in pool 3"));
  EXPECT_THAT(PackPools(test_case.model).message(), HasSubstr("lies in pool 3"));
}

TEST(SizeOfTest, CountsWhatMattersMostFirst) {
  TestCase test_case = TwoOperations();
  const CaseSize whole = SizeOf(test_case);
  EXPECT_EQ(whole[0], 2);
  EXPECT_EQ(whole[1], 2);
  EXPECT_EQ(whole[2], 1);
  EXPECT_EQ(whole[3], 0);
  EXPECT_EQ(whole[4], 6);
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
