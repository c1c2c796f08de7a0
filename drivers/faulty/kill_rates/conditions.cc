// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/kill_rates/conditions.h"

#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "cases/coverage/coverage_counter.h"
#include "cases/coverage/coverage_items.h"
#include "reference/extension.h"

namespace nncert::faulty {
namespace {

// Types that drivers have code of its own for, beside that for FLOAT32.
constexpr std::array kTypes = {OperandType::TENSOR_FLOAT16, OperandType::TENSOR_QUANT8_ASYMM};

std::string ConditionOf(OperandType type) {
  return absl::StrCat("type=", std::string(NameOf(type)));
}

}  // namespace

const std::vector<std::string>& MeasuredConditions() {
  static const auto* const all = [] {
    auto* conditions = new std::vector<std::string>;
    for (const CoverageCondition& counted : CoverageConditions()) {
      conditions->emplace_back(counted.text);
    }
    for (const OperandType type : kTypes) conditions->push_back(ConditionOf(type));
    return conditions;
  }();
  return *all;
}

std::vector<size_t> MeasuredConditionsOf(const OperationCall& call) {
  std::vector<size_t> met = ConditionsOf(call);
  for (size_t i = 0; i < kTypes.size(); ++i) {
    if (call.FirstTensor().operand.type == kTypes[i])
      met.push_back(CoverageConditions().size() + i);
  }
  return met;
}

bool CanMeetMeasured(const OperationDefinition& definition, OperandType type,
                     std::string_view condition) {
  for (const OperandType one : kTypes) {
    if (condition == ConditionOf(one)) return type == one;
  }
  return CanMeet(definition, type, condition);
}

}  // namespace nncert::faulty
