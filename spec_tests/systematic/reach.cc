// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "spec_tests/systematic/reach.h"

#include <algorithm>
#include <array>
#include <set>

#include "absl/strings/str_cat.h"
#include "cases/coverage/coverage_items.h"
#include "reference/catalogue.h"
#include "reference/extension.h"
#include "reference/operand_types.h"

namespace nncert {
namespace {

constexpr int kGreatestRank = 4;

bool IsValue(const OperandRule& rule) { return rule.is_tensor() && !rule.is_parameter(); }

bool HasSlot(const OperationDefinition& operation, std::string_view name) {
  const std::vector<OperandRule>& inputs = operation.signature.inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [name](const OperandRule& rule) { return rule.name() == name; });
}

// The rule of the first tensor.
const OperandRule& FirstTensor(const OperationDefinition& operation) {
  const std::vector<OperandRule>& inputs = operation.signature.inputs;
  return *std::find_if(inputs.begin(), inputs.end(),
                       [](const OperandRule& rule) { return rule.is_tensor(); });
}

bool HasRankOf(const OperationDefinition& operation, int lowest, int highest) {
  for (int rank = lowest; rank <= highest; ++rank) {
    if (FirstTensor(operation).AllowsRank(rank, HalVersion::V1_2)) return true;
  }
  return false;
}

bool HaveCommonRank(const OperandRule& a, const OperandRule& b) {
  for (int rank = 1; rank <= kGreatestRank; ++rank) {
    if (a.AllowsRank(rank, HalVersion::V1_2) && b.AllowsRank(rank, HalVersion::V1_2)) return true;
  }
  return false;
}

// Two tensors may be one: of one type and one rank.
bool CanReadTwice(const OperationDefinition& operation, OperandType type) {
  const std::vector<OperandRule>& inputs = operation.signature.inputs;
  for (const OperandTypes& types : TypeCombinations(operation, HalVersion::V1_2)) {
    if (types.inputs.front() != type) continue;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!IsValue(inputs[i])) continue;
      if (inputs[i].is_variadic()) return true;
      for (size_t k = 0; k < i; ++k) {
        if (IsValue(inputs[k]) && types.inputs[i] == types.inputs[k] &&
            HaveCommonRank(inputs[i], inputs[k])) {
          return true;
        }
      }
    }
  }
  return false;
}

// The types that some operation has as an output.
bool IsWritten(OperandType type) {
  static const auto* const written = [] {
    auto* all = new std::set<OperandType>;
    for (const OperationDefinition* operation : AllOperations()) {
      for (const OperandTypes& types : TypeCombinations(*operation, HalVersion::V1_2)) {
        all->insert(types.outputs.begin(), types.outputs.end());
      }
    }
    return all;
  }();
  return written->contains(type);
}

// Whether some tensor, where the first input is of `type`, is of a type that operations write.
bool CanBeWritten(const OperationDefinition& operation, OperandType type) {
  for (const OperandTypes& types : TypeCombinations(operation, HalVersion::V1_2)) {
    if (types.inputs.front() != type) continue;
    for (size_t slot = 0; slot < types.inputs.size(); ++slot) {
      if (operation.signature.inputs[slot].is_tensor() && IsWritten(types.inputs[slot]))
        return true;
    }
  }
  return false;
}

bool CanHaveManyInputs(const OperationDefinition& operation) {
  const std::vector<OperandRule>& inputs = operation.signature.inputs;
  const auto forms = operation.signature.AllForms();
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const OperandRule& rule) { return rule.is_variadic(); }) ||
         std::any_of(forms.begin(), forms.end(), [](const auto& form) { return form.size() > 4; });
}

// A condition, and which operations can meet it.
struct Reach {
  std::string_view condition;
  // Whether the operation can, by its signature; null for all of them.
  bool (*can_meet)(const OperationDefinition& operation, OperandType type);
  // Those that cannot all the same, for the reason that stands beside them.
  std::set<std::string> cannot;
};

// In the order of CoverageConditions, but for those not listed, which all operations meet.
const std::vector<Reach>& AllReaches() {
  static const auto* const all = new std::vector<Reach>{
      {"rank<3", [](const OperationDefinition& o, OperandType) { return HasRankOf(o, 1, 2); }, {}},
      {"rank>3",
       [](const OperationDefinition& o, OperandType) {
         return HasRankOf(o, kGreatestRank, kGreatestRank);
       },
       {}},
      // The rows of its first tensor are the four corners of a box.
      {"inner>16@inner%8", nullptr, {"AXIS_ALIGNED_BBOX_TRANSFORM"}},
      {"inputs>4",
       [](const OperationDefinition& o, OperandType) { return CanHaveManyInputs(o); },
       {}},
      {"internal", &CanBeWritten, {}},
      // The graph maker has no operand with a scale for each channel read twice.
      {"consumers>1",
       [](const OperationDefinition&, OperandType type) {
         return type != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
       },
       {}},
      // There are four times as many numbers of boxes as scores; deltas that are boxes overflow.
      {"same_operand",
       &CanReadTwice,
       {"BOX_WITH_NMS_LIMIT", "GENERATE_PROPOSALS", "AXIS_ALIGNED_BBOX_TRANSFORM"}},
      {"nchw", [](const OperationDefinition& o, OperandType) { return HasSlot(o, "layout"); }, {}},
      {"wide_stride",
       [](const OperationDefinition& o, OperandType) { return HasSlot(o, "strideWidth"); },
       {}},
  };
  return *all;
}

// What an operation is to be met with beside conditions.
std::vector<std::string> KnownFeatures(const OperationDefinition& definition) {
  std::vector<std::string> features;
  for (const OperandRule& rule : definition.signature.inputs) {
    if (rule.presence() != Presence::kRequired) {
      features.push_back(absl::StrCat("with ", rule.name()));
      features.push_back(absl::StrCat("without ", rule.name()));
    }
    // The activations of cells are other values.
    const bool is_fused = rule.name() == "activation" && rule.values().highest == 3;
    const int values = is_fused ? 4 : rule.name() == "layout" ? 2 : 0;
    for (int value = 0; value < values; ++value) {
      features.push_back(absl::StrCat(rule.name(), ": ", value));
    }
  }
  return features;
}

}  // namespace

std::vector<OperandType> FirstTypes(const OperationDefinition& definition) {
  std::set<OperandType> types;
  for (const HalVersion version : hal::kHalVersions) {
    for (const OperandTypes& combination : TypeCombinations(definition, version)) {
      types.insert(combination.inputs.front());
    }
  }
  return {types.begin(), types.end()};
}

bool CanBeMadeToMeet(const OperationDefinition& definition, OperandType type,
                     std::string_view condition) {
  for (const Reach& reach : AllReaches()) {
    if (reach.condition != condition) continue;
    return (reach.can_meet == nullptr || reach.can_meet(definition, type)) &&
           !reach.cannot.contains(definition.name());
  }
  return true;
}

std::vector<std::string> GapsOf(const Coverage& coverage, GapScope scope) {
  std::vector<std::string> gaps;
  for (const OperationDefinition* definition : AllOperations()) {
    const std::string name = definition->name();
    for (const OperandType type : FirstTypes(*definition)) {
      const std::string type_name(NameOf(type));
      const auto entry = coverage.operations.find({name, type_name});
      if (entry == coverage.operations.end()) {
        gaps.push_back(absl::StrCat(name, " ", type_name));
        continue;
      }
      const auto require = [&](const std::string& feature) {
        const bool is_met = scope == GapScope::kTypes ? entry->second.features.contains(feature)
                                                      : coverage.Count(name, feature) > 0;
        if (!is_met) gaps.push_back(absl::StrCat(name, " ", type_name, ": ", feature));
      };
      for (const HalVersion version : hal::kHalVersions) {
        const std::vector<OperandTypes> combinations = TypeCombinations(*definition, version);
        const auto has_type = [type](const OperandTypes& c) { return c.inputs.front() == type; };
        if (std::any_of(combinations.begin(), combinations.end(), has_type)) {
          require(absl::StrCat("version=", std::string(hal::toString(version))));
        }
      }
      for (const CoverageCondition& condition : CoverageConditions()) {
        if (CanBeMadeToMeet(*definition, type, condition.text)) {
          require(std::string(condition.text));
        }
      }
      for (const std::string& feature : KnownFeatures(*definition)) require(feature);
    }
  }
  return gaps;
}

std::vector<std::string> WronglyListed(const Coverage& coverage) {
  std::vector<std::string> wrong;
  for (const Reach& reach : AllReaches()) {
    for (const std::string& name : reach.cannot) {
      if (coverage.Count(name, reach.condition) == 0) continue;
      wrong.push_back(absl::StrCat(name, ": ", std::string(reach.condition)));
    }
  }
  return wrong;
}

}  // namespace nncert
