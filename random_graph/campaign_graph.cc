// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign_graph.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/element_values.h"
#include "generators/graphs/random_elements.h"
#include "harness/judging/oracle.h"
#include "reference/execution/executor.h"
#include "reference/execution/graph.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

constexpr char kOverflow[] = "overflow";
constexpr char kUnderflow[] = "underflow";
constexpr char kUndefined[] = "undefined";
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

// Whether single precision makes no number of what has one.
bool IsUndefinedInFloats(const OutputValue& in_doubles, const OutputValue& in_floats) {
  if (!IsFloatingPoint(in_doubles.info.type)) return false;
  const std::vector<double> floats = DecodeElements(in_doubles.info.type, in_floats.bytes());
  const absl::Span<const double> doubles = in_doubles.doubles();
  for (size_t i = 0; i < std::min(doubles.size(), floats.size()); ++i) {
    if (std::isfinite(doubles[i]) && !std::isfinite(floats[i])) return true;
  }
  return false;
}

// What all values of all examples make of their graph.
std::string ClassOf(const TestCase& test_case) {
  Oracle oracle(test_case, {.has_temporaries = true});
  const absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph = oracle.GraphWithTemporaries();
  if (!graph.ok()) return "";
  for (const Example& example : test_case.examples) {
    const std::vector<InputArgument> arguments = ArgumentsOf(example);
    const absl::StatusOr<std::vector<OutputValue>> doubles =
        (**graph).Execute(NumberSystem::kDouble, arguments, {}, {});
    if (!doubles.ok()) continue;
    for (const OutputValue& value : *doubles) {
      std::string hostile_class = ClassOf(value, test_case.model.relaxComputationFloat32toFloat16);
      if (!hostile_class.empty()) return hostile_class;
    }
    const absl::StatusOr<std::vector<OutputValue>> floats =
        (**graph).Execute(NumberSystem::kFloat, arguments, {}, {});
    for (size_t i = 0; floats.ok() && i < floats->size(); ++i) {
      if (IsUndefinedInFloats((*doubles)[i], (*floats)[i])) return kUndefined;
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
