// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What can be asked of operand and operation types, and the sizes of operands. All answers are read
// off hal/operand_types.def and hal/operations.def.

#ifndef NNCERT_HAL_UTILS_H_
#define NNCERT_HAL_UTILS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hal/extension.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert::hal {

/// Which values Operand::scale may have.
enum class ScaleRule {
  ZERO,          ///< 0: the type is not quantized
  NON_NEGATIVE,  ///< 0 or more: quantized where an operation wants it so
  POSITIVE,      ///< more than 0
  PER_CHANNEL,   ///< 0: the scales are in Operand::extraParams
  ANY,           ///< whatever an OEM makes of it
};

/// What is known of an operand type of the HAL; see hal/operand_types.def.
struct OperandTypeProperties {
  V1_2::OperandType type;
  std::string_view name;
  HalVersion since;
  bool isScalar;
  /// Bytes of an element; 0 for OEM scalars, whose size only the vendor knows.
  uint32_t elementSize;
  ScaleRule scale;
  /// Operand::zeroPoint is in [0, zeroPointMax]; -1 when anything goes.
  int32_t zeroPointMax;
};

/// The properties of a type, or null for extension types and numbers that no version knows.
const OperandTypeProperties* operandTypeProperties(V1_2::OperandType type);

/// Whether a type belongs to an extension.
constexpr bool isExtensionOperandType(V1_2::OperandType type) { return extensionPrefix(type) != 0; }
constexpr bool isExtensionOperationType(V1_2::OperationType type) {
  return extensionPrefix(type) != 0;
}

/// Whether a type belongs to the device maker: OEM and TENSOR_OEM_BYTE, OEM_OPERATION.
bool isOemOperandType(V1_2::OperandType type);
bool isOemOperationType(V1_2::OperationType type);

/// Whether a HAL version has a type. Version 1.2 has every extension type.
bool isOperandTypeOf(HalVersion version, V1_2::OperandType type);
bool isOperationTypeOf(HalVersion version, V1_2::OperationType type);

/// Whether a type is one of the HAL's scalars. False for extension types, of which the HAL does not
/// know, and for unknown numbers.
bool nonExtensionOperandTypeIsScalar(V1_2::OperandType type);

/// Whether the elements of a type stand for real numbers by a scale: TENSOR_QUANT types, but not
/// TENSOR_INT32, which has a scale only as a bias.
bool isQuantized(V1_2::OperandType type);

/// Bytes of an element; 0 for OEM scalars, extension types and unknown numbers.
uint32_t nonExtensionElementSize(V1_2::OperandType type);

/// Bytes of a value of these dimensions: of one element for a scalar; for a tensor the product of
/// the dimensions and the element size, and 0 when the rank or a dimension is unknown. 0 for OEM
/// scalars, extension types and unknown numbers. Nothing when the size exceeds 64 bits.
std::optional<uint64_t> nonExtensionSizeOfData(V1_2::OperandType type,
                                               const std::vector<uint32_t>& dimensions);

/// Bytes of an operand's value, as nonExtensionSizeOfData.
std::optional<uint64_t> nonExtensionOperandSizeOfData(const V1_2::Operand& operand);

/// Whether an operand of this type is a tensor of which a dimension or the rank is unknown. An
/// extension type without dimensions may be a scalar and gives false.
bool tensorHasUnspecifiedDimensions(V1_2::OperandType type,
                                    const std::vector<uint32_t>& dimensions);
bool tensorHasUnspecifiedDimensions(const V1_2::Operand& operand);

/// Whether an operand's value is part of the model: CONSTANT_COPY and CONSTANT_REFERENCE.
bool isConstant(V1_2::OperandLifeTime lifetime);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_UTILS_H_
