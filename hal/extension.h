// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How the operand and operation types of extensions are numbered: the high 16 bits of a type value
// are a prefix that a model's extensionNameToPrefix translates to the extension's name, the low 16
// bits are the type within the extension. Prefix 0 belongs to the HAL's own types.

#ifndef NNCERT_HAL_EXTENSION_H_
#define NNCERT_HAL_EXTENSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hal/v1_2/types.h"

namespace nncert::hal {

/// The prefix of a type value: 0 for the HAL's own types.
constexpr uint16_t extensionPrefix(uint32_t type) {
  return static_cast<uint16_t>(
      type >> static_cast<uint8_t>(V1_2::Model::ExtensionTypeEncoding::LOW_BITS_TYPE));
}
constexpr uint16_t extensionPrefix(V1_2::OperandType type) {
  return extensionPrefix(static_cast<uint32_t>(type));
}
constexpr uint16_t extensionPrefix(V1_2::OperationType type) {
  return extensionPrefix(static_cast<uint32_t>(type));
}

/// The type within its extension.
constexpr uint16_t typeWithinExtension(uint32_t type) { return static_cast<uint16_t>(type); }
constexpr uint16_t typeWithinExtension(V1_2::OperandType type) {
  return typeWithinExtension(static_cast<uint32_t>(type));
}
constexpr uint16_t typeWithinExtension(V1_2::OperationType type) {
  return typeWithinExtension(static_cast<uint32_t>(type));
}

/// The operand type that a prefix and a type within the extension make.
constexpr V1_2::OperandType makeExtensionOperandType(uint16_t prefix, uint16_t type) {
  return static_cast<V1_2::OperandType>(
      uint32_t{prefix} << static_cast<uint8_t>(V1_2::Model::ExtensionTypeEncoding::LOW_BITS_TYPE) |
      type);
}

/// The operation type that a prefix and a type within the extension make.
constexpr V1_2::OperationType makeExtensionOperationType(uint16_t prefix, uint16_t type) {
  return static_cast<V1_2::OperationType>(makeExtensionOperandType(prefix, type));
}

/// The name of the extension that a prefix stands for in a model; nothing when the model does not
/// say.
std::optional<std::string> extensionName(const V1_2::Model& model, uint16_t prefix);

/// The prefix that stands for an extension in a model; nothing when the model does not use it.
std::optional<uint16_t> prefixOfExtension(const V1_2::Model& model, std::string_view name);

/// Whether an extension may be called so: of a-z, 0-9, '_' and '.' alone, with a '.' among them.
bool isValidExtensionName(std::string_view name);

/// The name of an operand type or an operation of a model: "TENSOR_FLOAT32", "CONV_2D"; for those
/// of an extension the extension's name and the number within it, "com.example.sequences[1]".
std::string toString(const V1_2::Model& model, V1_2::OperandType type);
std::string toString(const V1_2::Model& model, V1_2::OperationType type);

/// The names of the extensions whose operand types or operations a model uses, by prefix. Prefixes
/// without a name are left out.
std::vector<std::string> extensionsUsed(const V1_2::Model& model);

/// What is wrong with the list of extensions that a device supports, a sentence without a full stop
/// each: names that no extension may have, or that come twice; operand types of an extension that
/// have the same number; values of no bytes.
std::vector<std::string> problemsOfExtensions(const std::vector<V1_2::Extension>& extensions);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_EXTENSION_H_
