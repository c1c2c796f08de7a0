// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/graph_maker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cases/case_file.h"
#include "harness/judging/oracle.h"
#include "random_graph/graph_plan.h"
#include "reference/catalogue.h"
#include "reference/model_validation.h"

namespace nncert {
namespace {

using hal::HalVersion;

// Why a graph is not one that can be judged; empty when it is.
std::string FaultOf(const TestCase& graph, HalVersion version) {
  if (const absl::Status status = ValidateModel(graph.model, version); !status.ok()) {
    return std::string(status.message());
  }
  const absl::Status status = Oracle(graph).Expected(0).status();
  return std::string(status.message());
}

class OperationGraphTest : public testing::TestWithParam<const OperationDefinition*> {};

TEST_P(OperationGraphTest, GraphsOfTheOperationAreValid) {
  const OperationDefinition& definition = *GetParam();
  for (const HalVersion version : hal::kHalVersions) {
    for (const OperandTypes& types : TypeCombinations(definition, version)) {
      for (uint64_t seed = 0; seed < 40; ++seed) {
        SplitMix64 random(seed);
        GraphMaker maker(random);
        GraphWishes wishes;
        wishes.version = version;
        wishes.operation = &definition;
        wishes.types = types;
        if (seed % 4 == 1) wishes.operands = {.most_elements = 6000, .dimension = 19};
        if (seed % 4 == 2) wishes.elements = ElementClass::kLattice;
        const TestCase graph = maker.Make(wishes);
        ASSERT_EQ(graph.model.operations.size(), 1);
        ASSERT_EQ(FaultOf(graph, version), "") << "seed " << seed << " at " << version
                                               << ", first input " << NameOf(types.inputs.front());
      }
    }
  }
}

// The graphs of campaigns, short and long.
TEST(GraphPlanTest, GraphsAreValid) {
  GraphPlan plan(/*seed=*/1, HalVersion::V1_2);
  for (uint64_t number = 0; number < 4000; ++number) {
    const TestCase graph = plan.Make(number);
    ASSERT_EQ(FaultOf(graph, plan.WishesOf(number).version), "") << graph.name;
  }
  // Recipes build on the values that there are.
  EXPECT_LT(plan.choices().declined, plan.choices().attempts / 4);
}

// Operations read what others write: of five, nearly always the one before or another.
TEST(GraphPlanTest, OperationsAreConnected) {
  SplitMix64 random(5);
  GraphMaker maker(random);
  GraphPlan plan(/*seed=*/5, HalVersion::V1_2);
  size_t unconnected = 0;
  constexpr size_t kGraphs = 500;
  for (uint64_t number = 0; number < kGraphs; ++number) {
    GraphWishes wishes = plan.WishesOf(number);
    wishes.operations = 5;
    const hal::V1_2::Model model = maker.Make(wishes).model;
    ASSERT_EQ(model.operations.size(), 5);
    std::set<uint32_t> read;
    for (const hal::V1_2::Operation& operation : model.operations) {
      read.insert(operation.inputs.begin(), operation.inputs.end());
    }
    const auto is_edge = [&](const hal::V1_2::Operation& operation) {
      return std::any_of(operation.outputs.begin(), operation.outputs.end(),
                         [&](uint32_t output) { return read.contains(output); });
    };
    unconnected += std::none_of(model.operations.begin(), model.operations.end(), is_edge);
  }
  // Those that begin with an operation whose outputs nothing can read.
  EXPECT_LT(unconnected, kGraphs / 20);
}

// The same graph on every machine, for ever: what seed and number stand for must not change.
TEST(GraphPlanTest, DependsOnSeedAndNumberAlone) {
  GraphPlan plan(/*seed=*/2, HalVersion::V1_2);
  // As files: pools are the same when their bytes are.
  const auto file_of = [](const TestCase& graph) { return SerializeCaseFile("", {graph}).value(); };
  const TestCase graph = plan.Make(17);
  plan.Make(18);
  EXPECT_EQ(file_of(plan.Make(17)), file_of(graph));
  EXPECT_EQ(graph.name, "random_2_17");
  TestCase other = GraphPlan(/*seed=*/3, HalVersion::V1_2).Make(17);
  other.name = graph.name;
  other.dynamicOutputShapeName = graph.dynamicOutputShapeName;
  EXPECT_NE(file_of(other), file_of(graph));
}

// A round has every operation in every version and combination of types.
TEST(GraphPlanTest, ARoundBeginsWithEverything) {
  const GraphPlan plan(/*seed=*/4, HalVersion::V1_2);
  std::set<std::pair<std::string, OperandType>> pairs;
  for (uint64_t number = 0; number < plan.round(); ++number) {
    const GraphWishes wishes = plan.WishesOf(plan.round() + number);
    pairs.insert({wishes.operation->name(), wishes.types->inputs.front()});
  }
  std::set<std::pair<std::string, OperandType>> all;
  for (const OperationDefinition* operation : AllOperations()) {
    for (const OperandTypes& types : TypeCombinations(*operation, HalVersion::V1_2)) {
      all.insert({operation->name(), types.inputs.front()});
    }
  }
  EXPECT_EQ(pairs, all);
  EXPECT_GE(all.size(), 259);
}

INSTANTIATE_TEST_SUITE_P(EveryOperation, OperationGraphTest,
                         testing::ValuesIn(std::vector<const OperationDefinition*>(
                             AllOperations().begin(), AllOperations().end())),
                         [](const auto& test) { return std::string(test.param->name()); });

}  // namespace
}  // namespace nncert
