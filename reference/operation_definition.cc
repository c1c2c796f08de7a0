// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/operation_definition.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hal/to_string.h"
#include "reference/extension.h"

namespace nncert {
namespace {

// A form that is being matched: the bindings found so far and the first mismatch.
class FormMatcher {
 public:
  FormMatcher(const OperationDefinition& definition, HalVersion version,
              absl::Span<const OperandState> inputs, absl::Span<const OperandState> outputs)
      : definition_(definition), version_(version), inputs_(inputs), outputs_(outputs) {}

  absl::Status Match(const std::vector<int>& form) {
    if (absl::Status status = Bind(form, inputs_.size()); !status.ok()) return status;
    for (const int slot : form) {
      for (int i = 0; i < bindings_[slot].count; ++i) {
        if (absl::Status status = CheckOperand(Rule(slot), "input", bindings_[slot].first + i,
                                               inputs_[bindings_[slot].first + i]);
            !status.ok()) {
          return status;
        }
        ++progress_;
      }
    }
    return MatchOutputs();
  }

  // Gives each slot of the form its operands, by their number alone.
  absl::Status Bind(const std::vector<int>& form, size_t inputs) {
    bindings_.assign(definition_.signature.inputs.size(), SlotBinding{});
    int required = 0;
    int available = 0;
    bool is_variadic = false;
    for (const int slot : form) {
      if (Rule(slot).since() > version_) continue;
      is_variadic |= Rule(slot).is_variadic();
      required += Rule(slot).presence() == Presence::kTrailing ? 0 : 1;
      ++available;
    }
    const int given = static_cast<int>(inputs);
    if (given < required || (!is_variadic && given > available)) {
      progress_ = -1;
      const std::string expected =
          is_variadic ? absl::StrCat("at least ", required)
                      : (required == available ? absl::StrCat(required)
                                               : absl::StrCat(required, " to ", available));
      return Error(absl::StrCat("has ", given, " inputs; expected ", expected, " at HAL ",
                                std::string(toString(version_))));
    }
    const int variadic_count = is_variadic ? given - required + 1 : 1;
    int position = 0;
    const OperandRule* last = nullptr;
    for (const int slot : form) {
      if (Rule(slot).since() > version_ || position >= given) continue;
      const int count = Rule(slot).is_variadic() ? variadic_count : 1;
      bindings_[slot] = {position, count};
      position += count;
      last = &Rule(slot);
    }
    if (last != nullptr && last->trails_with_next()) {
      progress_ = -1;
      return Error(absl::StrCat("has ", given, " inputs, the last being '", last->name(),
                                "', which may only be given together with the input after it"));
    }
    return absl::OkStatus();
  }

  /// How many operands matched before the first that did not.
  int progress() const { return progress_; }
  SlotBindings bindings() && { return std::move(bindings_); }

 private:
  const OperandRule& Rule(int slot) const { return definition_.signature.inputs[slot]; }

  absl::Status Error(absl::string_view message) const {
    return absl::InvalidArgumentError(absl::StrCat(definition_.name(), ": ", message));
  }

  std::string Describe(absl::string_view role, int position, const OperandRule& rule,
                       const OperandState& state) const {
    return absl::StrCat(definition_.name(), " ", role, " ", position, " '", rule.name(),
                        "' (operand ", state.operand_index, ")");
  }

  // Whether is_it(type) is true of one of the types that the rule allows here, given the types of
  // the inputs before. It is asked until it is.
  template <class Predicate>
  bool AnyAllowedType(const OperandRule& rule, Predicate is_it) const {
    if (rule.like_slot() >= 0) {
      const SlotBinding& binding = bindings_[rule.like_slot()];
      return binding.count != 0 && is_it(inputs_[binding.first].info->type);
    }
    for (const TypeAlternative& alternative : rule.types()) {
      if (alternative.since > version_) continue;
      if (alternative.when_slot >= 0) {
        const SlotBinding& binding = bindings_[alternative.when_slot];
        if (binding.count == 0 || inputs_[binding.first].info->type != alternative.when_type)
          continue;
      }
      if (is_it(alternative.type)) return true;
    }
    return false;
  }

  absl::Status CheckOperand(const OperandRule& rule, absl::string_view role, int position,
                            const OperandState& state) const {
    const auto where = [&] { return Describe(role, position, rule, state); };
    if (state.is_omitted && rule.presence() == Presence::kRequired) {
      return absl::InvalidArgumentError(absl::StrCat(where(), " has no value; it is not optional"));
    }
    if (!AnyAllowedType(rule, [&](OperandType type) { return type == state.info->type; })) {
      std::vector<OperandType> allowed;
      AnyAllowedType(rule, [&](OperandType type) {
        allowed.push_back(type);
        return false;
      });
      const std::string expected =
          allowed.empty() ? "another type of the operands before it"
                          : absl::StrJoin(allowed, " or ", [](std::string* out, OperandType type) {
                              absl::StrAppend(out, NameOf(type));
                            });
      return absl::InvalidArgumentError(absl::StrCat(where(), " is ", NameOf(state.info->type),
                                                     "; expected ", expected, " at HAL ",
                                                     std::string(toString(version_))));
    }
    if (state.is_omitted) return absl::OkStatus();
    const int rank = static_cast<int>(state.info->dimensions.size());
    // A tensor without dimensions has an unknown rank, not rank 0.
    if (rule.is_tensor() && rank > 0 && !rule.AllowsRank(rank, version_)) {
      return absl::InvalidArgumentError(absl::StrCat(
          where(), " has rank ", rank, "; expected rank ", rule.RanksToString(version_)));
    }
    return CheckQuantization(rule, where, state);
  }

  absl::Status CheckQuantization(const OperandRule& rule, absl::FunctionRef<std::string()> where,
                                 const OperandState& state) const {
    const OperandInfo& info = *state.info;
    for (const QuantizationRule& quantization : rule.quantization()) {
      std::optional<std::pair<double, int32_t>> expected;
      double tolerance = 0;
      switch (quantization.kind) {
        case QuantizationRule::Kind::kFree:
          break;
        case QuantizationRule::Kind::kSameAs: {
          const SlotBinding& binding = bindings_[quantization.slot];
          if (IsQuantized(info.type) && binding.count > 0) {
            const OperandInfo& other = *inputs_[binding.first].info;
            if (other.type == info.type) expected = {other.scale, other.zeroPoint};
          }
          break;
        }
        case QuantizationRule::Kind::kFixed:
          if (quantization.only_type.has_value() ? info.type == *quantization.only_type
                                                 : IsQuantized(info.type)) {
            expected = {quantization.scale, quantization.zeroPoint};
          }
          break;
        case QuantizationRule::Kind::kBias:
          if (info.type == OperandType::TENSOR_INT32) {
            const OperandInfo& input = *inputs_[bindings_[quantization.slot].first].info;
            const OperandInfo& filter = *inputs_[bindings_[quantization.filter_slot].first].info;
            const bool is_per_channel = filter.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
            expected = {is_per_channel ? 0.0 : static_cast<double>(input.scale) * filter.scale, 0};
            // The product is rounded to a float in the model.
            tolerance = expected->first * 1e-6;
          }
          break;
      }
      if (!expected.has_value()) continue;
      if (!(std::abs(info.scale - expected->first) <= tolerance) ||
          info.zeroPoint != expected->second) {
        return absl::InvalidArgumentError(absl::StrCat(
            where(), " has scale ", info.scale, " and zeroPoint ", info.zeroPoint,
            "; expected scale ", expected->first, " and zeroPoint ", expected->second));
      }
    }
    return absl::OkStatus();
  }

  absl::Status MatchOutputs() {
    const std::vector<OperandRule>& rules = definition_.signature.outputs;
    const bool is_variadic = !rules.empty() && rules.back().is_variadic();
    const auto required =
        static_cast<size_t>(std::count_if(rules.begin(), rules.end(), [](const OperandRule& rule) {
          return rule.presence() != Presence::kTrailing;
        }));
    if (outputs_.size() < required || (!is_variadic && outputs_.size() > rules.size())) {
      const std::string expected =
          is_variadic ? absl::StrCat("at least ", required)
                      : (required == rules.size() ? absl::StrCat(required)
                                                  : absl::StrCat(required, " to ", rules.size()));
      return Error(absl::StrCat("has ", outputs_.size(), " outputs; expected ", expected));
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      const OperandRule& rule = rules[std::min(i, rules.size() - 1)];
      if (absl::Status status = CheckOperand(rule, "output", static_cast<int>(i), outputs_[i]);
          !status.ok()) {
        return status;
      }
      ++progress_;
    }
    return absl::OkStatus();
  }

  const OperationDefinition& definition_;
  const HalVersion version_;
  const absl::Span<const OperandState> inputs_;
  const absl::Span<const OperandState> outputs_;
  SlotBindings bindings_;
  int progress_ = 0;
};

// The operands that a constraint is about, with what is known of them.
std::string DescribeOperands(const OperationContext& context, const Constraint& constraint) {
  std::string description;
  const auto& [shapes, values, others] = constraint.operands;
  std::vector<int> named = Joined({shapes, values, others});
  // Inputs in order, then outputs, whose numbers fall from -1.
  std::sort(named.begin(), named.end(), [](int a, int b) {
    return std::pair(a < 0, std::abs(a)) < std::pair(b < 0, std::abs(b));
  });
  named.erase(std::unique(named.begin(), named.end()), named.end());
  for (const int slot : named) {
    absl::StrAppend(&description, description.empty() ? "" : ", ");
    if (slot < 0) {
      absl::StrAppend(&description, context.DescribeOutput(OutputOperand(slot)));
      continue;
    }
    absl::StrAppend(&description, context.DescribeInput(slot));
    if (context.Count(slot) > 0 && context.definition().signature.inputs[slot].is_tensor()) {
      absl::StrAppend(&description, " of dimensions ",
                      ShapeToString(context.Input(slot).dimensions));
    }
  }
  return description;
}

}  // namespace

std::string OperationDefinition::name() const {
  if (extension.empty()) return hal::toString(type);
  return absl::StrCat(std::string(extension), ".", std::string(name_in_extension));
}

HalVersion OperationDefinition::since() const { return hal::IntroducedIn(type); }

absl::StatusOr<SlotBindings> MatchSignature(const OperationDefinition& definition,
                                            HalVersion version,
                                            absl::Span<const OperandState> inputs,
                                            absl::Span<const OperandState> outputs) {
  if (definition.since() > version) {
    return absl::InvalidArgumentError(absl::StrCat(
        definition.name(), " was introduced in HAL ", std::string(toString(definition.since())),
        "; the model is held to HAL ", std::string(toString(version))));
  }
  absl::Status best_error;
  int best_progress = -2;
  const Signature& signature = definition.signature;
  std::vector<std::vector<int>> only_form;
  if (signature.forms.empty()) only_form = signature.AllForms();
  for (const std::vector<int>& form : signature.forms.empty() ? only_form : signature.forms) {
    if (!signature.HasForm(form, version)) continue;
    FormMatcher matcher(definition, version, inputs, outputs);
    absl::Status status = matcher.Match(form);
    if (status.ok()) return std::move(matcher).bindings();
    if (matcher.progress() > best_progress) {
      best_progress = matcher.progress();
      best_error = std::move(status);
    }
  }
  if (!best_error.ok()) return best_error;
  return absl::InvalidArgumentError(absl::StrCat(
      definition.name(), " takes no list of inputs at HAL ", std::string(toString(version))));
}

std::optional<SlotBindings> BindingsByNumber(const OperationDefinition& definition,
                                             HalVersion version, size_t inputs) {
  std::optional<SlotBindings> only;
  for (const std::vector<int>& form : definition.signature.forms) {
    if (!definition.signature.HasForm(form, version)) continue;
    FormMatcher matcher(definition, version, {}, {});
    if (!matcher.Bind(form, inputs).ok()) continue;
    if (only.has_value()) return std::nullopt;
    only = std::move(matcher).bindings();
  }
  return only;
}

absl::Status CheckConstraints(const OperationContext& context) {
  std::string violations;
  for (const Constraint& constraint : context.definition().constraints) {
    const auto shape_is_known = [&](int slot) { return context.IsShapeKnown(slot); };
    const auto value_is_known = [&](int slot) { return context.IsValueKnown(slot); };
    const std::vector<int>& shapes = constraint.operands.shapes;
    const std::vector<int>& values = constraint.operands.values;
    if (!std::all_of(shapes.begin(), shapes.end(), shape_is_known)) continue;
    if (!std::all_of(values.begin(), values.end(), value_is_known)) continue;
    if (constraint.holds(context)) continue;
    const std::string operands = DescribeOperands(context, constraint);
    absl::StrAppend(&violations, violations.empty() ? "" : "; ", "constraint ", constraint.label,
                    " does not hold: ", std::string(constraint.text),
                    operands.empty() ? "" : "; see ", operands);
  }
  return violations.empty() ? absl::OkStatus() : context.Error(violations);
}

double StepsOf(const OperationContext& context) {
  const OperationDefinition& definition = context.definition();
  double steps = definition.steps == nullptr ? 0 : definition.steps(context);
  for (size_t slot = 0; slot < definition.signature.inputs.size(); ++slot) {
    if (!context.Has(static_cast<int>(slot))) continue;
    for (int i = 0; i < context.Count(static_cast<int>(slot)); ++i) {
      steps += ElementCount(context.Input(static_cast<int>(slot), i));
    }
  }
  if (definition.shape == nullptr) return steps;
  for (int i = 0; i < context.OutputCount(); ++i) steps += ElementCount(context.Output(i));
  return steps;
}

absl::Status SameShapeAsFirstInput(const OperationContext& context, std::vector<Shape>& outputs) {
  outputs[0] = context.Input(0).dimensions;
  return absl::OkStatus();
}

absl::StatusOr<Shape> BroadcastShape(absl::Span<const uint32_t> a, absl::Span<const uint32_t> b) {
  const size_t rank = std::max(a.size(), b.size());
  Shape result(rank);
  for (size_t i = 0; i < rank; ++i) {
    const uint32_t from_a = i < a.size() ? a[a.size() - 1 - i] : 1;
    const uint32_t from_b = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (from_a != from_b && from_a != 1 && from_b != 1) {
      return absl::InvalidArgumentError(absl::StrCat("dimensions ", ShapeToString(a), " and ",
                                                     ShapeToString(b), " do not broadcast"));
    }
    result[rank - 1 - i] = from_a == 1 ? from_b : from_a;
  }
  return result;
}

absl::Status BroadcastOfFirstTwoInputs(const OperationContext& context,
                                       std::vector<Shape>& outputs) {
  absl::StatusOr<Shape> shape =
      BroadcastShape(context.Input(0).dimensions, context.Input(1).dimensions);
  if (!shape.ok()) return context.Error(std::string(shape.status().message()));
  outputs[0] = *std::move(shape);
  return absl::OkStatus();
}

int CanonicalAxis(int axis, int rank) {
  const int canonical = axis < 0 ? axis + rank : axis;
  return canonical >= 0 && canonical < rank ? canonical : -1;
}

}  // namespace nncert
