// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The operation catalogue: every OperationDefinition that is linked in.

#ifndef NNCERT_REFERENCE_CATALOGUE_H_
#define NNCERT_REFERENCE_CATALOGUE_H_

#include <string>
#include <string_view>

#include "absl/types/span.h"
#include "reference/extension.h"
#include "reference/operation_definition.h"

namespace nncert {

/// The definitions of the HAL's operations, by operation type.
absl::Span<const OperationDefinition* const> AllOperations();

/// The definitions of operations of extensions, by extension and type within it.
absl::Span<const OperationDefinition* const> AllExtensionOperations();

/// The definition of `type`, which is in the catalogue's numbering (see reference/extension.h), or
/// null when the catalogue has none (OEM operations among them).
const OperationDefinition* FindOperation(OperationType type);

/// The definition of the operation whose OperationDefinition::name() is `name`, "CONV_2D"; or null.
const OperationDefinition* FindOperation(std::string_view name);

/// The name of an operation of a model, in whatever numbering: "CONV_2D",
/// "com.example.sequences.RECURRENCE", or "com.example.sequences[0]" where the catalogue does not
/// have the extension's operation.
std::string OperationName(const hal::V1_2::Model& model, OperationType type);

/// Puts a definition into the catalogue before main; see NNCERT_OPERATION_DEFINITION.
class OperationRegistration {
 public:
  explicit OperationRegistration(OperationDefinition (*definer)());

  OperationDefinition (*const define)();
  const OperationRegistration* const next;
};

/// The part of a path after its last slash.
constexpr std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// Defines an operation: NNCERT_OPERATION_DEFINITION(SOFTMAX) { return {...}; }, where the body is
/// that of a function returning OperationDefinition. Its `type` and `source_file` are
/// filled in.
#define NNCERT_OPERATION_DEFINITION(NAME)                                   \
  static OperationDefinition Define##NAME##Body();                          \
  static OperationDefinition Define##NAME() {                               \
    OperationDefinition definition = Define##NAME##Body();                  \
    definition.type = OperationType::NAME;                                  \
    definition.source_file = BaseName(__FILE__);                            \
    return definition;                                                      \
  }                                                                         \
  static const OperationRegistration registration_of_##NAME(&Define##NAME); \
  static OperationDefinition Define##NAME##Body()

/// Defines an operation of an extension:
/// NNCERT_EXTENSION_OPERATION_DEFINITION("com.example.sequences", 0, RECURRENCE) { return {...}; },
/// where 0 is its number and RECURRENCE its name within the extension. Everything else is as for
/// the HAL's operations. The extension must be defined, by NNCERT_EXTENSION_DEFINITION; its operand
/// types are called CatalogueOperandType(extension, type) in the signature.
#define NNCERT_EXTENSION_OPERATION_DEFINITION(EXTENSION, TYPE, NAME)        \
  static OperationDefinition Define##NAME##Body();                          \
  static OperationDefinition Define##NAME() {                               \
    OperationDefinition definition = Define##NAME##Body();                  \
    definition.type = CatalogueOperationType(EXTENSION, TYPE);              \
    definition.extension = EXTENSION;                                       \
    definition.name_in_extension = #NAME;                                   \
    definition.source_file = BaseName(__FILE__);                            \
    return definition;                                                      \
  }                                                                         \
  static const OperationRegistration registration_of_##NAME(&Define##NAME); \
  static OperationDefinition Define##NAME##Body()

}  // namespace nncert

#endif  // NNCERT_REFERENCE_CATALOGUE_H_
