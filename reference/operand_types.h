// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The combinations of types that an operation allows.

#ifndef NNCERT_REFERENCE_OPERAND_TYPES_H_
#define NNCERT_REFERENCE_OPERAND_TYPES_H_

#include <vector>

#include "absl/container/inlined_vector.h"
#include "reference/operation_definition.h"
#include "reference/tensor.h"

namespace nncert {

/// The types that the operands of an operation have: by slot, and by output.
struct OperandTypes {
  absl::InlinedVector<OperandType, 16> inputs;
  absl::InlinedVector<OperandType, 4> outputs;
};

/// Every combination of types that the signature allows at `version`. A variadic operand has one
/// type.
std::vector<OperandTypes> TypeCombinations(const OperationDefinition& definition,
                                           HalVersion version);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPERAND_TYPES_H_
