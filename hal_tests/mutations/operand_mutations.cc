// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Mutations of single operands.

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal_tests/mutations/model_mutator.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::OperandTypeProperties;
using hal::ScaleRule;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;
using hal::V1_2::SymmPerChannelQuantParams;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Gives operands with something else for a member, each in a place: "scale 0 in place of 0.5".
template <typename Value>
void TellOfMember(ModelMutator& mutator, const MutationPlace& place, const char* name,
                  Value Operand::*member, const Value& value, uint64_t variant) {
  const uint32_t index = *place.operand;
  const Value& before = mutator.model().operands[index].*member;
  mutator.Tell(
      place, variant, [&] { return absl::StrCat(name, " ", value, " in place of ", before); },
      [&](ModelMutant& mutant) { mutant.model.operands[index].*member = value; });
}

void TellOfScale(ModelMutator& mutator, const MutationPlace& place, float scale) {
  TellOfMember(mutator, place, "scale", &Operand::scale, scale, std::bit_cast<uint32_t>(scale));
}

void TellOfExtraParams(ModelMutator& mutator, const MutationPlace& place, uint64_t variant,
                       const char* what, const Operand::ExtraParams& params) {
  const uint32_t index = *place.operand;
  mutator.Tell(
      place, variant, [&] { return absl::StrCat("extraParams ", what); },
      [&](ModelMutant& mutant) { mutant.model.operands[index].extraParams = params; });
}

// What can be wrong with the scales of channels.
void TellOfChannelQuant(ModelMutator& mutator, const MutationPlace& place,
                        const SymmPerChannelQuantParams& valid) {
  const Operand& operand = mutator.model().operands[*place.operand];
  uint64_t variant = 16;
  const auto tell = [&](const char* what, auto change) {
    SymmPerChannelQuantParams params = valid;
    change(params);
    TellOfExtraParams(mutator, place, variant++, what, params);
  };
  tell("with a channelDim of the rank",
       [&](auto& params) { params.channelDim = static_cast<uint32_t>(operand.dimensions.size()); });
  tell("with the greatest channelDim there is",
       [](auto& params) { params.channelDim = UINT32_MAX; });
  tell("without scales", [](auto& params) { params.scales.clear(); });
  tell("with a scale too few", [](auto& params) { params.scales.pop_back(); });
  tell("with a scale too many", [](auto& params) { params.scales.push_back(params.scales[0]); });
  for (const float scale : {0.0F, -1.0F, kNaN, kInfinity}) {
    const std::string what = absl::StrCat("with ", scale, " for the last of its scales");
    tell(what.c_str(), [&](auto& params) { params.scales.back() = scale; });
  }
}

// A value of zeros for the operand; nothing when its size is not known, or large.
std::optional<std::vector<uint8_t>> ZerosFor(const Operand& operand) {
  constexpr uint64_t kLargest = 1 << 20;
  const std::optional<uint64_t> size = hal::nonExtensionOperandSizeOfData(operand);
  if (!size.has_value() || *size == 0 || *size > kLargest) return std::nullopt;
  return std::vector<uint8_t>(*size);
}

}  // namespace

void MutateOperandType(ModelMutator& mutator) {
  int first_unknown = 0;
  while (hal::isOperandTypeOf(mutator.version(), static_cast<OperandType>(first_unknown))) {
    ++first_unknown;
  }
  const int first_oem = static_cast<int>(hal::V1_2::OperandTypeRange::OEM_MIN);
  const int last_oem = static_cast<int>(hal::V1_2::OperandTypeRange::OEM_MAX);
  for (const MutationPlace& place : mutator.operands()) {
    const uint32_t index = *place.operand;
    for (const int number : {-1, first_unknown, first_oem - 1, last_oem + 1}) {
      mutator.Tell(
          place, static_cast<uint64_t>(number),
          [&] {
            return absl::StrCat("type ", number, " in place of ",
                                toString(mutator.model().operands[index].type));
          },
          [&](ModelMutant& mutant) {
            mutant.model.operands[index].type = static_cast<OperandType>(number);
          });
    }
  }
}

void MutateOperandRank(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.operands()) {
    const uint32_t index = *place.operand;
    const auto tell = [&](uint64_t variant, const std::vector<uint32_t>& dimensions) {
      mutator.Tell(
          place, variant,
          [&] { return absl::StrCat("dimensions ", hal::dimensionsToString(dimensions)); },
          [&](ModelMutant& mutant) { mutant.model.operands[index].dimensions = dimensions; });
    };
    const OperandType type = mutator.model().operands[index].type;
    if (hal::nonExtensionOperandTypeIsScalar(type)) {
      tell(0, {0});
      tell(1, {1});
    } else if (mutator.version() < HalVersion::V1_2) {
      tell(2, {});
    }
  }
}

void MutateOperandScale(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.operands()) {
    const OperandTypeProperties* const properties =
        hal::operandTypeProperties(mutator.model().operands[*place.operand].type);
    // Extensions keep their parameters in extraParams, and have no scale.
    switch (properties == nullptr ? ScaleRule::ZERO : properties->scale) {
      case ScaleRule::ZERO:
      case ScaleRule::PER_CHANNEL:
        TellOfScale(mutator, place, 1);
        TellOfScale(mutator, place, -1);
        break;
      case ScaleRule::NON_NEGATIVE:
        TellOfScale(mutator, place, -1);
        break;
      case ScaleRule::POSITIVE:
        TellOfScale(mutator, place, 0);
        TellOfScale(mutator, place, -1);
        break;
      case ScaleRule::ANY:
        break;
    }
  }
}

void MutateOperandScaleSpecial(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.operands()) {
    const OperandTypeProperties* const properties =
        hal::operandTypeProperties(mutator.model().operands[*place.operand].type);
    if (properties != nullptr && properties->scale == ScaleRule::ANY) continue;
    for (const float scale : {kNaN, kInfinity, -kInfinity}) TellOfScale(mutator, place, scale);
  }
}

void MutateOperandZeroPoint(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.operands()) {
    const OperandType type = mutator.model().operands[*place.operand].type;
    const OperandTypeProperties* const properties = hal::operandTypeProperties(type);
    const int32_t most = properties == nullptr ? 0 : properties->zeroPointMax;
    if (most < 0) continue;
    std::vector<int32_t> values = {-1, most + 1, std::numeric_limits<int32_t>::min(),
                                   std::numeric_limits<int32_t>::max()};
    // What the stored integers of symmetric types could be, and is no zero point either.
    if (type == OperandType::TENSOR_QUANT8_SYMM) values.insert(values.end(), {-129, 128});
    if (type == OperandType::TENSOR_QUANT16_SYMM) values.insert(values.end(), {-32769, 32768});
    for (const int32_t value : values) {
      TellOfMember(mutator, place, "zeroPoint", &Operand::zeroPoint, value,
                   static_cast<uint32_t>(value));
    }
  }
}

void MutateOperandExtraParams(ModelMutator& mutator) {
  // Earlier versions have none.
  if (mutator.version() < HalVersion::V1_2) return;
  for (const MutationPlace& place : mutator.operands()) {
    const Operand& operand = mutator.model().operands[*place.operand];
    if (hal::isOemOperandType(operand.type)) continue;
    const SymmPerChannelQuantParams one_channel = {.scales = {1}, .channelDim = 0};
    if (!hal::isExtensionOperandType(operand.type)) {
      TellOfExtraParams(mutator, place, 0, "with the bytes of an extension",
                        std::vector<uint8_t>{1, 2, 3, 4});
    }
    if (const auto* valid = std::get_if<SymmPerChannelQuantParams>(&operand.extraParams)) {
      TellOfExtraParams(mutator, place, 1, "with nothing", std::monostate());
      TellOfChannelQuant(mutator, place, *valid);
    } else {
      TellOfExtraParams(mutator, place, 2, "with the scale of a channel", one_channel);
    }
  }
}

void MutateConstantRank(ModelMutator& mutator) {
  if (mutator.version() < HalVersion::V1_2) return;  // mutateOperandRankTest does it
  for (const MutationPlace& place : mutator.operands()) {
    const uint32_t index = *place.operand;
    const Operand& operand = mutator.model().operands[index];
    const OperandTypeProperties* const properties = hal::operandTypeProperties(operand.type);
    if (!hal::isConstant(operand.lifetime) || properties == nullptr || properties->isScalar) {
      continue;
    }
    // One element is what a careless reader of no dimensions takes it for.
    for (const bool has_one_element : {false, true}) {
      mutator.Tell(
          place, has_one_element ? 1 : 0,
          [&] {
            return absl::StrCat("no dimensions in place of ",
                                hal::dimensionsToString(operand.dimensions),
                                has_one_element ? ", and one element" : "");
          },
          [&](ModelMutant& mutant) {
            Operand& changed = mutant.model.operands[index];
            changed.dimensions.clear();
            if (has_one_element) changed.location.length = properties->elementSize;
          });
    }
  }
}

void MutateConstantSizeOverflow(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.operands()) {
    const uint32_t index = *place.operand;
    const Operand& operand = mutator.model().operands[index];
    const uint32_t element = hal::nonExtensionElementSize(operand.type);
    if (!hal::isConstant(operand.lifetime) || operand.dimensions.empty() || element == 0) continue;
    // The channels of a filter are as many as its scales.
    if (!std::holds_alternative<std::monostate>(operand.extraParams)) continue;
    for (size_t axis = 0; axis < operand.dimensions.size(); ++axis) {
      uint64_t slice = element;
      for (size_t i = 0; i < operand.dimensions.size(); ++i) {
        if (i != axis) slice *= operand.dimensions[i];
      }
      if (slice == 0) continue;
      // The least addition that makes a multiple of 2^32 bytes, which 32 bits do not see.
      const uint64_t more = (uint64_t{1} << 32) >> std::countr_zero(slice);
      if (more + operand.dimensions[axis] > UINT32_MAX) continue;
      mutator.Tell(
          place, axis,
          [&] {
            return absl::StrCat("dimension ", axis, " ", more + operand.dimensions[axis],
                                " in place of ", operand.dimensions[axis]);
          },
          [&](ModelMutant& mutant) {
            mutant.model.operands[index].dimensions[axis] += static_cast<uint32_t>(more);
          });
    }
    if (operand.dimensions.size() < 3) continue;
    mutator.Tell(
        place, 16, [] { return std::string("every dimension 2^31, and no bytes"); },
        [&](ModelMutant& mutant) {
          std::vector<uint32_t>& dimensions = mutant.model.operands[index].dimensions;
          std::fill(dimensions.begin(), dimensions.end(), uint32_t{1} << 31);
          mutant.model.operands[index].location.length = 0;
        });
  }
}

void MutateOperandLifeTime(ModelMutator& mutator) {
  constexpr int kFirstUnknown = static_cast<int>(OperandLifeTime::NO_VALUE) + 1;
  for (const MutationPlace& place : mutator.operands()) {
    const uint32_t index = *place.operand;
    const Operand& operand = mutator.model().operands[index];
    for (int number = -1; number <= kFirstUnknown; ++number) {
      const auto lifetime = static_cast<OperandLifeTime>(number);
      if (lifetime == operand.lifetime) continue;
      mutator.Tell(
          place, static_cast<uint64_t>(number),
          [&] {
            return absl::StrCat("lifetime ", toString(lifetime), " in place of ",
                                toString(operand.lifetime));
          },
          [&](ModelMutant& mutant) {
            // The location is one of the lifetime, so that it is the lifetime that is wrong.
            Operand& changed = mutant.model.operands[index];
            if (!hal::isConstant(lifetime)) {
              changed.location = {};
            } else if (!hal::isConstant(operand.lifetime)) {
              if (const auto zeros = ZerosFor(operand)) SetConstant(mutant.model, index, *zeros);
            }
            mutant.model.operands[index].lifetime = lifetime;
          });
    }
  }
}

void MutateNumberOfConsumers(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.operands()) {
    const uint32_t before = mutator.model().operands[*place.operand].numberOfConsumers;
    std::vector<uint32_t> values = {before + 1, UINT32_MAX};
    if (before > 0) values.insert(values.end(), {before - 1});
    for (const uint32_t value : values) {
      TellOfMember(mutator, place, "numberOfConsumers", &Operand::numberOfConsumers, value,
                   uint64_t{value} - before);
    }
  }
}

}  // namespace nncert
