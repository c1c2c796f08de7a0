// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The operation catalogue: every OperationDefinition that is linked in.

#ifndef NNCERT_REFERENCE_CATALOGUE_H_
#define NNCERT_REFERENCE_CATALOGUE_H_

#include <string_view>

#include "absl/types/span.h"
#include "reference/operation_definition.h"

namespace nncert {

/// All definitions, by operation type.
absl::Span<const OperationDefinition* const> AllOperations();

/// The definition of `type`, or null when the catalogue has none (extension and OEM operations
/// among them).
const OperationDefinition* FindOperation(OperationType type);

/// The definition of the operation that the HAL calls `name`, "CONV_2D"; or null.
const OperationDefinition* FindOperation(std::string_view name);

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

}  // namespace nncert

#endif  // NNCERT_REFERENCE_CATALOGUE_H_
