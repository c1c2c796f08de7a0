// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/reducer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cases/testing/same_case.h"
#include "generators/graphs/graph_maker.h"
#include "hal/testing/status_is.h"
#include "random/split_mix.h"
#include "random_graph/graph_plan.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;

bool HasOperation(const TestCase& test_case, OperationType type) {
  return std::any_of(test_case.model.operations.begin(), test_case.model.operations.end(),
                     [type](const auto& operation) { return operation.type == type; });
}

// A graph of the plan with at least `least` operations, an ADD among them.
TestCase GraphWithAdd(size_t least) {
  GraphPlan plan(/*seed=*/1, hal::HalVersion::V1_2);
  for (uint64_t number = 0;; ++number) {
    if (plan.WishesOf(number).operations < least) continue;
    TestCase graph = plan.Make(number);
    if (HasOperation(graph, OperationType::ADD)) return graph;
  }
}

TEST(ReducerTest, LeavesTheOperationThatFails) {
  const TestCase graph = GraphWithAdd(20);
  const auto fails = [](const TestCase& smaller) {
    return HasOperation(smaller, OperationType::ADD);
  };
  const auto reduction = Reduce(graph, fails, {.time = absl::Minutes(1)});
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  EXPECT_TRUE(reduction->is_minimal);
  EXPECT_GT(reduction->steps, 0);
  const TestCase& smallest = reduction->smallest;
  EXPECT_EQ(smallest.name, graph.name);
  ASSERT_EQ(smallest.model.operations.size(), 1);
  // The smallest ADD that there is: of one element, zero, each.
  for (const uint32_t input : smallest.model.operations[0].inputs) {
    const auto& dimensions = smallest.model.operands[input].dimensions;
    EXPECT_TRUE(std::all_of(dimensions.begin(), dimensions.end(),
                            [](uint32_t dimension) { return dimension == 1; }));
  }
}

TEST(ReducerTest, KeepsTwoOperationsThatFailTogether) {
  const TestCase graph = GraphWithAdd(20);
  const OperationType other = graph.model.operations.front().type;
  const auto fails = [other](const TestCase& smaller) {
    return HasOperation(smaller, OperationType::ADD) && HasOperation(smaller, other);
  };
  const auto reduction = Reduce(graph, fails, {.time = absl::Minutes(1)});
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  EXPECT_EQ(reduction->smallest.model.operations.size(), other == OperationType::ADD ? 1 : 2);
}

TEST(ReducerTest, KeepsTheElementThatFails) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {4, 5}});
  const uint32_t output = builder.Output({OperandType::TENSOR_FLOAT32, {4, 5}});
  builder.Operation(OperationType::ABS, {input}, {output});
  TestCase test_case;
  test_case.name = "abs";
  test_case.model = builder.model();
  std::vector<double> values(20, 0.25);
  values[7] = -3;
  test_case.examples = {{{{false, {4, 5}, BytesOf(OperandType::TENSOR_FLOAT32, values)}}, {}}};
  const auto fails = [](const TestCase& smaller) {
    const std::vector<double> given =
        NumbersOf(OperandType::TENSOR_FLOAT32, smaller.examples[0].inputs[0].data);
    return std::find(given.begin(), given.end(), -3) != given.end();
  };
  const auto reduction = Reduce(test_case, fails, {.time = absl::Minutes(1)});
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  const InputValue& left = reduction->smallest.examples[0].inputs[0];
  // Elements are taken from the beginning.
  EXPECT_THAT(left.dimensions, ElementsAre(2, 3));
  EXPECT_THAT(NumbersOf(OperandType::TENSOR_FLOAT32, left.data), ElementsAre(0, 0, 0, 0, 0, -3));
}

// A graph of five operations, an ADD among them, with three examples.
TestCase GraphWithExamples() {
  SplitMix64 random(1);
  GraphMaker maker(random);
  GraphPlan plan(/*seed=*/1, hal::HalVersion::V1_2);
  for (uint64_t number = 0;; ++number) {
    GraphWishes wishes = plan.WishesOf(number);
    wishes.operations = 5;
    wishes.examples = 3;
    TestCase graph = maker.Make(wishes);
    if (HasOperation(graph, OperationType::ADD)) return graph;
  }
}

TEST(ReducerTest, KeepsTwoExamplesThatFailTogether) {
  const TestCase graph = GraphWithExamples();
  const auto fails = [](const TestCase& smaller) {
    return HasOperation(smaller, OperationType::ADD) && smaller.examples.size() > 1;
  };
  const auto reduction = Reduce(graph, fails, {.time = absl::Minutes(1)});
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  EXPECT_TRUE(reduction->is_minimal);
  const TestCase& smallest = reduction->smallest;
  EXPECT_EQ(smallest.model.operations.size(), 1);
  EXPECT_EQ(smallest.examples.size(), 2);
  for (const Example& example : smallest.examples) {
    for (const InputValue& input : example.inputs) {
      EXPECT_THAT(input.dimensions, Each(1));
      EXPECT_THAT(input.data, Each(0));
    }
  }
}

// The bytes of all constants that are in pools.
size_t BytesInPools(const TestCase& test_case) {
  size_t bytes = 0;
  for (const hal::V1_2::Operand& operand : test_case.model.operands) {
    if (operand.lifetime == hal::V1_2::OperandLifeTime::CONSTANT_REFERENCE) {
      bytes += operand.location.length;
    }
  }
  return bytes;
}

TEST(ReducerTest, KeepsOneConstantInAPoolWhenItTakesOne) {
  GraphPlan plan(/*seed=*/1, hal::HalVersion::V1_2);
  TestCase graph;
  for (uint64_t number = 0; graph.model.operations.size() < 5 || BytesInPools(graph) < 100;
       ++number) {
    graph = plan.WishesOf(number).has_pool ? plan.Make(number) : TestCase();
  }
  const auto fails = [](const TestCase& smaller) { return BytesInPools(smaller) > 0; };
  const auto reduction = Reduce(graph, fails, {.time = absl::Minutes(1)});
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  EXPECT_TRUE(reduction->is_minimal);
  const hal::V1_2::Model& model = reduction->smallest.model;
  EXPECT_EQ(model.operations.size(), 1);
  ASSERT_EQ(model.pools.size(), 1);
  EXPECT_LE(model.pools[0].size(), 4);
}

TEST(ReducerTest, TakesConstantsOutOfPoolsThatNothingDependsOn) {
  GraphPlan plan(/*seed=*/1, hal::HalVersion::V1_2);
  uint64_t number = 0;
  while (!plan.WishesOf(number).has_pool || plan.Make(number).model.pools.empty()) ++number;
  const auto reduction =
      Reduce(plan.Make(number), [](const TestCase&) { return true; }, {.time = absl::Minutes(1)});
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  EXPECT_TRUE(reduction->smallest.model.pools.empty());
}

TEST(ReducerTest, PutsSinglePrecisionInPlaceOfHalf) {
  ModelBuilder builder;
  builder.Relaxed();
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT16, {2}});
  const uint32_t constant = builder.Constant({OperandType::TENSOR_FLOAT16, {2}}, {0.5, 3});
  const uint32_t none = builder.Int32(0);
  const uint32_t output = builder.Output({OperandType::TENSOR_FLOAT16, {2}});
  builder.Operation(OperationType::MUL, {input, constant, none}, {output});
  TestCase test_case;
  test_case.name = "mul";
  test_case.model = builder.model();
  test_case.examples = {{{{false, {2}, BytesOf(OperandType::TENSOR_FLOAT16, {{2, 7}})}}, {}}};
  const auto reduction =
      Reduce(test_case, [](const TestCase& smaller) { return !smaller.examples.empty(); },
             {.time = absl::Minutes(1)});
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  const hal::V1_2::Model& model = reduction->smallest.model;
  EXPECT_FALSE(model.relaxComputationFloat32toFloat16);
  for (const hal::V1_2::Operand& operand : model.operands) {
    EXPECT_THAT(operand.type, AnyOf(OperandType::TENSOR_FLOAT32, OperandType::INT32));
  }
  // Not where it takes half precision to fail.
  const auto kept = Reduce(test_case,
                           [](const TestCase& smaller) {
                             return smaller.model.operands[0].type == OperandType::TENSOR_FLOAT16;
                           },
                           {.time = absl::Minutes(1)});
  ASSERT_TRUE(kept.ok()) << kept.status();
  EXPECT_EQ(kept->smallest.model.operands[0].type, OperandType::TENSOR_FLOAT16);
}

TEST(ReducerTest, StopsWhenTimeIsUp) {
  const auto reduction = Reduce(GraphWithAdd(20), [](const TestCase&) { return true; },
                                {.time = absl::ZeroDuration()});
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  EXPECT_FALSE(reduction->is_minimal);
  EXPECT_EQ(reduction->steps, 0);
}

TEST(ReducerTest, StopsAfterSoManyTriesWithTheSameCase) {
  const auto reduce = [] {
    return Reduce(GraphWithAdd(20), [](const TestCase&) { return true; }, {.tries = 3});
  };
  const auto reduction = reduce();
  ASSERT_TRUE(reduction.ok()) << reduction.status();
  EXPECT_FALSE(reduction->is_minimal);
  EXPECT_EQ(reduction->tries, 3);
  EXPECT_EQ(DifferenceOf(reduction->smallest, reduce()->smallest), "");
}

TEST(ReducerTest, SaysWhenTheCaseDoesNotFail) {
  EXPECT_THAT(
      Reduce(GraphWithAdd(2), [](const TestCase&) { return false; }, {.time = absl::Minutes(1)})
          .status(),
      hal::testing::StatusIs(absl::StatusCode::kFailedPrecondition,
                             "neither an example by itself nor all of them together fail so"));
}

}  // namespace
}  // namespace nncert
