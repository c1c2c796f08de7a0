// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/utils.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "hal/float16.h"
#include "hal/to_string.h"

namespace nncert::hal {
namespace {

// An OEM scalar alone has no size of its own.
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, SCALAR, BYTES, STORAGE, ...) \
  static_assert(BYTES == sizeof(STORAGE) || BYTES == 0);
#include "hal/operand_types.def"

constexpr auto kProperties = std::to_array<OperandTypeProperties>({
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, SCALAR, BYTES, STORAGE, SCALE, ZERO_POINT_MAX) \
  {.type = V1_2::OperandType::NAME,                                                            \
   .name = #NAME,                                                                              \
   .since = HalVersion::V1_##SINCE,                                                            \
   .isScalar = SCALAR,                                                                         \
   .elementSize = BYTES,                                                                       \
   .scale = ScaleRule::SCALE,                                                                  \
   .zeroPointMax = ZERO_POINT_MAX},
#include "hal/operand_types.def"
});

constexpr size_t kFundamentalTypes =
    static_cast<size_t>(V1_2::OperandTypeRange::FUNDAMENTAL_MAX) + 1;

// The table can be indexed by a fundamental type's number.
static_assert([] {
  for (size_t i = 0; i < kFundamentalTypes; ++i) {
    if (static_cast<size_t>(kProperties[i].type) != i) return false;
  }
  return true;
}());

}  // namespace

const OperandTypeProperties* operandTypeProperties(V1_2::OperandType type) {
  const auto number = static_cast<uint32_t>(type);
  if (number < kFundamentalTypes) return &kProperties[number];
  const auto* const found = std::find_if(
      kProperties.begin() + kFundamentalTypes, kProperties.end(),
      [&](const OperandTypeProperties& properties) { return properties.type == type; });
  return found == kProperties.end() ? nullptr : found;
}

bool isOemOperandType(V1_2::OperandType type) {
  return type == V1_2::OperandType::OEM || type == V1_2::OperandType::TENSOR_OEM_BYTE;
}

bool isOemOperationType(V1_2::OperationType type) {
  return type == V1_2::OperationType::OEM_OPERATION;
}

bool isOperandTypeOf(HalVersion version, V1_2::OperandType type) {
  if (isExtensionOperandType(type)) return version >= HalVersion::V1_2;
  const OperandTypeProperties* const properties = operandTypeProperties(type);
  return properties != nullptr && properties->since <= version;
}

bool isOperationTypeOf(HalVersion version, V1_2::OperationType type) {
  if (isExtensionOperationType(type)) return version >= HalVersion::V1_2;
  return (isOemOperationType(type) ||
          static_cast<uint32_t>(type) <=
              static_cast<uint32_t>(V1_2::OperationTypeRange::FUNDAMENTAL_MAX)) &&
         IntroducedIn(type) <= version;
}

bool nonExtensionOperandTypeIsScalar(V1_2::OperandType type) {
  const OperandTypeProperties* const properties = operandTypeProperties(type);
  return properties != nullptr && properties->isScalar;
}

bool isQuantized(V1_2::OperandType type) {
  const OperandTypeProperties* const properties = operandTypeProperties(type);
  return properties != nullptr &&
         (properties->scale == ScaleRule::POSITIVE || properties->scale == ScaleRule::PER_CHANNEL);
}

uint32_t nonExtensionElementSize(V1_2::OperandType type) {
  const OperandTypeProperties* const properties = operandTypeProperties(type);
  return properties == nullptr ? 0 : properties->elementSize;
}

std::optional<uint64_t> nonExtensionSizeOfData(V1_2::OperandType type,
                                               const std::vector<uint32_t>& dimensions) {
  uint64_t size = nonExtensionElementSize(type);
  if (nonExtensionOperandTypeIsScalar(type)) return size;
  if (dimensions.empty()) return 0;
  // A dimension of 0 makes the size 0 however large the others are.
  if (std::find(dimensions.begin(), dimensions.end(), 0U) != dimensions.end()) return 0;
  for (const uint32_t dimension : dimensions) {
    if (__builtin_mul_overflow(size, uint64_t{dimension}, &size)) return std::nullopt;
  }
  return size;
}

std::optional<uint64_t> nonExtensionOperandSizeOfData(const V1_2::Operand& operand) {
  return nonExtensionSizeOfData(operand.type, operand.dimensions);
}

bool tensorHasUnspecifiedDimensions(V1_2::OperandType type,
                                    const std::vector<uint32_t>& dimensions) {
  if (nonExtensionOperandTypeIsScalar(type)) return false;
  if (dimensions.empty()) return !isExtensionOperandType(type);
  return std::find(dimensions.begin(), dimensions.end(), 0U) != dimensions.end();
}

bool tensorHasUnspecifiedDimensions(const V1_2::Operand& operand) {
  return tensorHasUnspecifiedDimensions(operand.type, operand.dimensions);
}

bool isConstant(V1_2::OperandLifeTime lifetime) {
  return lifetime == V1_2::OperandLifeTime::CONSTANT_COPY ||
         lifetime == V1_2::OperandLifeTime::CONSTANT_REFERENCE;
}

}  // namespace nncert::hal
