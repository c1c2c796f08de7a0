// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/signature.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"

namespace nncert {

OperandRule::OperandRule(std::string_view name, bool is_tensor)
    : name_(name), is_tensor_(is_tensor) {}

OperandRule& OperandRule::Types(HalVersion since, const std::vector<OperandType>& types) {
  for (const OperandType type : types) types_.push_back({since, type});
  return *this;
}

OperandRule& OperandRule::TypeWhen(int slot, OperandType slot_type, OperandType type,
                                   HalVersion since) {
  types_.push_back({since, type, slot, slot_type});
  return *this;
}

OperandRule& OperandRule::TypeLike(int slot) {
  like_slot_ = slot;
  return *this;
}

OperandRule& OperandRule::Ranks(HalVersion since, const std::vector<int>& ranks) {
  uint32_t bits = 0;
  for (const int rank : ranks) bits |= uint32_t{1} << rank;
  ranks_.push_back({since, bits});
  return *this;
}

OperandRule& OperandRule::QuantizedLike(int slot) {
  quantization_.push_back({.kind = QuantizationRule::Kind::kSameAs, .slot = slot});
  return *this;
}

OperandRule& OperandRule::Quantized(float scale, int32_t zeroPoint,
                                    std::optional<OperandType> only_type) {
  quantization_.push_back({.kind = QuantizationRule::Kind::kFixed,
                           .scale = scale,
                           .zeroPoint = zeroPoint,
                           .only_type = only_type});
  return *this;
}

OperandRule& OperandRule::QuantizedAsBias(int input_slot, int filter_slot) {
  quantization_.push_back(
      {.kind = QuantizationRule::Kind::kBias, .slot = input_slot, .filter_slot = filter_slot});
  return *this;
}

OperandRule& OperandRule::Since(HalVersion since) {
  since_ = since;
  return *this;
}

OperandRule& OperandRule::Trailing(bool with_next) {
  presence_ = Presence::kTrailing;
  trails_with_next_ = with_next;
  return *this;
}

OperandRule& OperandRule::Omittable() {
  presence_ = Presence::kOmittable;
  return *this;
}

OperandRule& OperandRule::Parameter() {
  is_parameter_ = true;
  return *this;
}

OperandRule& OperandRule::Variadic() {
  is_variadic_ = true;
  return *this;
}

OperandRule& OperandRule::Describe(std::string_view description) {
  description_ = std::string(description);
  return *this;
}

OperandRule& OperandRule::Values(ValueHint hint) {
  values_ = hint;
  return *this;
}

bool OperandRule::AllowsRank(int rank, HalVersion version) const {
  if (!is_tensor_) return rank == 0;
  if (ranks_.empty()) return rank >= 1;
  uint32_t bits = 0;
  for (const RankAlternative& alternative : ranks_) {
    if (alternative.since <= version) bits |= alternative.ranks;
  }
  return rank < 32 && ((bits >> rank) & 1) != 0;
}

std::string OperandRule::RanksToString(HalVersion version) const {
  if (!is_tensor_) return "0 (a scalar)";
  if (ranks_.empty()) return "at least 1";
  std::vector<int> allowed;
  for (int rank = 0; rank < 32; ++rank) {
    if (AllowsRank(rank, version)) allowed.push_back(rank);
  }
  std::string text;
  for (size_t i = 0; i < allowed.size(); ++i) {
    const char* separator = i == 0 ? "" : (i + 1 == allowed.size() ? " or " : ", ");
    absl::StrAppend(&text, separator, allowed[i]);
  }
  return text.empty() ? "none at this version" : text;
}

OperandRule FloatScalarLike(std::string_view name, int slot) {
  return OperandRule(name, false)
      .TypeWhen(slot, OperandType::TENSOR_FLOAT32, OperandType::FLOAT32)
      .TypeWhen(slot, OperandType::TENSOR_QUANT8_ASYMM, OperandType::FLOAT32)
      .TypeWhen(slot, OperandType::TENSOR_FLOAT16, OperandType::FLOAT16, HalVersion::V1_2);
}

OperandRule FloatScalarBeside(std::string_view name, int slot) {
  return FloatScalarLike(name, slot)
      .TypeWhen(slot, OperandType::TENSOR_FLOAT16, OperandType::FLOAT32, HalVersion::V1_2);
}

OperandRule LayoutScalar() {
  return BoolScalar("layout").Describe("False for NHWC, true for NCHW.");
}

OperandRule ActivationScalar() {
  return Int32Scalar("activation")
      .Describe("The fused activation: 0 none, 1 RELU, 2 RELU1, 3 RELU6.")
      .Values(Uniform(0, 3));
}

std::vector<int> FirstSlots(int count) {
  std::vector<int> slots(static_cast<size_t>(count));
  std::iota(slots.begin(), slots.end(), 0);
  return slots;
}

bool Signature::HasForm(const std::vector<int>& form, HalVersion version) const {
  return std::all_of(form.begin(), form.end(), [&](int slot) {
    const OperandRule& rule = inputs[static_cast<size_t>(slot)];
    return rule.since() <= version || rule.presence() == Presence::kTrailing;
  });
}

std::vector<std::vector<int>> Signature::AllForms() const {
  if (!forms.empty()) return forms;
  return {FirstSlots(static_cast<int>(inputs.size()))};
}

}  // namespace nncert
