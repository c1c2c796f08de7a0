// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/chosen_quantization.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "glog/logging.h"
#include "reference/extension.h"
#include "reference/storage.h"

namespace nncert {
namespace {

// The type of an extension whose extraParams say what elements are; null for others.
const ExtensionOperandType* FindTypeOfParams(OperandType type) {
  const ExtensionOperandType* const extended = FindExtensionOperandType(type);
  return extended != nullptr && extended->interpret != nullptr ? extended : nullptr;
}

}  // namespace

double ValueRange::Magnitude() const { return std::max(std::abs(lowest), std::abs(highest)); }

ValueRange ValueRange::HullWith(const ValueRange& other) const {
  return {std::min(lowest, other.lowest), std::max(highest, other.highest)};
}

bool ChosenQuantization::operator==(const ChosenQuantization& other) const {
  const bool have_params = extension_params != nullptr && other.extension_params != nullptr;
  return scale == other.scale && zeroPoint == other.zeroPoint &&
         (have_params ? *extension_params == *other.extension_params
                      : extension_params == other.extension_params);
}

bool HasQuantization(OperandType type) {
  return IsQuantized(type) || FindTypeOfParams(type) != nullptr;
}

ChosenQuantization ChooseQuantization(OperandType type, ValueRange range) {
  ChosenQuantization chosen;
  if (const ExtensionOperandType* const extended = FindTypeOfParams(type); extended != nullptr) {
    std::vector<uint8_t> params = extended->choose_extra_params(range.lowest, range.highest);
    OperandInfo info;
    info.type = type;
    const absl::Status status = extended->interpret(params, info);
    CHECK(status.ok()) << "choose_extra_params of " << NameOf(type) << ": " << status;
    chosen = {info.scale, info.zeroPoint,
              std::make_shared<const std::vector<uint8_t>>(std::move(params))};
  } else {
    std::tie(chosen.scale, chosen.zeroPoint) = QuantizationOf(type, range);
  }
  return chosen;
}

bool CanBeChosen(OperandType type) {
  const ExtensionOperandType* const extended = FindExtensionOperandType(type);
  if (extended == nullptr) return !IsOpaque(type);
  if (!extended->stored_as.has_value() && extended->choose_value == nullptr) return false;
  return extended->interpret == nullptr || extended->choose_extra_params != nullptr;
}

std::vector<std::string> TypesThatCannotBeChosen() {
  std::vector<std::string> names;
  for (const ExtensionDefinition* extension : AllExtensions()) {
    for (const ExtensionOperandType& type : extension->operand_types) {
      const OperandType number = CatalogueOperandType(extension->name, type.type);
      if (!CanBeChosen(number)) names.push_back(NameOf(number));
    }
  }
  return names;
}

std::pair<float, int32_t> QuantizationOf(OperandType type, ValueRange range) {
  const IntegerRange integers = RangeOf(type);
  const ElementKind kind = ElementKindOf(type);
  if (kind == ElementKind::kQuant8Symm || kind == ElementKind::kQuant16Symm) {
    const double scale = range.Magnitude() / static_cast<double>(integers.highest);
    return {scale > 0 ? static_cast<float>(scale) : 1.0F, 0};
  }
  const double lowest = std::min(range.lowest, 0.0);
  const double highest = std::max(range.highest, 0.0);
  const auto scale = static_cast<float>((highest - lowest) /
                                        static_cast<double>(integers.highest - integers.lowest));
  if (!(scale > 0)) return {1.0F, static_cast<int32_t>(integers.lowest)};
  const double zero = static_cast<double>(integers.lowest) - std::round(lowest / scale);
  return {scale, static_cast<int32_t>(std::clamp(zero, static_cast<double>(integers.lowest),
                                                 static_cast<double>(integers.highest)))};
}

ValueRange RangeOfQuantized(const OperandInfo& info) {
  const IntegerRange integers = RangeOf(info.type);
  double scale = info.scale;
  for (const float channel : info.channelScales) {
    scale = std::max(scale, static_cast<double>(channel));
  }
  return {static_cast<double>(integers.lowest - info.zeroPoint) * scale,
          static_cast<double>(integers.highest - info.zeroPoint) * scale};
}

}  // namespace nncert
