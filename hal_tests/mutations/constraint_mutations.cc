// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Mutations of what operations demand of their operands beyond types and numbers: parameters,
// dimensions that fit together, ties of quantization.
//
// Which values an operation takes is not said here: these are values that some operation does not
// take, and the reference's validation tells where that is so.

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "cases/model_values.h"
#include "hal/to_string.h"
#include "hal_tests/mutations/model_mutator.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using hal::V1_2::Operation;
using hal::V1_2::SymmPerChannelQuantParams;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeast = std::numeric_limits<int32_t>::min();
constexpr double kMost = std::numeric_limits<int32_t>::max();

// Parameters that lists of numbers are given by have no more elements.
constexpr uint64_t kMostElements = 16;

// What some parameter of some operation must not be: strides and sizes of 0, unknown activations
// and paddings, axes beyond any rank, negative numbers, and those that overflow.
constexpr double kIntegers[] = {0, -1, 2, 4, 9, kLeast, kMost};
constexpr double kReals[] = {0, -1, 2, kNaN, kInfinity};

uint64_t VariantOf(uint64_t kind, size_t element, double value) {
  return (kind << 56) ^ (uint64_t{element} << 48) ^ (std::bit_cast<uint64_t>(value) >> 16);
}

// Has outputs of operations say nothing of their dimensions, so that they contradict nothing.
void LeaveOutputsOpen(Model& model, bool keeps_rank) {
  for (const Operation& operation : model.operations) {
    for (const uint32_t output : operation.outputs) {
      std::vector<uint32_t>& open = model.operands[output].dimensions;
      std::fill(open.begin(), open.end(), 0);
      if (!keeps_rank) open.clear();
    }
  }
}

// Gives a constant parameter other values.
void ChangeValues(ModelMutant& mutant, uint32_t operand, const std::vector<double>& values,
                  hal::HalVersion version) {
  Model& model = mutant.model;
  SetConstant(model, operand, BytesOf(model.operands[operand].type, values));
  // Before 1.2 the rank of an output cannot be left open.
  LeaveOutputsOpen(model, /*keeps_rank=*/version < hal::HalVersion::V1_2);
}

// Tells of other values of a constant parameter.
void TellOfValues(ModelMutator& mutator, const MutationPlace& place) {
  const Model& model = mutator.model();
  const uint32_t index = *place.operand;
  const Operand& operand = model.operands[index];
  const bool is_list = operand.type == OperandType::TENSOR_INT32 && operand.scale == 0;
  const bool is_integer = is_list || operand.type == OperandType::INT32;
  const bool is_real = operand.type == OperandType::FLOAT32 || operand.type == OperandType::FLOAT16;
  if (!hal::isConstant(operand.lifetime) || !(is_integer || is_real)) return;
  const absl::StatusOr<std::vector<uint8_t>> bytes = ConstantValue(model, index);
  if (!bytes.ok()) return;
  const std::vector<double> before = NumbersOf(operand.type, *bytes);
  if (before.empty() || before.size() > kMostElements) return;
  for (const size_t element : {size_t{0}, before.size() - 1}) {
    for (const double value :
         is_integer ? absl::MakeConstSpan(kIntegers) : absl::MakeConstSpan(kReals)) {
      if (before[element] == value) continue;
      mutator.Tell(
          place, VariantOf(0, element, value),
          [&] {
            return absl::StrCat(is_list ? absl::StrCat("element ", element) : "the value", " ",
                                value, " in place of ", before[element]);
          },
          [&](ModelMutant& mutant) {
            std::vector<double> changed = before;
            changed[element] = value;
            ChangeValues(mutant, index, changed, mutator.version());
          });
    }
    if (before.size() == 1) break;
  }
  if (before.size() < 2) return;
  mutator.Tell(
      place, VariantOf(1, 0, 0),
      [&] { return absl::StrCat("element 1 ", before[0], ", as element 0"); },
      [&](ModelMutant& mutant) {
        std::vector<double> changed = before;
        changed[1] = changed[0];
        ChangeValues(mutant, index, changed, mutator.version());
      });
}

// Gives an operand other dimensions, and with them as many bytes and scales as they ask for.
void ChangeDimensions(Model& model, const MutationPlace& place, std::vector<uint32_t> dimensions) {
  Operand& operand = model.operands[*place.operand];
  const bool is_same_rank = operand.dimensions.size() == dimensions.size();
  operand.dimensions = std::move(dimensions);
  if (auto* quantization = std::get_if<SymmPerChannelQuantParams>(&operand.extraParams)) {
    if (quantization->channelDim < operand.dimensions.size()) {
      quantization->scales.resize(operand.dimensions[quantization->channelDim],
                                  quantization->scales[0]);
    }
  }
  if (hal::isConstant(operand.lifetime)) {
    const uint64_t size = hal::nonExtensionOperandSizeOfData(operand).value_or(0);
    SetConstant(model, *place.operand, std::vector<uint8_t>(size));
  }
  LeaveOutputsOpen(model, is_same_rank);
}

// Tells of other dimensions of a tensor.
void TellOfDimensions(ModelMutator& mutator, const MutationPlace& place) {
  const Operand& operand = mutator.model().operands[*place.operand];
  const std::vector<uint32_t>& before = operand.dimensions;
  constexpr uint64_t kLargest = 1 << 20;
  if (before.empty() || hal::nonExtensionElementSize(operand.type) == 0) return;
  if (hal::nonExtensionOperandSizeOfData(operand).value_or(kLargest) >= kLargest) return;
  uint64_t variant = VariantOf(2, 0, 0);
  const auto tell = [&](std::vector<uint32_t> dimensions) {
    mutator.Tell(
        place, ++variant,
        [&] {
          return absl::StrCat("dimensions ", hal::dimensionsToString(dimensions), " in place of ",
                              hal::dimensionsToString(before));
        },
        [&](ModelMutant& mutant) { ChangeDimensions(mutant.model, place, dimensions); });
  };
  for (size_t axis = 0; axis < before.size(); ++axis) {
    std::vector<uint32_t> dimensions = before;
    dimensions[axis] = before[axis] + 1;
    tell(dimensions);
    dimensions[axis] = before[axis] == 1 ? 3 : 1;
    tell(dimensions);
  }
  // Before 1.2 the rank of an output cannot be left open.
  if (mutator.version() < hal::HalVersion::V1_2) return;
  std::vector<uint32_t> dimensions = before;
  dimensions.push_back(1);
  tell(dimensions);
  if (before.size() < 2) return;
  dimensions = before;
  dimensions[dimensions.size() - 2] *= dimensions.back();
  dimensions.pop_back();
  tell(dimensions);
}

// Tells of other quantizations of a tensor, which are valid in themselves.
void TellOfQuantization(ModelMutator& mutator, const MutationPlace& place) {
  const uint32_t index = *place.operand;
  const Operand& operand = mutator.model().operands[index];
  const hal::OperandTypeProperties* const type = hal::operandTypeProperties(operand.type);
  if (type == nullptr) return;
  if (operand.scale > 0 || type->scale == hal::ScaleRule::NON_NEGATIVE) {
    const float scale = operand.scale > 0 ? operand.scale * 2 : 0.5F;
    mutator.Tell(
        place, VariantOf(3, 0, 0),
        [&] { return absl::StrCat("scale ", scale, " in place of ", operand.scale); },
        [&](ModelMutant& mutant) { mutant.model.operands[index].scale = scale; });
  }
  if (type->zeroPointMax > 0) {
    const int32_t zero_point = operand.zeroPoint == 0 ? 1 : operand.zeroPoint - 1;
    mutator.Tell(
        place, VariantOf(4, 0, 0),
        [&] { return absl::StrCat("zeroPoint ", zero_point, " in place of ", operand.zeroPoint); },
        [&](ModelMutant& mutant) { mutant.model.operands[index].zeroPoint = zero_point; });
  }
  const auto* channels = std::get_if<SymmPerChannelQuantParams>(&operand.extraParams);
  if (channels == nullptr) return;
  for (uint32_t axis = 0; axis < operand.dimensions.size(); ++axis) {
    if (axis == channels->channelDim || operand.dimensions[axis] == 0) continue;
    mutator.Tell(
        place, VariantOf(5, axis, 0),
        [&] { return absl::StrCat("channelDim ", axis, " in place of ", channels->channelDim); },
        [&](ModelMutant& mutant) {
          mutant.model.operands[index].extraParams = SymmPerChannelQuantParams{
              .scales = std::vector<float>(operand.dimensions[axis], channels->scales[0]),
              .channelDim = axis};
        });
  }
}

}  // namespace

void BreakConstraints(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.arguments()) {
    TellOfQuantization(mutator, place);
    if (place.is_output) continue;
    TellOfValues(mutator, place);
    TellOfDimensions(mutator, place);
  }
}

void MutateOutputDimensions(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.arguments()) {
    const std::vector<uint32_t>& before = mutator.model().operands[*place.operand].dimensions;
    if (!place.is_output || before.empty()) continue;
    const auto tell = [&](uint64_t variant, const std::vector<uint32_t>& dimensions) {
      mutator.Tell(
          place, variant,
          [&] {
            return absl::StrCat("dimensions ", hal::dimensionsToString(dimensions), " in place of ",
                                hal::dimensionsToString(before));
          },
          [&](ModelMutant& mutant) {
            mutant.model.operands[*place.operand].dimensions = dimensions;
          });
    };
    std::vector<uint32_t> dimensions = before;
    dimensions.push_back(1);
    tell(0, dimensions);
    for (size_t axis = 0; axis < before.size(); ++axis) {
      if (before[axis] == 0) continue;
      dimensions = before;
      ++dimensions[axis];
      tell(axis + 1, dimensions);
    }
  }
}

}  // namespace nncert
