// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "spec_tests/systematic/feature.h"

#include <algorithm>
#include <optional>

#include "cases/coverage/coverage_counter.h"
#include "cases/coverage/coverage_items.h"
#include "reference/signature.h"

namespace nncert {
namespace {

constexpr uint64_t kGreatestRank = 7;

int8_t OriginOf(const ValuedOperand& value) {
  using hal::V1_2::OperandLifeTime;
  const OperandLifeTime lifetime = value.operand.lifetime;
  if (value.is_constant()) return static_cast<int8_t>(Origin::kConstant);
  return static_cast<int8_t>(lifetime == OperandLifeTime::MODEL_INPUT ? Origin::kModelInput
                                                                      : Origin::kOperation);
}

}  // namespace

std::vector<Feature> FeaturesOf(const OperationCall& call) {
  using Kind = Feature::Kind;
  std::vector<Feature> features;
  const uint64_t rank = call.FirstTensor().operand.dimensions.size();
  features.push_back({Kind::kRank, 0, static_cast<int8_t>(std::min(rank, kGreatestRank))});
  for (const size_t condition : ConditionsOf(call)) {
    features.push_back({Kind::kCondition, static_cast<uint8_t>(condition), 1});
  }
  const std::vector<OperandRule>& rules = call.definition->signature.inputs;
  for (size_t slot = 0; slot < rules.size(); ++slot) {
    const auto index = static_cast<uint8_t>(slot);
    const SlotBinding& binding = call.slots[slot];
    const bool is_there = binding.count > 0 && !call.inputs[binding.first].is_omitted;
    if (rules[slot].presence() != Presence::kRequired) {
      features.push_back({Kind::kPresence, index, static_cast<int8_t>(is_there ? 1 : 0)});
    }
    if (!is_there) continue;
    if (rules[slot].is_tensor()) {
      features.push_back({Kind::kOrigin, index, OriginOf(call.inputs[binding.first])});
    } else if (const std::optional<int32_t> value = call.Integer(rules[slot].name());
               value.has_value()) {
      features.push_back({Kind::kValue, index, static_cast<int8_t>(ClassOfValue(*value))});
    }
  }
  return features;
}

}  // namespace nncert
