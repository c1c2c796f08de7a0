// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Validation of models against the operation catalogue.

#ifndef NNCERT_REFERENCE_EXECUTION_MODEL_VALIDATION_H_
#define NNCERT_REFERENCE_EXECUTION_MODEL_VALIDATION_H_

#include <cstddef>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hal/memory.h"
#include "hal/v1_2/types.h"
#include "reference/operation_definition.h"
#include "reference/validate_model.h"  // IWYU pragma: export

namespace nncert {

/// What a model says of an operand of a type of the HAL: its type, dimensions and quantization.
OperandInfo InfoOf(const hal::V1_2::Operand& operand);

/// What a model says of its operands, by operand. Spans and pointers reach into the model, which
/// must outlive this, and into its pools, which stay mapped as long as this lives.
struct ModelOperands {
  std::vector<OperandInfo> infos;
  /// The values of constants in the HAL's layout; null for operands that are not constant.
  std::vector<const std::byte*> constants;
  std::vector<hal::Mapping> pools;
};

/// Reads the operands of a structurally valid model in the catalogue's numbering (see
/// reference/extension.h). Fails when a pool cannot be mapped, and with InvalidArgument when an
/// operand of an extension of the catalogue is not as the extension says.
absl::StatusOr<ModelOperands> OperandsOf(const hal::V1_2::Model& model);

/// The operands of an operation as it sees them.
struct OperationOperands {
  absl::InlinedVector<OperandState, 16> inputs;
  absl::InlinedVector<OperandState, 4> outputs;
};

/// The operands of an operation of `model`, whose operands are `infos`: with the values of inputs
/// where `constants` has them by operand; it may be empty. All indexes must be valid, and `infos`
/// outlive the result.
OperationOperands StatesOf(const hal::V1_2::Operation& operation, const hal::V1_2::Model& model,
                           absl::Span<const OperandInfo> infos,
                           absl::Span<const std::byte* const> constants);

/// Checks one operation of a structurally valid model in the catalogue's numbering at `version`:
/// its signature, the constraints that the model decides, and that its declared output dimensions
/// are possible. `infos` are the model's operands, `constants` their values where they are constant
/// and null elsewhere. Gives the operation's bindings, or an error naming the operation by number
/// and name. Unimplemented for an operation that the catalogue does not have.
absl::StatusOr<SlotBindings> ValidateOperation(const hal::V1_2::Model& model,
                                               size_t operation_index, HalVersion version,
                                               absl::Span<const OperandInfo> infos,
                                               absl::Span<const std::byte* const> constants);

/// Checks that the operations of a valid model can do without the inputs that a request omits: that
/// the model would be valid as one of `version` if these operands had no value in the first place.
/// InvalidArgument names the input and the operation. The request must have as many inputs as the
/// model.
absl::Status ValidateOmittedInputs(const hal::V1_2::Model& model, const hal::V1_0::Request& request,
                                   HalVersion version = HalVersion::V1_2);

/// Whether the model can be converted to `version` without loss, which takes a rule of the
/// catalogue for each operation but OEM_OPERATION; the operations that cannot are put into
/// `noncompliant` when it is given.
bool IsCompliantWith(const hal::V1_2::Model& model, HalVersion version,
                     std::set<uint32_t>* noncompliant = nullptr);

/// Joins the dimensions that a model declares for an operand (0 for unknown, empty for unknown
/// rank) with those that were found. InvalidArgument when they contradict each other.
absl::Status CheckDeclaredDimensions(absl::Span<const uint32_t> declared,
                                     absl::Span<const uint32_t> found);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_MODEL_VALIDATION_H_
