// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/coverage/coverage_items.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "hal/version.h"
#include "reference/extension.h"
#include "reference/operand_types.h"

namespace nncert {
namespace {

constexpr CoverageKind kKinds[] = {
    CoverageKind::kVersion,         CoverageKind::kRank,       CoverageKind::kOperandType,
    CoverageKind::kOptionalOperand, CoverageKind::kActivation, CoverageKind::kLayout,
    CoverageKind::kAttribute,       CoverageKind::kSize,       CoverageKind::kConstness,
    CoverageKind::kCompany,         CoverageKind::kCondition,  CoverageKind::kConstraint,
};

constexpr std::string_view kSeveralColumns = "inner>16@inner%8";

constexpr CoverageCondition kConditions[] = {
    {"rank<3", CoverageKind::kRank},
    {"rank>3", CoverageKind::kRank},
    {"dimension>16", CoverageKind::kSize},
    {"dimension>64", CoverageKind::kSize},
    {"dimension>512", CoverageKind::kSize},
    {"elements>4096", CoverageKind::kSize},
    {kSeveralColumns, CoverageKind::kSize},
    {"batch>1", CoverageKind::kSize},
    {"inputs>4", CoverageKind::kCondition},
    {"operations>1", CoverageKind::kCompany},
    {"consumers>1", CoverageKind::kCompany},
    {"constant", CoverageKind::kConstness},
    {"first_constant", CoverageKind::kConstness},
    {"variable", CoverageKind::kConstness},
    {"internal", CoverageKind::kCompany},
    {"same_operand", CoverageKind::kCompany},
    {"nchw", CoverageKind::kLayout},
    {"wide_stride", CoverageKind::kCondition},
    {"relaxed", CoverageKind::kCondition},
};

// The greatest rank that the HAL speaks of.
constexpr int kGreatestRank = 4;

// A dimension that many numbers divide, and the square of some.
constexpr uint32_t kDivisible = 3600;

// Values in a row that are asked for one by one.
constexpr size_t kMostValues = 5;

int FirstTensorSlot(const OperationDefinition& definition) {
  const std::vector<OperandRule>& inputs = definition.signature.inputs;
  const auto found = std::find_if(inputs.begin(), inputs.end(),
                                  [](const OperandRule& rule) { return rule.is_tensor(); });
  return static_cast<int>(found - inputs.begin());
}

std::optional<int> FindSlot(const OperationDefinition& definition, std::string_view name) {
  const std::vector<OperandRule>& inputs = definition.signature.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].name() == name) return static_cast<int>(i);
  }
  return std::nullopt;
}

bool AllowsRank(const OperationDefinition& definition, int slot, int rank) {
  return definition.signature.inputs[slot].AllowsRank(rank, HalVersion::V1_2);
}

int GreatestRankOf(const OperationDefinition& definition, int slot) {
  int greatest = 1;
  for (int rank = 1; rank <= kGreatestRank; ++rank) {
    if (AllowsRank(definition, slot, rank)) greatest = rank;
  }
  return greatest;
}

std::vector<OperandTypes> TypesBeginningWith(const OperationDefinition& definition,
                                             OperandType type) {
  std::vector<OperandTypes> all = TypeCombinations(definition, HalVersion::V1_2);
  all.erase(std::remove_if(all.begin(), all.end(),
                           [type](const OperandTypes& types) { return types.inputs[0] != type; }),
            all.end());
  return all;
}

// An operation of a form of the signature with one operand in each slot, of which constraints are
// asked. Tensors have as many dimensions as they can; scalars are 0; what tensors hold is not
// known.
class Probe {
 public:
  Probe(const OperationDefinition& definition, const OperandTypes& types,
        const std::vector<int>& form)
      : definition_(definition),
        infos_(form.size()),
        values_(form.size()),
        bindings_(definition.signature.inputs.size()) {
    for (size_t i = 0; i < form.size(); ++i) {
      const int slot = form[i];
      bindings_[slot] = {static_cast<int>(i), 1};
      infos_[i].type = types.inputs[slot];
      infos_[i].scale = 1;
      if (!definition.signature.inputs[slot].is_tensor()) continue;
      infos_[i].dimensions.assign(GreatestRankOf(definition, slot), kDivisible);
    }
    for (const OperandType type : types.outputs) {
      outputs_.emplace_back().type = type;
      outputs_.back().scale = 1;
    }
  }

  bool Has(int slot) const { return bindings_[slot].count > 0; }
  Shape& Dimensions(int slot) { return infos_[bindings_[slot].first].dimensions; }
  void SetValue(int slot, int32_t value) { values_[bindings_[slot].first] = value; }

  bool Holds(const Constraint& constraint) const {
    std::vector<OperandState> inputs;
    for (size_t i = 0; i < infos_.size(); ++i) {
      inputs.push_back({&infos_[i], 0, false,
                        infos_[i].dimensions.empty()
                            ? reinterpret_cast<const std::byte*>(&values_[i])
                            : nullptr});
    }
    std::vector<OperandState> outputs;
    for (const OperandInfo& info : outputs_) outputs.push_back({&info, 0, false, nullptr});
    return constraint.holds(OperationContext(definition_, Stage::kExecution, HalVersion::V1_2,
                                             bindings_, inputs, outputs));
  }

 private:
  const OperationDefinition& definition_;
  std::vector<OperandInfo> infos_;
  std::vector<OperandInfo> outputs_;
  // Of scalars, of whatever type: the least significant bytes come first.
  std::vector<int64_t> values_;
  SlotBindings bindings_;
};

// The first form that has all of these slots.
std::optional<std::vector<int>> FormWith(const OperationDefinition& definition,
                                         absl::Span<const int> slots) {
  for (std::vector<int>& form : definition.signature.AllForms()) {
    const bool has_all =
        absl::c_all_of(slots, [&form](int slot) { return absl::c_linear_search(form, slot); });
    if (has_all) return std::move(form);
  }
  return std::nullopt;
}

// ---- Conditions ----

// Whether the first tensor can have more than 16 columns, and not a multiple of 8.
bool CanHaveOddColumns(const OperationDefinition& definition, const OperandTypes& types) {
  const int slot = FirstTensorSlot(definition);
  const std::optional<std::vector<int>> form = FormWith(definition, {slot});
  if (!form.has_value()) return false;
  Probe probe(definition, types, *form);
  return absl::c_any_of(std::vector<uint32_t>{17, 18, 20, 21, 36, 45}, [&](uint32_t columns) {
    probe.Dimensions(slot).back() = columns;
    return absl::c_all_of(definition.constraints, [&](const Constraint& constraint) {
      const bool is_of_slot = constraint.operands.values.empty() &&
                              constraint.operands.shapes == std::vector<int>{slot};
      return !is_of_slot || probe.Holds(constraint);
    });
  });
}

bool IsValue(const OperandRule& rule) { return rule.is_tensor() && !rule.is_parameter(); }

// Whether two tensors of one rank can have the same dimensions.
bool CanHaveSameDimensions(const OperationDefinition& definition, const OperandTypes& types, int a,
                           int b, int rank) {
  const std::optional<std::vector<int>> form = FormWith(definition, {a, b});
  if (!form.has_value()) return false;
  Probe probe(definition, types, *form);
  return absl::c_any_of(std::vector<uint32_t>{1, 2, 3, 4, kDivisible}, [&](uint32_t last) {
    for (const uint32_t others : {uint32_t{1}, last, kDivisible}) {
      for (const int slot : {a, b}) {
        probe.Dimensions(slot).assign(rank, others);
        probe.Dimensions(slot).back() = last;
      }
      const bool is_valid =
          absl::c_all_of(definition.constraints, [&](const Constraint& constraint) {
            const bool is_of_both = constraint.operands.values.empty() &&
                                    absl::c_all_of(constraint.operands.shapes, [&](int slot) {
                                      return slot == a || slot == b;
                                    });
            return !is_of_both || constraint.operands.shapes.empty() || probe.Holds(constraint);
          });
      if (is_valid) return true;
    }
    return false;
  });
}

// Two tensors may be one: of one type, one rank and the same dimensions.
bool CanReadTwice(const OperationDefinition& definition, const OperandTypes& types) {
  const std::vector<OperandRule>& inputs = definition.signature.inputs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!IsValue(inputs[i])) continue;
    if (inputs[i].is_variadic()) return true;
    for (size_t k = 0; k < i; ++k) {
      if (!IsValue(inputs[k]) || types.inputs[i] != types.inputs[k]) continue;
      const int a = static_cast<int>(k);
      const int b = static_cast<int>(i);
      for (int rank = 1; rank <= kGreatestRank; ++rank) {
        if (AllowsRank(definition, a, rank) && AllowsRank(definition, b, rank) &&
            CanHaveSameDimensions(definition, types, a, b, rank)) {
          return true;
        }
      }
    }
  }
  return false;
}

bool HasFloats(const OperandTypes& types) {
  return absl::c_linear_search(types.inputs, OperandType::TENSOR_FLOAT32) ||
         absl::c_linear_search(types.outputs, OperandType::TENSOR_FLOAT32);
}

bool CanMeetWith(const OperationDefinition& definition, const OperandTypes& types,
                 std::string_view condition) {
  const int first = FirstTensorSlot(definition);
  if (condition == "rank<3") {
    return AllowsRank(definition, first, 1) || AllowsRank(definition, first, 2);
  }
  if (condition == "rank>3") return GreatestRankOf(definition, first) > 3;
  if (condition == kSeveralColumns) return CanHaveOddColumns(definition, types);
  if (condition == "same_operand") return CanReadTwice(definition, types);
  if (condition == "nchw") return FindSlot(definition, "layout").has_value();
  if (condition == "wide_stride") return FindSlot(definition, "strideWidth").has_value();
  if (condition == "relaxed") return HasFloats(types);
  if (condition == "inputs>4") {
    constexpr size_t kFew = 4;
    return absl::c_any_of(definition.signature.AllForms(),
                          [](const std::vector<int>& form) { return form.size() > kFew; }) ||
           absl::c_any_of(definition.signature.inputs,
                          [](const OperandRule& rule) { return rule.is_variadic(); });
  }
  return true;
}

// ---- Values of scalars ----

bool IsInteger(OperandType type) { return type == OperandType::INT32 || type == OperandType::BOOL; }

template <class Container>
bool IsSubset(const Container& some, const Container& all) {
  return absl::c_all_of(some, [&all](int one) { return absl::c_linear_search(all, one); });
}

// Whether constraints hold for some values of the scalars from number `next` of `others` on.
bool CanHold(absl::Span<const Constraint* const> constraints, absl::Span<const int> others,
             size_t next, Probe& probe) {
  if (next == others.size()) {
    return absl::c_all_of(constraints,
                          [&probe](const Constraint* one) { return probe.Holds(*one); });
  }
  return absl::c_any_of(std::vector<int32_t>{0, 1, kGreatestCountedValue + 2}, [&](int32_t value) {
    probe.SetValue(others[next], value);
    return CanHold(constraints, others, next + 1, probe);
  });
}

// Whether a constraint allows a value of a scalar. Asked are those that read no more than one
// tensor's dimensions and a few scalars; together with those that read nothing else, for a
// constraint need not judge where others do not hold.
bool Allows(const OperationDefinition& definition, const OperandTypes& types,
            const Constraint& constraint, int slot, int32_t value) {
  constexpr size_t kMostScalars = 6;
  const ConstraintOperands& read = constraint.operands;
  std::vector<int> others = read.values;
  const auto found = absl::c_find(others, slot);
  if (found == others.end()) return true;
  others.erase(found);
  const bool is_of_integers =
      absl::c_all_of(others, [&types](int other) { return IsInteger(types.inputs[other]); });
  if (!is_of_integers || others.size() >= kMostScalars || read.shapes.size() > 1) return true;
  const std::optional<std::vector<int>> form = FormWith(definition, read.values);
  if (!form.has_value()) return true;
  std::vector<const Constraint*> together;
  for (const Constraint& one : definition.constraints) {
    const bool is_of_these =
        IsSubset(one.operands.values, read.values) && IsSubset(one.operands.shapes, read.shapes);
    if (is_of_these && !one.operands.values.empty()) together.push_back(&one);
  }
  Probe probe(definition, types, *form);
  probe.SetValue(slot, value);
  return CanHold(together, others, 0, probe);
}

// The values from -1 to one more than are counted that constraints leave a scalar.
std::vector<int32_t> ValuesOf(const OperationDefinition& definition, const OperandTypes& types,
                              int slot) {
  const bool is_boolean = types.inputs[slot] == OperandType::BOOL;
  std::vector<int32_t> values;
  for (int32_t value = is_boolean ? 0 : -1; value <= (is_boolean ? 1 : kGreatestCountedValue + 1);
       ++value) {
    const bool is_allowed = absl::c_all_of(definition.constraints, [&](const Constraint& one) {
      return Allows(definition, types, one, slot, value);
    });
    if (is_allowed) values.push_back(value);
  }
  return values;
}

CoverageKind KindOfScalar(const std::string& slot) {
  if (slot == "activation") return CoverageKind::kActivation;
  return slot == "layout" ? CoverageKind::kLayout : CoverageKind::kAttribute;
}

void AddValues(const std::string& slot, const std::vector<int32_t>& values,
               std::vector<CoverageItem>& items) {
  const CoverageKind kind = KindOfScalar(slot);
  const bool is_row = !values.empty() && values.size() <= kMostValues &&
                      values.back() - values.front() + 1 == static_cast<int32_t>(values.size());
  std::vector<std::string> greater;
  for (const int32_t value : values) {
    const std::string feature = FeatureOfValue(slot, value);
    if (is_row || value <= 1) {
      items.push_back({kind, feature, {feature}});
    } else {
      greater.push_back(feature);
    }
  }
  if (!greater.empty()) items.push_back({kind, absl::StrCat(slot, ": >1"), std::move(greater)});
}

// ---- Versions ----

bool IsFor(const TypeAlternative& alternative, OperandType type) {
  return alternative.when_slot != 0 || alternative.when_type == type;
}

// The versions that bring something new to an operation whose first input has this type.
std::set<HalVersion> VersionsOf(const OperationDefinition& definition, OperandType type) {
  HalVersion first = HalVersion::V1_2;
  for (const TypeAlternative& alternative : definition.signature.inputs[0].types()) {
    if (alternative.type == type) {
      first = std::min(first, std::max(alternative.since, definition.since()));
    }
  }
  std::set<HalVersion> versions = {first};
  const auto add = [&](HalVersion version) { versions.insert(std::max(version, first)); };
  const auto add_rule = [&](const OperandRule& rule, bool has_types) {
    add(rule.since());
    for (const RankAlternative& ranks : rule.ranks()) add(ranks.since);
    if (!has_types || rule.like_slot() >= 0) return;
    for (const TypeAlternative& alternative : rule.types()) {
      if (IsFor(alternative, type)) add(alternative.since);
    }
  };
  if (definition.accepts_empty_tensors) add(HalVersion::V1_2);
  const std::vector<OperandRule>& inputs = definition.signature.inputs;
  for (size_t i = 0; i < inputs.size(); ++i)
    add_rule(inputs[i], HasChoiceOfTypes(inputs[i]) && i > 0);
  for (const OperandRule& rule : definition.signature.outputs) {
    add_rule(rule, HasChoiceOfTypes(rule));
  }
  return versions;
}

template <class Types>
void AddTypes(const OperandRule& rule, absl::Span<const OperandTypes> combinations, Types types_of,
              std::vector<CoverageItem>& items) {
  if (!HasChoiceOfTypes(rule)) return;
  std::set<std::string> names;
  for (const OperandTypes& types : combinations) {
    names.insert(FeatureOfType(rule.name(), types_of(types)));
  }
  for (const std::string& name : names) items.push_back({CoverageKind::kOperandType, name, {name}});
}

}  // namespace

absl::Span<const CoverageKind> AllCoverageKinds() { return kKinds; }

std::string_view ToString(CoverageKind kind) {
  switch (kind) {
    case CoverageKind::kVersion:
      return "version";
    case CoverageKind::kRank:
      return "rank";
    case CoverageKind::kOperandType:
      return "operand_type";
    case CoverageKind::kOptionalOperand:
      return "optional_operand";
    case CoverageKind::kActivation:
      return "activation";
    case CoverageKind::kLayout:
      return "layout";
    case CoverageKind::kAttribute:
      return "attribute";
    case CoverageKind::kSize:
      return "size";
    case CoverageKind::kConstness:
      return "constness";
    case CoverageKind::kCompany:
      return "company";
    case CoverageKind::kCondition:
      return "condition";
    case CoverageKind::kConstraint:
      return "constraint";
  }
  return "";
}

std::string_view Heading(CoverageKind kind) {
  switch (kind) {
    case CoverageKind::kVersion:
      return "versions";
    case CoverageKind::kRank:
      return "ranks";
    case CoverageKind::kOperandType:
      return "other types";
    case CoverageKind::kOptionalOperand:
      return "optional operands";
    case CoverageKind::kActivation:
      return "activations";
    case CoverageKind::kLayout:
      return "layouts";
    case CoverageKind::kAttribute:
      return "attributes";
    case CoverageKind::kSize:
      return "sizes";
    case CoverageKind::kConstness:
      return "constness";
    case CoverageKind::kCompany:
      return "company";
    case CoverageKind::kCondition:
      return "conditions";
    case CoverageKind::kConstraint:
      return "constraints";
  }
  return "";
}

absl::Span<const CoverageCondition> CoverageConditions() { return kConditions; }

bool CanMeet(const OperationDefinition& definition, std::string_view condition) {
  return absl::c_any_of(
      TypeCombinations(definition, HalVersion::V1_2),
      [&](const OperandTypes& types) { return CanMeetWith(definition, types, condition); });
}

bool CanMeet(const OperationDefinition& definition, OperandType type, std::string_view condition) {
  return absl::c_any_of(TypesBeginningWith(definition, type), [&](const OperandTypes& types) {
    return CanMeetWith(definition, types, condition);
  });
}

uint64_t CoverageItem::CountIn(const OperationCoverage& coverage) const {
  uint64_t count = 0;
  for (const std::string& feature : features) {
    const auto found = coverage.features.find(feature);
    if (found != coverage.features.end()) count += found->second;
  }
  return count;
}

std::vector<OperandType> FirstTypesOf(const OperationDefinition& definition) {
  std::vector<OperandType> types;
  for (const TypeAlternative& alternative : definition.signature.inputs[0].types()) {
    if (!absl::c_linear_search(types, alternative.type)) types.push_back(alternative.type);
  }
  return types;
}

bool HasChoiceOfTypes(const OperandRule& rule) {
  if (rule.like_slot() >= 0) return false;
  return absl::c_any_of(rule.types(), [&rule](const TypeAlternative& a) {
    return absl::c_any_of(rule.types(), [&a](const TypeAlternative& b) {
      const bool go_together = a.when_slot < 0 || b.when_slot < 0 || a.when_slot != b.when_slot ||
                               a.when_type == b.when_type;
      return a.type != b.type && go_together;
    });
  });
}

bool HasConstness(const OperationDefinition& definition, size_t slot) {
  const OperandRule& rule = definition.signature.inputs[slot];
  return rule.is_tensor() && !rule.is_variadic() &&
         static_cast<int>(slot) != FirstTensorSlot(definition);
}

int32_t ClassOfValue(int32_t value) { return std::clamp(value, -1, kGreatestCountedValue + 1); }

std::string FeatureOfType(const std::string& operand, OperandType type) {
  return absl::StrCat(operand, "=", NameOf(type));
}

std::string FeatureOfValue(const std::string& slot, int32_t value) {
  if (value < 0) return absl::StrCat(slot, ": <0");
  if (value > kGreatestCountedValue) return absl::StrCat(slot, ": >", kGreatestCountedValue);
  return absl::StrCat(slot, ": ", value);
}

std::vector<CoverageItem> CoverageItemsOf(const OperationDefinition& definition, OperandType type) {
  std::vector<CoverageItem> items;
  const auto add = [&items](CoverageKind kind, const std::string& feature) {
    items.push_back({kind, feature, {feature}});
  };
  for (const HalVersion version : VersionsOf(definition, type)) {
    add(CoverageKind::kVersion, absl::StrCat("version=", std::string(hal::toString(version))));
  }
  for (int rank = 1; rank <= kGreatestRank; ++rank) {
    if (AllowsRank(definition, FirstTensorSlot(definition), rank)) {
      add(CoverageKind::kRank, absl::StrCat("rank=", rank));
    }
  }
  const std::vector<OperandTypes> combinations = TypesBeginningWith(definition, type);
  const std::vector<OperandRule>& inputs = definition.signature.inputs;
  for (size_t slot = 0; slot < inputs.size(); ++slot) {
    const OperandRule& rule = inputs[slot];
    if (slot > 0) {
      AddTypes(
          rule, combinations, [slot](const OperandTypes& types) { return types.inputs[slot]; },
          items);
    }
    if (rule.presence() != Presence::kRequired) {
      add(CoverageKind::kOptionalOperand, absl::StrCat("with ", rule.name()));
      add(CoverageKind::kOptionalOperand, absl::StrCat("without ", rule.name()));
    }
    if (HasConstness(definition, slot)) {
      add(CoverageKind::kConstness, absl::StrCat("constant ", rule.name()));
      add(CoverageKind::kConstness, absl::StrCat("variable ", rule.name()));
    }
    const bool is_counted =
        !combinations.empty() && !rule.is_tensor() && IsInteger(combinations.front().inputs[slot]);
    if (is_counted) {
      AddValues(rule.name(), ValuesOf(definition, combinations.front(), static_cast<int>(slot)),
                items);
    }
  }
  const std::vector<OperandRule>& outputs = definition.signature.outputs;
  for (size_t i = 0; i < outputs.size(); ++i) {
    AddTypes(
        outputs[i], combinations, [i](const OperandTypes& types) { return types.outputs[i]; },
        items);
  }
  for (const CoverageCondition& condition : kConditions) {
    // Ranks and layouts are asked for one by one.
    if (condition.kind == CoverageKind::kRank || condition.kind == CoverageKind::kLayout) continue;
    if (CanMeet(definition, type, condition.text)) {
      add(condition.kind, std::string(condition.text));
    }
  }
  for (const Constraint& constraint : definition.constraints) {
    add(CoverageKind::kConstraint, constraint.label);
  }
  std::stable_sort(items.begin(), items.end(),
                   [](const CoverageItem& a, const CoverageItem& b) { return a.kind < b.kind; });
  return items;
}

}  // namespace nncert
