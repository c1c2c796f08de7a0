// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/graphs/graph_maker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "cases/case_file.h"
#include "cases/element_values.h"
#include "harness/judging/model_parts.h"
#include "harness/judging/oracle.h"
#include "random_graph/graph_plan.h"
#include "reference/catalogue.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::OperationType;

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

// A driver that gives no number beyond 100 is known by some graphs of every theme.
TEST(GraphPlanTest, ElementsOfAQuarterOfTheGraphsGoFar) {
  const GraphPlan plan(/*seed=*/1, HalVersion::V1_2);
  size_t far = 0;
  size_t halves = 0;
  constexpr uint64_t kGraphs = 20000;
  for (uint64_t number = 0; number < kGraphs; ++number) {
    const GraphWishes wishes = plan.WishesOf(number);
    if (wishes.operands.reach == 1) continue;
    ++far;
    // The product of two such halves is a half.
    const double most = 2 * wishes.operands.reach;
    EXPECT_GT(most, 100);
    if (!wishes.is_relaxed) continue;
    ++halves;
    EXPECT_LT(most * most, 65504);
  }
  EXPECT_GT(far, kGraphs / 5);
  EXPECT_LT(far, kGraphs / 3);
  EXPECT_GT(halves, 0);
}

// The greatest magnitude of real numbers that an output stands for; infinity if one is NaN.
double MagnitudeOf(const hal::V1_2::Operand& operand, const std::vector<uint8_t>& data) {
  double magnitude = 0;
  for (double element : DecodeElements(operand.type, data)) {
    if (std::isnan(element)) return std::numeric_limits<double>::infinity();
    if (IsQuantized(operand.type)) element = (element - operand.zeroPoint) * operand.scale;
    magnitude = std::max(magnitude, std::abs(element));
  }
  return magnitude;
}

// What operations read is in the ranges that their rules hint at only if ranges are true: other
// results are infinite, or NaN, and say nothing.
TEST(GraphPlanTest, ResultsAreAboutWhereTheyWereReckonedToBe) {
  SplitMix64 random(6);
  GraphMaker maker(random);
  const GraphPlan plan(/*seed=*/6, HalVersion::V1_2);
  size_t outputs = 0;
  std::vector<std::string> far;
  for (uint64_t number = 0; number < 8000; ++number) {
    const GraphWishes wishes = plan.WishesOf(number);
    if (IsHostile(wishes.elements)) continue;
    TestCase graph = maker.Make(wishes);
    const std::map<uint32_t, ValueRange> ranges = maker.Ranges();
    const std::vector<uint32_t> temporaries = TemporariesOf(graph.model);
    graph.model = WithExposed(std::move(graph.model), temporaries);
    const auto expected = Oracle(graph).Expected(0);
    ASSERT_TRUE(expected.ok()) << "graph " << number << ": " << expected.status();
    std::map<uint32_t, const ExpectedOutput*> values;
    for (size_t i = 0; i < expected->size(); ++i) {
      values[graph.model.outputIndexes[i]] = &(*expected)[i];
    }
    // What is far from its range, and what comes of that.
    std::set<uint32_t> strange;
    for (const hal::V1_2::Operation& operation : graph.model.operations) {
      const bool reads_strange =
          std::any_of(operation.inputs.begin(), operation.inputs.end(),
                      [&](uint32_t input) { return strange.contains(input); });
      for (const uint32_t output : operation.outputs) {
        if (reads_strange) strange.insert(output);
        const auto range = ranges.find(output);
        if (reads_strange || range == ranges.end()) continue;
        ++outputs;
        const double magnitude = MagnitudeOf(graph.model.operands[output], values.at(output)->data);
        // Ranges are those of most elements: sums are seldom as large as they could be.
        if (magnitude <= 16 * std::max(range->second.Magnitude(), 1e-3)) continue;
        strange.insert(output);
        // A slice of zeros has no direction.
        if (operation.type == OperationType::L2_NORMALIZATION) continue;
        // Nearly all products of many numbers in [-1, 1] are small; those of ones are not.
        if (operation.type == OperationType::REDUCE_PROD && magnitude <= 1) continue;
        far.push_back(absl::StrCat(FindOperation(operation.type)->name(), " of graph ", number,
                                   ": ", magnitude, " for ", range->second.Magnitude()));
      }
    }
  }
  EXPECT_LT(far.size(), outputs / 5000) << absl::StrJoin(far, "\n");
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
  for (const auto operations : {AllOperations(), AllExtensionOperations()}) {
    for (const OperationDefinition* operation : operations) {
      for (const OperandTypes& types : TypeCombinations(*operation, HalVersion::V1_2)) {
        all.insert({operation->name(), types.inputs.front()});
      }
    }
  }
  EXPECT_EQ(pairs, all);
  EXPECT_GE(all.size(), 259);
}

INSTANTIATE_TEST_SUITE_P(EveryOperation, OperationGraphTest,
                         testing::ValuesIn(std::vector<const OperationDefinition*>(
                             AllOperations().begin(), AllOperations().end())),
                         [](const auto& test) { return std::string(test.param->name()); });

INSTANTIATE_TEST_SUITE_P(OfExtensions, OperationGraphTest,
                         testing::ValuesIn(AllExtensionOperations()), [](const auto& test) {
                           return absl::StrReplaceAll(test.param->name(), {{".", "_"}});
                         });

}  // namespace
}  // namespace nncert
