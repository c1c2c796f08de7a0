// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The graphs that drivers are certified by ask everything of every operation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "cases/coverage/coverage.h"
#include "cases/coverage/coverage_counter.h"
#include "random_graph/campaign_run.h"
#include "random_graph/graph_plan.h"
#include "reference/catalogue.h"
#include "reference/operand_types.h"

namespace nncert {
namespace {

using ::testing::IsEmpty;

// A condition, and which operations can meet it.
struct Reach {
  std::string_view condition;
  // Whether the operation can, by its signature.
  std::function<bool(const OperationDefinition& operation)> can_meet;
  // Those that cannot all the same, for the reason that stands beside them.
  std::set<std::string> cannot;
};

bool HasSlot(const OperationDefinition& operation, std::string_view name) {
  const std::vector<OperandRule>& inputs = operation.signature.inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [name](const OperandRule& rule) { return rule.name() == name; });
}

bool CanAny(const OperationDefinition& /*operation*/) { return true; }

bool IsValue(const OperandRule& rule) { return rule.is_tensor() && !rule.is_parameter(); }

// Two tensors may be one: of one type and one rank.
bool CanReadTwice(const OperationDefinition& operation) {
  const std::vector<OperandRule>& inputs = operation.signature.inputs;
  for (const OperandTypes& types : TypeCombinations(operation, HalVersion::V1_2)) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!IsValue(inputs[i])) continue;
      if (inputs[i].is_variadic()) return true;
      for (size_t k = 0; k < i; ++k) {
        if (!IsValue(inputs[k]) || types.inputs[i] != types.inputs[k]) continue;
        for (int rank = 1; rank <= 4; ++rank) {
          if (inputs[i].AllowsRank(rank, HalVersion::V1_2) &&
              inputs[k].AllowsRank(rank, HalVersion::V1_2)) {
            return true;
          }
        }
      }
    }
  }
  return false;
}

int GreatestRank(const OperationDefinition& operation) {
  int greatest = 0;
  for (int rank = 1; rank <= 4; ++rank) {
    if (operation.signature.inputs[0].AllowsRank(rank, HalVersion::V1_2)) greatest = rank;
  }
  return greatest;
}

std::vector<Reach> AllReaches() {
  return {
      {"constant", CanAny, {}},
      {"first_constant", CanAny, {}},
      {"variable", CanAny, {}},
      {"internal", CanAny, {}},
      {"operations>1", CanAny, {}},
      {"consumers>1", CanAny, {}},
      // There are four times as many numbers of boxes as scores; deltas that are boxes overflow.
      {"same_operand",
       CanReadTwice,
       {"BOX_WITH_NMS_LIMIT", "GENERATE_PROPOSALS", "AXIS_ALIGNED_BBOX_TRANSFORM"}},
      {"batch>1", CanAny, {}},
      {"dimension>16", CanAny, {}},
      {"dimension>64", CanAny, {}},
      {"dimension>512", CanAny, {}},
      {"elements>4096", CanAny, {}},
      // The rows of its first tensor are the four corners of a box.
      {"inner>16@inner%8", CanAny, {"AXIS_ALIGNED_BBOX_TRANSFORM"}},
      {"rank>3", [](const OperationDefinition& o) { return GreatestRank(o) > 3; }, {}},
      {"nchw", [](const OperationDefinition& o) { return HasSlot(o, "layout"); }, {}},
      {"wide_stride", [](const OperationDefinition& o) { return HasSlot(o, "strideWidth"); }, {}},
      {"relaxed", CanAny, {}},
  };
}

const Coverage& CertificationCoverage() {
  static const Coverage* const coverage = [] {
    GraphPlan plan(kCertificationSeed, HalVersion::V1_2);
    CoverageCounter counter;
    const uint64_t graphs = CertificationGraphs(HalVersion::V1_2);
    for (uint64_t number = 0; number < graphs; ++number) counter.Add(plan.Make(number));
    return new Coverage(counter.Result());
  }();
  return *coverage;
}

TEST(GraphCoverageTest, EveryConditionIsMetByEveryOperationThatCan) {
  const Coverage& coverage = CertificationCoverage();
  for (const Reach& reach : AllReaches()) {
    std::vector<std::string> gaps;
    size_t can = 0;
    uint64_t least = UINT64_MAX;
    for (const OperationDefinition* operation : AllOperations()) {
      const std::string name = operation->name();
      if (!reach.can_meet(*operation) || reach.cannot.contains(name)) continue;
      ++can;
      const uint64_t count = coverage.Count(name, reach.condition);
      least = std::min(least, count);
      if (count == 0) gaps.push_back(name);
    }
    std::cout << reach.condition << ": " << can - gaps.size() << " of " << can
              << " operations, the least " << least << " times" << std::endl;
    EXPECT_THAT(gaps, IsEmpty()) << reach.condition << " is never so of "
                                 << absl::StrJoin(gaps, ", ");
    for (const std::string& name : reach.cannot) {
      EXPECT_EQ(coverage.Count(name, reach.condition), 0)
          << name << " can meet " << reach.condition << " after all";
    }
  }
}

// Every operation reads what another one wrote, and is read by others, if it has outputs that can
// be.
TEST(GraphCoverageTest, EveryOptionalOperandIsThereAndIsLeftOut) {
  const Coverage& coverage = CertificationCoverage();
  for (const OperationDefinition* operation : AllOperations()) {
    for (const OperandRule& rule : operation->signature.inputs) {
      if (rule.presence() == Presence::kRequired) continue;
      EXPECT_GT(coverage.Count(operation->name(), "with " + rule.name()), 0)
          << operation->name() << " never has " << rule.name();
      EXPECT_GT(coverage.Count(operation->name(), "without " + rule.name()), 0)
          << operation->name() << " always has " << rule.name();
    }
  }
}

TEST(GraphCoverageTest, EveryFusedActivationIsMet) {
  const Coverage& coverage = CertificationCoverage();
  for (const OperationDefinition* operation : AllOperations()) {
    const std::vector<OperandRule>& inputs = operation->signature.inputs;
    const auto is_fused = [](const OperandRule& rule) {
      return rule.name() == "activation" && rule.values().highest == 3;
    };
    if (std::none_of(inputs.begin(), inputs.end(), is_fused)) continue;
    for (const char* const activation :
         {"activation: 0", "activation: 1", "activation: 2", "activation: 3"}) {
      EXPECT_GT(coverage.Count(operation->name(), activation), 0)
          << operation->name() << " never has " << activation;
    }
  }
}

}  // namespace
}  // namespace nncert
