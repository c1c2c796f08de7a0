// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "harness/judging/oracle.h"
#include "random_graph/random_elements.h"
#include "reference/executor.h"
#include "reference/graph.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

constexpr char kOverflow[] = "overflow";
constexpr double kGreatestHalf = 65504;
// Sums and products on the way to a number may be larger than the number.
constexpr double kRoom = 16;

bool IsTooLarge(const OutputValue& value, bool is_relaxed) {
  if (!IsFloatingPoint(value.info.type)) return false;
  const bool may_be_half = is_relaxed || value.info.type == OperandType::TENSOR_FLOAT16;
  const double greatest = may_be_half ? kGreatestHalf : std::numeric_limits<float>::max();
  const absl::Span<const double> elements = value.doubles();
  return std::any_of(elements.begin(), elements.end(), [greatest](double element) {
    return std::isfinite(element) && std::abs(element) > greatest / kRoom;
  });
}

bool HasOverflow(const TestCase& test_case) {
  Oracle oracle(test_case, {.has_temporaries = true});
  const absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph = oracle.GraphWithTemporaries();
  if (!graph.ok()) return false;
  return std::any_of(
      test_case.examples.begin(), test_case.examples.end(), [&](const Example& example) {
        const absl::StatusOr<std::vector<OutputValue>> values =
            (**graph).Execute(NumberSystem::kDouble, ArgumentsOf(example), {}, {});
        return values.ok() &&
               std::any_of(values->begin(), values->end(), [&](const OutputValue& value) {
                 return IsTooLarge(value, test_case.model.relaxComputationFloat32toFloat16);
               });
      });
}

}  // namespace

CampaignGraph MakeGraph(GraphPlan& plan, uint64_t number) {
  CampaignGraph graph = {number, plan.Make(number)};
  const ElementClass elements = plan.WishesOf(number).elements;
  if (IsHostile(elements)) graph.hostile_class = std::string(toString(elements));
  return graph;
}

bool NoticeOverflow(CampaignGraph& graph) {
  if (graph.is_hostile() || !HasOverflow(graph.test_case)) return false;
  graph.hostile_class = kOverflow;
  return true;
}

}  // namespace nncert
