// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/coverage/coverage_counter.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "glog/logging.h"
#include "hal/version.h"
#include "reference/calls/condition.h"
#include "reference/extension.h"
#include "reference/signature.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

constexpr std::string_view kConditions[] = {
    "rank<3",         "rank>3",        "dimension>16",     "dimension>64",
    "dimension>512",  "elements>4096", "inner>16@inner%8", "batch>1",
    "inputs>4",       "operations>1",  "consumers>1",      "constant",
    "first_constant", "variable",      "internal",         "same_operand",
    "nchw",           "wide_stride",   "relaxed",
};

// The greatest constants whose values conditions and counts ask for: scalars.
constexpr size_t kLargestConstant = 8;

// Scalars up to that are counted by their value, and beyond it together.
constexpr int32_t kGreatestValue = 16;

// One entry of kConditions.
using Conjunction = std::vector<Condition>;

const std::vector<Conjunction>& Conjunctions() {
  static const auto* const all = [] {
    auto* conjunctions = new std::vector<Conjunction>;
    for (const std::string_view text : kConditions) {
      Conjunction& conjunction = conjunctions->emplace_back();
      for (const absl::string_view part : absl::StrSplit(std::string(text), '@')) {
        absl::StatusOr<Condition> condition = Condition::Parse(std::string(part));
        CHECK(condition.ok()) << condition.status();
        conjunction.push_back(*std::move(condition));
      }
    }
    return conjunctions;
  }();
  return *all;
}

// What a value counts as: itself, or the first one beyond those that are counted.
int32_t ClassOf(int32_t value) { return std::clamp(value, -1, kGreatestValue + 1); }

std::string NameOfClass(const std::string& slot, int32_t value) {
  if (value < 0) return absl::StrCat(slot, ": <0");
  if (value > kGreatestValue) return absl::StrCat(slot, ": >", kGreatestValue);
  return absl::StrCat(slot, ": ", value);
}

}  // namespace

absl::Span<const std::string_view> CoverageConditions() { return kConditions; }

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
  ++counts.count;
  ++counts.versions[static_cast<size_t>(test_case.minimumVersion.value_or(HalVersion::V1_2))];
  const size_t rank = call.FirstTensor().operand.dimensions.size();
  ++counts.ranks[std::min(rank, counts.ranks.size() - 1)];
  for (const size_t condition : ConditionsOf(call)) ++counts.conditions[condition];
  for (size_t slot = 0; slot < rules.size(); ++slot) {
    const bool is_there =
        call.slots[slot].count > 0 && !call.inputs[call.slots[slot].first].is_omitted;
    if (rules[slot].presence() != Presence::kRequired) ++counts.presence[slot][is_there ? 0 : 1];
    if (rules[slot].is_tensor() || !is_there) continue;
    const std::optional<int32_t> value = call.Integer(rules[slot].name());
    if (value.has_value()) ++counts.values[{slot, ClassOf(*value)}];
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
      add(std::string(kConditions[i]), counts.conditions[i]);
    }
    for (size_t slot = 0; slot < rules.size(); ++slot) {
      add(absl::StrCat("with ", rules[slot].name()), counts.presence[slot][0]);
      add(absl::StrCat("without ", rules[slot].name()), counts.presence[slot][1]);
    }
    for (const auto& [slot_and_value, count] : counts.values) {
      add(NameOfClass(rules[slot_and_value.first].name(), slot_and_value.second), count);
    }
  }
  for (const auto& [edge, count] : edges_) {
    coverage.edges[{edge.first->name(), edge.second->name()}] = count;
  }
  return coverage;
}

}  // namespace nncert
