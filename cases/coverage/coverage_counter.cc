// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/coverage/coverage_counter.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "cases/coverage/coverage_items.h"
#include "glog/logging.h"
#include "hal/version.h"
#include "reference/calls/condition.h"
#include "reference/extension.h"
#include "reference/signature.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

// The greatest constants whose values conditions and counts ask for: scalars.
constexpr size_t kLargestConstant = 8;

// One entry of CoverageConditions.
using Conjunction = std::vector<Condition>;

const std::vector<Conjunction>& Conjunctions() {
  static const auto* const all = [] {
    auto* conjunctions = new std::vector<Conjunction>;
    for (const CoverageCondition& described : CoverageConditions()) {
      Conjunction& conjunction = conjunctions->emplace_back();
      for (const absl::string_view part : absl::StrSplit(std::string(described.text), '@')) {
        absl::StatusOr<Condition> condition = Condition::Parse(std::string(part));
        CHECK(condition.ok()) << condition.status();
        conjunction.push_back(*std::move(condition));
      }
    }
    return conjunctions;
  }();
  return *all;
}

bool IsThere(const OperationCall& call, int slot) {
  return call.slots[slot].count > 0 && !call.inputs[call.slots[slot].first].is_omitted;
}

// Whether an input is in every operation.
bool IsAlwaysThere(const OperationDefinition& definition, int slot) {
  if (definition.signature.inputs[slot].presence() != Presence::kRequired) return false;
  const std::vector<std::vector<int>> forms = definition.signature.AllForms();
  return std::all_of(forms.begin(), forms.end(), [slot](const std::vector<int>& form) {
    return std::find(form.begin(), form.end(), slot) != form.end();
  });
}

// What is counted of the operands of an operation.
struct Counted {
  // By input.
  std::vector<bool> constness;
  // By input, outputs behind inputs.
  std::vector<bool> types;
  // For each constraint the inputs that it is about and that are not always there.
  std::vector<std::vector<int>> optional_slots;
};

Counted WhatIsCounted(const OperationDefinition& definition) {
  Counted counted;
  const std::vector<OperandRule>& inputs = definition.signature.inputs;
  for (size_t slot = 0; slot < inputs.size(); ++slot) {
    counted.constness.push_back(HasConstness(definition, slot));
    // The first one's type is the operation's.
    counted.types.push_back(slot > 0 && HasChoiceOfTypes(inputs[slot]));
  }
  for (const OperandRule& output : definition.signature.outputs) {
    counted.types.push_back(HasChoiceOfTypes(output));
  }
  for (const Constraint& constraint : definition.constraints) {
    std::vector<int>& slots = counted.optional_slots.emplace_back();
    for (const std::vector<int>* const list :
         {&constraint.operands.shapes, &constraint.operands.values, &constraint.operands.others}) {
      for (const int slot : *list) {
        if (slot >= 0 && !IsAlwaysThere(definition, slot)) slots.push_back(slot);
      }
    }
  }
  return counted;
}

const Counted& CountedOf(const OperationDefinition& definition) {
  thread_local std::map<const OperationDefinition*, Counted> known;
  const auto found = known.find(&definition);
  if (found != known.end()) return found->second;
  return known.emplace(&definition, WhatIsCounted(definition)).first->second;
}

}  // namespace

std::vector<size_t> ConditionsOf(const OperationCall& call) {
  std::vector<size_t> met;
  for (size_t i = 0; i < Conjunctions().size(); ++i) {
    const Conjunction& conditions = Conjunctions()[i];
    const bool is_met = std::all_of(conditions.begin(), conditions.end(),
                                    [&](const auto& one) { return one.Holds(call); });
    if (is_met) met.push_back(i);
  }
  return met;
}

void CoverageCounter::Add(const TestCase& test_case) {
  ++cases_;
  const bool is_renumbered = !test_case.model.extensionNameToPrefix.empty();
  const hal::V1_2::Model renumbered =
      is_renumbered ? WithCataloguePrefixes(test_case.model) : hal::V1_2::Model();
  const hal::V1_2::Model& model = is_renumbered ? renumbered : test_case.model;
  std::vector<const OperationDefinition*> writers(model.operands.size());
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const absl::StatusOr<OperationCall> call = CallOf(model, i, kLargestConstant);
    if (!call.ok()) continue;
    AddOperation(test_case, *call);
    for (const uint32_t input : model.operations[i].inputs) {
      if (writers[input] != nullptr) ++edges_[{writers[input], call->definition}];
    }
    for (const uint32_t output : model.operations[i].outputs) writers[output] = call->definition;
  }
}

void CoverageCounter::AddOperation(const TestCase& test_case, const OperationCall& call) {
  const std::vector<OperandRule>& rules = call.definition->signature.inputs;
  Counts& counts = counts_[{call.definition, call.inputs.front().operand.type}];
  counts.conditions.resize(Conjunctions().size());
  counts.presence.resize(rules.size());
  counts.constness.resize(rules.size());
  counts.constraints.resize(call.definition->constraints.size());
  ++counts.count;
  ++counts.versions[static_cast<size_t>(test_case.minimumVersion.value_or(HalVersion::V1_2))];
  const size_t rank = call.FirstTensor().operand.dimensions.size();
  ++counts.ranks[std::min(rank, counts.ranks.size() - 1)];
  for (const size_t condition : ConditionsOf(call)) ++counts.conditions[condition];
  AddOperands(call, counts);
}

void CoverageCounter::AddOperands(const OperationCall& call, Counts& counts) {
  const std::vector<OperandRule>& rules = call.definition->signature.inputs;
  const Counted& counted = CountedOf(*call.definition);
  for (size_t slot = 0; slot < rules.size(); ++slot) {
    const bool is_there = IsThere(call, static_cast<int>(slot));
    if (rules[slot].presence() != Presence::kRequired) ++counts.presence[slot][is_there ? 0 : 1];
    if (!is_there) continue;
    const ValuedOperand& operand = call.inputs[call.slots[slot].first];
    if (counted.constness[slot]) ++counts.constness[slot][operand.is_constant() ? 0 : 1];
    if (counted.types[slot]) ++counts.types[{slot, operand.operand.type}];
    if (rules[slot].is_tensor()) continue;
    const std::optional<int32_t> value = call.Integer(rules[slot].name());
    if (value.has_value()) ++counts.values[{slot, ClassOfValue(*value)}];
  }
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    const size_t slot = rules.size() + i;
    // Of a variadic output there are more than the signature has.
    if (slot >= counted.types.size() || !counted.types[slot]) continue;
    ++counts.types[{slot, call.outputs[i].operand.type}];
  }
  for (size_t i = 0; i < counted.optional_slots.size(); ++i) {
    const std::vector<int>& slots = counted.optional_slots[i];
    const bool is_met = slots.empty() || std::any_of(slots.begin(), slots.end(),
                                                     [&](int slot) { return IsThere(call, slot); });
    if (is_met) ++counts.constraints[i];
  }
}

Coverage CoverageCounter::Result() const {
  Coverage coverage;
  coverage.cases = cases_;
  for (const auto& [key, counts] : counts_) {
    const auto& [definition, type] = key;
    const std::vector<OperandRule>& rules = definition->signature.inputs;
    OperationCoverage& entry = coverage.operations[{definition->name(), std::string(NameOf(type))}];
    entry.count = counts.count;
    const auto add = [&entry](const std::string& feature, uint64_t count) {
      if (count > 0) entry.features[feature] = count;
    };
    for (const HalVersion version : hal::kHalVersions) {
      add(absl::StrCat("version=", std::string(hal::toString(version))),
          counts.versions[static_cast<size_t>(version)]);
    }
    for (size_t rank = 0; rank < counts.ranks.size(); ++rank) {
      add(absl::StrCat("rank=", rank), counts.ranks[rank]);
    }
    for (size_t i = 0; i < counts.conditions.size(); ++i) {
      add(std::string(CoverageConditions()[i].text), counts.conditions[i]);
    }
    for (size_t slot = 0; slot < rules.size(); ++slot) {
      add(absl::StrCat("with ", rules[slot].name()), counts.presence[slot][0]);
      add(absl::StrCat("without ", rules[slot].name()), counts.presence[slot][1]);
      add(absl::StrCat("constant ", rules[slot].name()), counts.constness[slot][0]);
      add(absl::StrCat("variable ", rules[slot].name()), counts.constness[slot][1]);
    }
    for (const auto& [slot_and_value, count] : counts.values) {
      add(FeatureOfValue(rules[slot_and_value.first].name(), slot_and_value.second), count);
    }
    for (const auto& [slot_and_type, count] : counts.types) {
      const size_t slot = slot_and_type.first;
      const OperandRule& rule =
          slot < rules.size() ? rules[slot] : definition->signature.outputs[slot - rules.size()];
      add(FeatureOfType(rule.name(), slot_and_type.second), count);
    }
    for (size_t i = 0; i < counts.constraints.size(); ++i) {
      add(definition->constraints[i].label, counts.constraints[i]);
    }
  }
  for (const auto& [edge, count] : edges_) {
    coverage.edges[{edge.first->name(), edge.second->name()}] = count;
  }
  return coverage;
}

}  // namespace nncert
