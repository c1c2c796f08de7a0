// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign_graph.h"

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "generators/graphs/random_elements.h"
#include "harness/judging/oracle.h"
#include "reference/executor.h"
#include "reference/graph.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

constexpr char kOverflow[] = "overflow";
constexpr char kUnderflow[] = "underflow";
constexpr double kGreatestHalf = 65504;
// Sums and products on the way to a number may be larger than the number.
constexpr double kRoom = 16;
// The root of the least normal number of single precision.
constexpr double kLeastToSquare = 0x1p-63;

// Of the numbers of a value, what they make of its graph; empty for nothing.
std::string ClassOf(const OutputValue& value, bool is_relaxed) {
  if (!IsFloatingPoint(value.info.type)) return "";
  const bool may_be_half = is_relaxed || value.info.type == OperandType::TENSOR_FLOAT16;
  const double greatest = may_be_half ? kGreatestHalf : std::numeric_limits<float>::max();
  std::string hostile_class;
  for (const double element : value.doubles()) {
    const double magnitude = std::abs(element);
    if (std::isfinite(element) && magnitude > greatest / kRoom) return kOverflow;
    if (magnitude > 0 && magnitude < kLeastToSquare) hostile_class = kUnderflow;
  }
  return hostile_class;
}

// The same of all values of all examples.
std::string ClassOf(const TestCase& test_case) {
  Oracle oracle(test_case, {.has_temporaries = true});
  const absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph = oracle.GraphWithTemporaries();
  if (!graph.ok()) return "";
  for (const Example& example : test_case.examples) {
    const absl::StatusOr<std::vector<OutputValue>> values =
        (**graph).Execute(NumberSystem::kDouble, ArgumentsOf(example), {}, {});
    if (!values.ok()) continue;
    for (const OutputValue& value : *values) {
      std::string hostile_class = ClassOf(value, test_case.model.relaxComputationFloat32toFloat16);
      if (!hostile_class.empty()) return hostile_class;
    }
  }
  return "";
}

}  // namespace

CampaignGraph MakeGraph(GraphPlan& plan, uint64_t number) {
  CampaignGraph graph = {number, plan.Make(number)};
  const ElementClass elements = plan.WishesOf(number).elements;
  if (IsHostile(elements)) graph.hostile_class = std::string(toString(elements));
  return graph;
}

bool NoticeExtremes(CampaignGraph& graph) {
  if (graph.is_hostile()) return false;
  graph.hostile_class = ClassOf(graph.test_case);
  return graph.is_hostile();
}

}  // namespace nncert
