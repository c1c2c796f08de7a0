// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/operand_chooser.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "glog/logging.h"
#include "reference/extension.h"
#include "reference/operation_context.h"
#include "reference/storage.h"

namespace nncert {
namespace {

// Dimensions by chance: small ones, because every mistake in an index shows in them, and models are
// soon executed.
constexpr std::array<uint32_t, 12> kSizes = {1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7};
constexpr int kGreatestRank = 4;
// INT32 elements where the signature has nothing to say of them.
constexpr ValueRange kIntegers = {-100, 100};

bool IsIntegral(OperandType type) {
  const ElementKind kind = ElementKindOf(type);
  return kind == ElementKind::kInt32 || kind == ElementKind::kUint32 || kind == ElementKind::kBool;
}

bool IsEmpty(const OperandInfo& info) {
  return std::find(info.dimensions.begin(), info.dimensions.end(), 0U) != info.dimensions.end();
}

}  // namespace

void ChosenOperand::SetQuantization(const ChosenQuantization& chosen) {
  extension_params = chosen.extension_params;
  info.scale = chosen.scale;
  info.zeroPoint = chosen.zeroPoint;
  info.extensionParams = {};
  if (extension_params != nullptr) info.extensionParams = *extension_params;
  has_quantization = true;
}

std::vector<OperandTypes> ChoosableTypes(const OperationDefinition& definition,
                                         HalVersion version) {
  std::vector<OperandTypes> combinations = TypeCombinations(definition, version);
  std::erase_if(combinations, [](const OperandTypes& types) {
    return !std::all_of(types.inputs.begin(), types.inputs.end(), CanBeChosen) ||
           !std::all_of(types.outputs.begin(), types.outputs.end(), CanBeChosen);
  });
  return combinations;
}

ValueRange HintedRange(const OperandRule& rule, OperandType type, double reach) {
  const ValueRange range = {rule.values().lowest, rule.values().highest};
  if (!rule.values().is_scalable) return range;
  if (type == OperandType::TENSOR_INT32) return kIntegers;
  return IsFloatingPoint(type) || IsQuantized(type) ? range.Times(reach) : range;
}

OperandChooser::OperandChooser(const OperationDefinition& definition, HalVersion version,
                               const OperandTypes& types, const OperandWishes& wishes,
                               SplitMix64& random)
    : definition_(&definition),
      version_(version),
      types_(types),
      wishes_(wishes),
      random_(&random),
      inputs_(definition.signature.inputs.size()) {}

std::optional<OperandChooser> OperandChooser::Choose(const OperationDefinition& definition,
                                                     HalVersion version, const OperandTypes& types,
                                                     const std::optional<GivenOperand>& given,
                                                     const OperandWishes& wishes,
                                                     SplitMix64& random) {
  OperandChooser choose(definition, version, types, wishes, random);
  choose.ChooseForm(given.has_value() ? given->slot : -1);
  if (given.has_value()) choose.Give(*given);
  if (choose.is_declined_) return std::nullopt;
  (definition.choose == nullptr ? ChooseAlike : definition.choose)(choose);
  if (choose.is_declined_) return std::nullopt;
  choose.SettleInputs();
  if (choose.is_declined_) return std::nullopt;
  choose.SettleOutputs();
  choose.SettleOutputDimensions();
  if (given.has_value() && IsEmpty(given->info)) choose.MakeGivenEmpty(*given);
  if (choose.is_declined_) return std::nullopt;
  return choose;
}

const OperandRule& OperandChooser::OutputRule(size_t output) const {
  const std::vector<OperandRule>& rules = definition_->signature.outputs;
  return rules[std::min(output, rules.size() - 1)];
}

void OperandChooser::ChooseForm(int given_slot) {
  std::vector<std::vector<int>> forms;
  for (std::vector<int>& form : definition_->signature.AllForms()) {
    if (!definition_->signature.HasForm(form, version_)) continue;
    if (given_slot >= 0 && std::find(form.begin(), form.end(), given_slot) == form.end()) continue;
    forms.push_back(std::move(form));
  }
  if (forms.empty()) {
    is_declined_ = true;
    return;
  }
  for (const int slot : forms[random_->Below(forms.size())]) {
    if (Rule(slot).since() <= version_) form_.push_back(slot);
  }
  // Operands that may be left out at the end: all are there, or none, or some.
  const auto first = std::find_if(form_.begin(), form_.end(), [&](int slot) {
    return Rule(slot).presence() == Presence::kTrailing;
  });
  const auto trailing = static_cast<size_t>(form_.end() - first);
  size_t kept = trailing;
  if (trailing > 0 && OneIn(2)) kept = OneIn(2) ? 0 : random_->Below(trailing + 1);
  size_t count = form_.size() - trailing + kept;
  const auto is_given = [given_slot](int slot) { return slot == given_slot; };
  if (std::any_of(form_.begin() + static_cast<ptrdiff_t>(count), form_.end(), is_given)) {
    count = form_.size();
  }
  while (count < form_.size() && count > 0 && Rule(form_[count - 1]).trails_with_next()) ++count;
  form_.resize(count);

  for (const int slot : form_) {
    ChosenOperand& operand = inputs_[Index(slot)].emplace_back();
    operand.info.type = Type(slot);
    operand.is_omitted = Rule(slot).presence() == Presence::kOmittable && OneIn(2);
    SetRange(slot, HintedRange(Rule(slot), Type(slot), wishes_.reach));
  }
  const std::vector<OperandRule>& rules = definition_->signature.outputs;
  for (size_t i = 0; i < rules.size(); ++i) {
    if (rules[i].presence() == Presence::kTrailing && OneIn(2)) break;
    outputs_.emplace_back().info.type = types_.outputs[i];
  }
  least_output_scales_.assign(rules.size(), 0);
}

void OperandChooser::Give(const GivenOperand& given) {
  const OperandRule& rule = Rule(given.slot);
  if (!rule.AllowsRank(static_cast<int>(given.info.dimensions.size()), version_) ||
      (IsEmpty(given.info) && !definition_->accepts_empty_tensors)) {
    is_declined_ = true;
    return;
  }
  ChosenOperand& operand = inputs_[Index(given.slot)].front();
  operand.info = given.info;
  std::replace(operand.info.dimensions.begin(), operand.info.dimensions.end(), 0U, 1U);
  operand.is_omitted = false;
  operand.is_given = true;
  operand.has_dimensions = true;
  operand.has_quantization = true;
  operand.extension_params = given.extension_params;
  operand.range = given.range;
  // What ties the operand to another ties that to the operand.
  for (const QuantizationRule& quantization : rule.quantization()) {
    if (quantization.kind != QuantizationRule::Kind::kSameAs || !Has(quantization.slot)) continue;
    if (Type(quantization.slot) != operand.info.type || !IsQuantized(operand.info.type)) continue;
    Quantize(quantization.slot, operand.Quantization());
  }
}

bool OperandChooser::Has(int slot) const {
  const auto& operands = inputs_[Index(slot)];
  return !operands.empty() && !operands.front().is_omitted;
}

const OperandInfo& OperandChooser::Info(int slot, int i) const {
  return inputs_[Index(slot)][Index(i)].info;
}

uint32_t OperandChooser::Size(uint32_t most) {
  if (wishes_.dimension != 0 && wishes_.dimension <= most && OneIn(2)) {
    return std::exchange(wishes_.dimension, 0);
  }
  return std::clamp(random_->OneOf(kSizes), 1U, std::max(most, 1U));
}

uint32_t OperandChooser::DivisorOf(uint32_t number) const {
  absl::InlinedVector<uint32_t, 5> divisors = {1};
  for (const uint32_t divisor : {2, 3, 4}) {
    if (number % divisor == 0) divisors.push_back(divisor);
  }
  constexpr uint32_t kMostDivisor = 16;
  if (number > 4 && number <= kMostDivisor && OneIn(4)) divisors.push_back(number);
  return random_->OneOf(divisors);
}

const Shape& OperandChooser::Dimensions(int slot, int i) {
  if (!Has(slot)) {
    static const Shape kNone;
    return kNone;
  }
  ChosenOperand& operand = inputs_[Index(slot)][Index(i)];
  if (operand.has_dimensions) return operand.info.dimensions;
  std::vector<int> ranks;
  for (int rank = 1; rank <= kGreatestRank + 1; ++rank) {
    if (Rule(slot).AllowsRank(rank, version_)) ranks.push_back(rank);
  }
  // Rank 5 where nothing limits the rank, and seldom: the documentation has a limit of 4 for most.
  if (ranks.size() > 1 && ranks.back() > kGreatestRank && !OneIn(16)) ranks.pop_back();
  const int rank = ranks.empty() ? 1 : random_->OneOf(ranks);
  uint64_t left = std::max<uint64_t>(wishes_.most_elements, wishes_.dimension);
  operand.info.dimensions.assign(Index(rank), 1);
  // From a dimension by chance on, so that any of them may be the greatest.
  const size_t first = random_->Below(Index(rank));
  for (size_t axis = 0; axis < Index(rank); ++axis) {
    const uint32_t size = Size(static_cast<uint32_t>(left));
    operand.info.dimensions[(first + axis) % Index(rank)] = size;
    left = std::max<uint64_t>(left / size, 1);
  }
  operand.has_dimensions = true;
  return operand.info.dimensions;
}

int64_t OperandChooser::Int32(int slot, int64_t otherwise) const {
  if (!Has(slot) || inputs_[Index(slot)].front().values.empty()) return otherwise;
  return static_cast<int64_t>(inputs_[Index(slot)].front().values.front());
}

ValueRange OperandChooser::Range(int slot) const {
  if (!Has(slot)) return {};
  ValueRange range = inputs_[Index(slot)].front().range;
  for (const ChosenOperand& operand : inputs_[Index(slot)]) range = range.HullWith(operand.range);
  return range;
}

ValueRange OperandChooser::SettledRange(int slot) {
  if (!Has(slot)) return {};
  for (ChosenOperand& operand : inputs_[Index(slot)]) {
    SettleQuantization(slot, operand);
    if (operand.is_given || !IsQuantized(operand.info.type)) continue;
    operand.info.channelScales = operand.channel_scales;
    operand.range = RangeOfQuantized(operand.info);
  }
  return Range(slot);
}

std::pair<float, int32_t> OperandChooser::SettledQuantization(int slot) {
  ChosenOperand& operand = inputs_[Index(slot)].front();
  SettleQuantization(slot, operand);
  return {operand.info.scale, operand.info.zeroPoint};
}

void OperandChooser::SetDimensions(int slot, const Shape& dimensions, int i) {
  if (!Has(slot)) return;
  ChosenOperand& operand = inputs_[Index(slot)][Index(i)];
  if (operand.is_given && operand.info.dimensions != dimensions) return Decline();
  operand.info.dimensions = dimensions;
  operand.has_dimensions = true;
}

void OperandChooser::SetInt32(int slot, int64_t value) {
  SetReal(slot, static_cast<double>(value));
}

void OperandChooser::SetReal(int slot, double value) {
  if (!Has(slot)) return;
  inputs_[Index(slot)].front().values = {value};
}

void OperandChooser::SetInt32s(int slot, const std::vector<int32_t>& values) {
  SetDimensions(slot, {static_cast<uint32_t>(values.size())});
  SetValues(slot, {values.begin(), values.end()});
}

void OperandChooser::SetValues(int slot, std::vector<double> values) {
  if (!Has(slot)) return;
  if (IsGiven(slot)) return Decline();
  ChosenOperand& operand = inputs_[Index(slot)].front();
  if (!values.empty()) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    operand.range = {*least, *greatest};
  }
  operand.values = std::move(values);
}

void OperandChooser::SetRange(int slot, ValueRange range) {
  for (ChosenOperand& operand : inputs_[Index(slot)]) {
    if (!operand.is_given) operand.range = range;
  }
}

void OperandChooser::SetQuantization(int slot, float scale, int32_t zeroPoint, int i) {
  Quantize(slot, {scale, zeroPoint, nullptr}, i);
}

void OperandChooser::Quantize(int slot, const ChosenQuantization& quantization, int i) {
  if (!Has(slot)) return;
  ChosenOperand& operand = inputs_[Index(slot)][Index(i)];
  if (!operand.has_quantization) return operand.SetQuantization(quantization);
  if (operand.Quantization() != quantization) is_declined_ = true;
}

void OperandChooser::SetChannelDimension(int slot, uint32_t dimension) {
  if (!Has(slot) || Type(slot) != OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) return;
  ChosenOperand& operand = inputs_[Index(slot)].front();
  const double whole = operand.range.Magnitude() / 127;
  for (uint32_t i = 0; i < operand.info.dimensions[dimension]; ++i) {
    operand.channel_scales.push_back(
        static_cast<float>(whole * std::exp2(random_->Uniform(-2, 0))));
  }
  operand.info.channelDim = dimension;
  operand.has_quantization = true;
}

void OperandChooser::SetOmitted(int slot, bool is_omitted) {
  if (inputs_[Index(slot)].empty()) return;
  ChosenOperand& operand = inputs_[Index(slot)].front();
  if (is_omitted && operand.is_given) return Decline();
  operand.is_omitted = is_omitted;
}

void OperandChooser::SetCount(int slot, int count) {
  auto& operands = inputs_[Index(slot)];
  if (operands.empty()) return;
  const ValueRange range = operands.front().range;
  while (operands.size() > Index(count)) operands.pop_back();
  while (operands.size() < Index(count)) {
    ChosenOperand& another = operands.emplace_back();
    another.info.type = Type(slot);
    another.range = range;
  }
}

void OperandChooser::SetOutputCount(int count) {
  const OperandType type = outputs_.front().info.type;
  while (outputs_.size() > Index(count)) outputs_.pop_back();
  while (outputs_.size() < Index(count)) outputs_.emplace_back().info.type = type;
  least_output_scales_.resize(Index(count), 0);
}

void OperandChooser::SetOutputRange(int output, ValueRange range) {
  if (Index(output) >= outputs_.size()) return;
  outputs_[Index(output)].range = range;
  outputs_[Index(output)].has_range = true;
}

void OperandChooser::SetOutputQuantization(int output, float scale, int32_t zeroPoint) {
  if (Index(output) >= outputs_.size()) return;
  outputs_[Index(output)].SetQuantization({scale, zeroPoint, nullptr});
}

void OperandChooser::SetOutputDimensions(int output, const Shape& dimensions) {
  if (Index(output) < outputs_.size()) outputs_[Index(output)].info.dimensions = dimensions;
}

void OperandChooser::SetLeastOutputScale(int output, float scale) {
  least_output_scales_[Index(output)] = scale;
}

std::optional<ChosenQuantization> OperandChooser::TiedQuantization(const OperandRule& rule,
                                                                   OperandType type) {
  for (const QuantizationRule& quantization : rule.quantization()) {
    switch (quantization.kind) {
      case QuantizationRule::Kind::kFree:
        break;
      case QuantizationRule::Kind::kSameAs: {
        if (!IsQuantized(type) || !Has(quantization.slot)) break;
        ChosenOperand& other = inputs_[Index(quantization.slot)].front();
        if (other.info.type != type) break;
        SettleQuantization(quantization.slot, other);
        return other.Quantization();
      }
      case QuantizationRule::Kind::kFixed:
        if (quantization.only_type.has_value() ? type == *quantization.only_type
                                               : IsQuantized(type)) {
          return {{quantization.scale, quantization.zeroPoint, nullptr}};
        }
        break;
      case QuantizationRule::Kind::kBias: {
        if (type != OperandType::TENSOR_INT32) break;
        ChosenOperand& input = inputs_[Index(quantization.slot)].front();
        ChosenOperand& filter = inputs_[Index(quantization.filter_slot)].front();
        SettleQuantization(quantization.slot, input);
        SettleQuantization(quantization.filter_slot, filter);
        return {{input.info.scale * filter.info.scale, 0, nullptr}};
      }
    }
  }
  return std::nullopt;
}

void OperandChooser::SettleQuantization(int slot, ChosenOperand& operand) {
  const OperandType type = operand.info.type;
  const bool is_per_channel = type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
  if (const auto tied = TiedQuantization(Rule(slot), type); tied.has_value()) {
    if (operand.has_quantization && operand.Quantization() != *tied) is_declined_ = true;
    operand.SetQuantization(*tied);
  }
  if (!operand.has_quantization && HasQuantization(type) && !is_per_channel) {
    // As another operand has it, which then may be read in its place, at times; or else wider than
    // the range by up to a half, and not the same on both sides.
    if (const ChosenOperand* const other = AreAlike(4) ? FindQuantized(type) : nullptr;
        other != nullptr) {
      return operand.SetQuantization(other->Quantization());
    }
    const ValueRange range = {operand.range.lowest * random_->Uniform(1, 1.5),
                              operand.range.highest * random_->Uniform(1, 1.5)};
    operand.SetQuantization(ChooseQuantization(type, range));
  }
  operand.has_quantization = true;
}

const ChosenOperand* OperandChooser::FindQuantized(OperandType type) const {
  for (const int slot : form_) {
    for (const ChosenOperand& operand : inputs_[Index(slot)]) {
      const bool is_settled = operand.has_quantization && !operand.is_omitted;
      if (is_settled && operand.info.type == type && operand.info.scale > 0) return &operand;
    }
  }
  return nullptr;
}

void OperandChooser::SettleScalar(int slot, ChosenOperand& operand) {
  operand.has_dimensions = true;
  if (IsOpaque(operand.info.type)) {
    operand.opaque_value = FindExtensionOperandType(operand.info.type)->choose_value(*random_);
    return;
  }
  if (HasQuantization(operand.info.type)) SettleQuantization(slot, operand);
  if (!operand.values.empty()) return;
  const ValueRange range = operand.range;
  if (operand.info.type == OperandType::BOOL) {
    operand.values = {OneIn(2) ? 1.0 : 0.0};
  } else if (IsIntegral(operand.info.type)) {
    operand.values = {static_cast<double>(
        Between(static_cast<int64_t>(range.lowest), static_cast<int64_t>(range.highest)))};
  } else if (Rule(slot).values().kind == ValueHint::Kind::kLogUniform) {
    operand.values = {std::exp(random_->Uniform(std::log(range.lowest), std::log(range.highest)))};
  } else {
    operand.values = {random_->Uniform(range.lowest, range.highest)};
  }
}

void OperandChooser::SettleElements(int slot, ChosenOperand& operand) {
  const OperandType type = operand.info.type;
  if (type == OperandType::TENSOR_BOOL8) operand.range = {0, 1};
  if (operand.is_given || !operand.values.empty()) return;
  if (IsQuantized(type)) operand.range = RangeOfQuantized(operand.info);
  if (!Rule(slot).is_parameter()) return;
  operand.values.resize(NumberOfElements(operand.info.dimensions));
  for (double& value : operand.values) {
    value = IsIntegral(type)
                ? static_cast<double>(Between(static_cast<int64_t>(operand.range.lowest),
                                              static_cast<int64_t>(operand.range.highest)))
                : random_->Uniform(operand.range.lowest, operand.range.highest);
  }
}

void OperandChooser::SettleInputs() {
  for (const int slot : form_) {
    auto& operands = inputs_[Index(slot)];
    for (size_t i = 0; i < operands.size(); ++i) {
      ChosenOperand& operand = operands[i];
      if (operand.is_omitted) continue;
      if (!Rule(slot).is_tensor()) {
        SettleScalar(slot, operand);
        continue;
      }
      Dimensions(slot, static_cast<int>(i));
      SettleQuantization(slot, operand);
      operand.info.channelScales = operand.channel_scales;
      SettleElements(slot, operand);
    }
  }
}

struct OperandChooser::Settled {
  absl::InlinedVector<OperandState, 16> inputs;
  absl::InlinedVector<OperandState, 4> outputs;
  absl::InlinedVector<std::vector<std::byte>, 16> values;
  SlotBindings bindings;
};

OperandChooser::Settled OperandChooser::Settle() const {
  Settled settled;
  settled.bindings.resize(inputs_.size());
  for (const int slot : form_) {
    settled.bindings[Index(slot)] = {static_cast<int>(settled.inputs.size()), Count(slot)};
    for (const ChosenOperand& operand : inputs_[Index(slot)]) {
      const OperandType type = operand.info.type;
      std::vector<std::byte>& bytes = settled.values.emplace_back();
      if (!operand.opaque_value.empty()) {
        const auto opaque = std::as_bytes(std::span(operand.opaque_value));
        bytes.assign(opaque.begin(), opaque.end());
      } else if (Rule(slot).is_parameter() && !operand.is_omitted) {
        bytes.resize(operand.values.size() * NativeElementSize(ElementKindOf(type)));
        ExportElements(NumberSystem::kDouble, type,
                       reinterpret_cast<const std::byte*>(operand.values.data()),
                       operand.values.size(), bytes.data());
      }
      settled.inputs.push_back(
          {&operand.info, 0, operand.is_omitted, bytes.empty() ? nullptr : bytes.data()});
    }
  }
  for (const ChosenOperand& operand : outputs_) {
    settled.outputs.push_back({&operand.info, 0, false, nullptr});
  }
  return settled;
}

void OperandChooser::SettleOutputDimensions() {
  if (definition_->shape == nullptr) return;
  const Settled settled = Settle();
  const OperationContext context(*definition_, Stage::kModel, version_, settled.bindings,
                                 settled.inputs, settled.outputs);
  std::vector<Shape> shapes(outputs_.size());
  const absl::Status status = definition_->shape(context, shapes);
  CHECK(status.ok()) << "the recipe of " << definition_->name() << ": " << status;
  steps_ = StepsOf(context);
  for (size_t i = 0; i < shapes.size(); ++i) outputs_[i].info.dimensions = std::move(shapes[i]);
}

void OperandChooser::MakeGivenEmpty(const GivenOperand& given) {
  inputs_[Index(given.slot)].front().info.dimensions = given.info.dimensions;
  const Settled settled = Settle();
  const OperationContext context(*definition_, Stage::kExecution, version_, settled.bindings,
                                 settled.inputs, settled.outputs);
  std::vector<Shape> shapes(outputs_.size());
  if (!CheckConstraints(context).ok() || definition_->shape == nullptr ||
      !definition_->shape(context, shapes).ok()) {
    return Decline();
  }
  for (size_t i = 0; i < shapes.size(); ++i) outputs_[i].info.dimensions = std::move(shapes[i]);
}

void OperandChooser::SettleOutputs() {
  for (size_t i = 0; i < outputs_.size(); ++i) {
    ChosenOperand& operand = outputs_[i];
    const OperandType type = operand.info.type;
    if (!operand.has_range) operand.range = Range(form_.front());
    if (type == OperandType::TENSOR_BOOL8) operand.range = {0, 1};
    if (!HasQuantization(type)) continue;
    if (const auto tied = TiedQuantization(OutputRule(i), type); tied.has_value()) {
      operand.SetQuantization(*tied);
    }
    if (!operand.has_quantization) {
      // About what the elements are in; at times half of that, so that some are beyond its ends.
      const double room = random_->Uniform(1, 1.25) / (OneIn(4) ? 2 : 1);
      ChosenQuantization quantization = ChooseQuantization(type, operand.range.Times(room));
      if (quantization.extension_params == nullptr) {
        quantization.scale = std::max(quantization.scale, least_output_scales_[i] * 1.0001F);
      }
      operand.SetQuantization(quantization);
    }
    if (!IsQuantized(type)) continue;
    const ValueRange possible = RangeOfQuantized(operand.info);
    operand.range = {std::clamp(operand.range.lowest, possible.lowest, possible.highest),
                     std::clamp(operand.range.highest, possible.lowest, possible.highest)};
  }
}

void ChooseAlike(OperandChooser& choose) {
  const Signature& signature = choose.definition().signature;
  // Those of a given value, which may be another than the first.
  int source = 0;
  for (size_t slot = 0; slot < signature.inputs.size(); ++slot) {
    if (choose.IsGiven(static_cast<int>(slot))) source = static_cast<int>(slot);
  }
  const Shape dimensions = choose.Dimensions(source);
  for (size_t slot = 0; slot < signature.inputs.size(); ++slot) {
    const OperandRule& rule = signature.inputs[slot];
    if (rule.is_tensor() && !rule.is_parameter()) {
      choose.SetDimensions(static_cast<int>(slot), dimensions);
    }
  }
}

void ChooseBroadcast(OperandChooser& choose) {
  const int source = choose.IsGiven(1) ? 1 : 0;
  const int other = 1 - source;
  const Shape whole = choose.Dimensions(source);
  // Each dimension is that of the other one, or is repeated there, or repeated itself.
  Shape dimensions = whole;
  if (choose.AreAlike(2)) return choose.SetDimensions(other, dimensions);
  for (uint32_t& dimension : dimensions) {
    if (dimension == 1) {
      dimension = choose.OneIn(2) ? choose.Size(4) : 1;
    } else if (choose.OneIn(3)) {
      dimension = 1;
    }
  }
  // Outer dimensions may be absent, or there may be more of them.
  if (choose.OneIn(3)) {
    const size_t absent = choose.random().Below(dimensions.size());
    dimensions.erase(dimensions.begin(), dimensions.begin() + static_cast<ptrdiff_t>(absent));
  } else if (dimensions.size() < static_cast<size_t>(kGreatestRank) && choose.OneIn(4)) {
    dimensions.insert(dimensions.begin(), choose.Size(3));
  }
  choose.SetDimensions(other, dimensions);
}

}  // namespace nncert
