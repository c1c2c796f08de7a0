// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The graphs that drivers are certified by ask everything of every operation.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_join.h"
#include "cases/coverage/coverage.h"
#include "cases/coverage/coverage_counter.h"
#include "cases/coverage/coverage_items.h"
#include "random_graph/campaign_run.h"
#include "random_graph/graph_plan.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using ::testing::IsEmpty;

// Operations whose random graphs never meet a condition that CanMeet grants them, for the reason
// beside them.
const std::map<std::string_view, std::set<std::string>>& Exceptions() {
  static const auto* const exceptions = new std::map<std::string_view, std::set<std::string>>{
      // Deltas that are boxes of any size overflow; there are four times as many deltas as scores,
      // in whatever layout.
      {"same_operand", {"AXIS_ALIGNED_BBOX_TRANSFORM", "GENERATE_PROPOSALS"}},
  };
  return *exceptions;
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
  for (const CoverageCondition& condition : CoverageConditions()) {
    const auto found = Exceptions().find(condition.text);
    const std::set<std::string> cannot =
        found == Exceptions().end() ? std::set<std::string>() : found->second;
    std::vector<std::string> gaps;
    size_t can = 0;
    uint64_t least = UINT64_MAX;
    for (const OperationDefinition* operation : AllOperations()) {
      const std::string name = operation->name();
      if (!CanMeet(*operation, condition.text) || cannot.contains(name)) continue;
      ++can;
      const uint64_t count = coverage.Count(name, condition.text);
      least = std::min(least, count);
      if (count == 0) gaps.push_back(name);
    }
    std::cout << condition.text << ": " << can - gaps.size() << " of " << can
              << " operations, the least " << least << " times" << std::endl;
    EXPECT_THAT(gaps, IsEmpty()) << condition.text << " is never so of "
                                 << absl::StrJoin(gaps, ", ");
    for (const std::string& name : cannot) {
      EXPECT_EQ(coverage.Count(name, condition.text), 0)
          << name << " can meet " << condition.text << " after all";
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
