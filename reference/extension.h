// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Vendor extensions in the catalogue: their names, their operand types, and how models number them.
//
// A model numbers extensions by prefixes of its own (Model::extensionNameToPrefix). The catalogue
// gives each extension that it has one prefix, and models are brought into that numbering before
// they are looked at (WithCataloguePrefixes); from there on a type is a number, as for the HAL's
// own.

#ifndef NNCERT_REFERENCE_EXTENSION_H_
#define NNCERT_REFERENCE_EXTENSION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "random/split_mix.h"
#include "reference/tensor.h"

namespace nncert {

/// An operand type of an extension.
struct ExtensionOperandType {
  /// "TENSOR_FIXED16": unique within the extension.
  std::string_view name = {};
  /// Its number within the extension, as OperandTypeInformation::type.
  uint16_t type = 0;
  bool is_tensor = true;
  /// The type of the HAL whose elements are stored the same way and mean the same, given the scale
  /// and the zero point that `interpret` finds. Nothing for an opaque type: bytes that only kernels
  /// understand, and then the type is for scalars alone.
  std::optional<hal::V1_2::OperandType> stored_as = std::nullopt;
  /// Bytes of a value of an opaque type; not used for others.
  uint32_t opaque_size = 0;
  /// What values mean, for the handbook.
  std::string_view description = {};
  /// What Operand::extraParams holds, for the handbook; empty when it holds nothing.
  std::string_view extra_params = {};
  /// Reads the bytes of Operand::extraParams into the scale, zero point and channel scales of
  /// `info`, which describes the operand otherwise. InvalidArgument says what the bytes should be;
  /// they may be any. Null for types whose operands carry no extraParams.
  absl::Status (*interpret)(absl::Span<const uint8_t> extra_params, OperandInfo& info) = nullptr;
  /// For random graphs: extraParams of an operand that holds the numbers from `lowest` to
  /// `highest`, or about those; `interpret` reads them. They leave out types that have `interpret`
  /// and not this.
  std::vector<uint8_t> (*choose_extra_params)(double lowest, double highest) = nullptr;
  /// For random graphs: a value of an opaque type that operations can make use of, `opaque_size`
  /// bytes. They leave out opaque types that have none.
  std::vector<uint8_t> (*choose_value)(SplitMix64& random) = nullptr;

  /// Bytes of an element, as OperandTypeInformation::byteSize.
  uint32_t byte_size() const;
};

/// An extension: a name and operand types. Its operations are OperationDefinitions of their own.
struct ExtensionDefinition {
  /// Begins with the vendor's domain in reverse: "com.example.sequences".
  std::string_view name = {};
  /// What the extension is for, for the handbook.
  std::string_view description = {};
  std::vector<ExtensionOperandType> operand_types = {};
};

/// All extensions that are linked in, by name.
absl::Span<const ExtensionDefinition* const> AllExtensions();

/// The extensions as IDevice::getSupportedExtensions lists them.
std::vector<hal::V1_2::Extension> ListExtensions();

/// The extension called `name`, or null.
const ExtensionDefinition* FindExtension(std::string_view name);

/// The extension that a type in the catalogue's numbering belongs to; null for types of the HAL and
/// of extensions that the catalogue does not have.
const ExtensionDefinition* ExtensionOf(uint32_t type);

/// An extension's operand type by the catalogue's number; null where ExtensionOf is, and where the
/// extension has no such type.
const ExtensionOperandType* FindExtensionOperandType(OperandType type);

/// The catalogue's numbers of an operand type and of an operation of an extension. The extension
/// must have been defined (NNCERT_EXTENSION_DEFINITION): the program ends otherwise.
OperandType CatalogueOperandType(std::string_view extension, uint16_t type);
hal::V1_2::OperationType CatalogueOperationType(std::string_view extension, uint16_t type);

/// The model with the catalogue's prefixes in place of its own. Extensions that the catalogue does
/// not have keep their prefixes, or get others where those are taken. Models without extensions are
/// not changed. The model may be invalid; what is wrong with it stays so.
hal::V1_2::Model WithCataloguePrefixes(hal::V1_2::Model model);

/// The name of an operand type in the catalogue's numbering: "TENSOR_FLOAT32",
/// "com.example.sequences.TENSOR_FIXED16", or a number where there is no name.
std::string NameOf(OperandType type);

/// Whether the rank or a dimension of an operand in the catalogue's numbering is not known.
bool HasUnknownDimensions(const hal::V1_2::Operand& operand);

/// Puts an extension into the catalogue before main; see NNCERT_EXTENSION_DEFINITION.
class ExtensionRegistration {
 public:
  explicit ExtensionRegistration(ExtensionDefinition (*definer)());

  ExtensionDefinition (*const define)();
  const ExtensionRegistration* const next;
};

/// Defines an extension: NNCERT_EXTENSION_DEFINITION(SEQUENCES) { return {...}; }, where the body
/// is that of a function returning ExtensionDefinition. The name only has to be unique in its file.
#define NNCERT_EXTENSION_DEFINITION(NAME)                                                      \
  static ExtensionDefinition DefineExtension##NAME();                                          \
  static const ExtensionRegistration registration_of_extension_##NAME(&DefineExtension##NAME); \
  static ExtensionDefinition DefineExtension##NAME()

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXTENSION_H_
