// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What families of mutations are written with.

#ifndef NNCERT_HAL_TESTS_MUTATIONS_MODEL_MUTATOR_H_
#define NNCERT_HAL_TESTS_MUTATIONS_MODEL_MUTATOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hal/utils.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"
#include "hal_tests/mutations/model_mutations.h"

namespace nncert {

/// Where a change is made.
struct MutationPlace {
  /// The operation; nothing where it is the model as a whole, or an operand that no operation has.
  std::optional<size_t> operation = std::nullopt;
  /// Which of its inputs or outputs; nothing for the operation itself.
  std::optional<size_t> position = std::nullopt;
  bool is_output = false;
  /// The operand; nothing where it is none.
  std::optional<uint32_t> operand = std::nullopt;
};

/// A model whose changes somebody is told of.
class ModelMutator {
 public:
  ModelMutator(const hal::V1_2::Model& model, hal::HalVersion version,
               absl::FunctionRef<void(const ModelMutation&)> visit);

  /// The valid model, and the version of the methods that it is given to a device by.
  const hal::V1_2::Model& model() const { return model_; }
  hal::HalVersion version() const { return version_; }

  /// Where each operand is used first; no operation for one that is not used.
  absl::Span<const MutationPlace> operands() const { return places_; }
  /// Every input and every output of every operation.
  absl::Span<const MutationPlace> arguments() const { return arguments_; }

  /// Tells of all changes of a family.
  void RunFamily(const ModelMutationFamily& family);

  /// Tells of a change. `variant` tells apart those of one family in one place; `what` says what is
  /// changed there.
  void Tell(const MutationPlace& place, uint64_t variant, absl::FunctionRef<std::string()> what,
            absl::FunctionRef<void(ModelMutant&)> apply);

 private:
  std::string Describe(const MutationPlace& place) const;
  uint64_t KindOf(const MutationPlace& place, uint64_t variant) const;

  const hal::V1_2::Model& model_;
  const hal::HalVersion version_;
  const absl::FunctionRef<void(const ModelMutation&)> visit_;
  const ModelMutationFamily* family_ = nullptr;
  uint64_t family_kind_ = 0;
  std::vector<MutationPlace> places_;
  std::vector<MutationPlace> arguments_;
  std::vector<uint64_t> signatures_;  // by operation: its type and those of its operands
};

// ---- Families, by what they change ----

// operand_mutations.cc: single operands.
void MutateOperandType(ModelMutator& mutator);
void MutateOperandRank(ModelMutator& mutator);
void MutateOperandScale(ModelMutator& mutator);
void MutateOperandScaleSpecial(ModelMutator& mutator);
void MutateOperandZeroPoint(ModelMutator& mutator);
void MutateOperandExtraParams(ModelMutator& mutator);
void MutateConstantRank(ModelMutator& mutator);
void MutateConstantSizeOverflow(ModelMutator& mutator);
void MutateOperandLifeTime(ModelMutator& mutator);
void MutateNumberOfConsumers(ModelMutator& mutator);

// memory_mutations.cc: where constants are.
void MutateOperandLocation(ModelMutator& mutator);
void MutatePools(ModelMutator& mutator);

// operation_mutations.cc: single operations.
void MutateOperationOperandType(ModelMutator& mutator);
void MutateOperationType(ModelMutator& mutator);
void MutateOperationInputIndex(ModelMutator& mutator);
void MutateOperationOutputIndex(ModelMutator& mutator);
void RemoveOperand(ModelMutator& mutator);
void RemoveOperation(ModelMutator& mutator);
void RemoveOperationInput(ModelMutator& mutator);
void RemoveOperationOutput(ModelMutator& mutator);
void AddOperationInput(ModelMutator& mutator);
void AddOperationOutput(ModelMutator& mutator);

// graph_mutations.cc: how operations hang together, and the model's arguments.
void MutateExecutionPreference(ModelMutator& mutator);
void MutateModelInputIndexes(ModelMutator& mutator);
void MutateModelOutputIndexes(ModelMutator& mutator);
void AddUnwrittenOperand(ModelMutator& mutator);
void AddCycle(ModelMutator& mutator);
void MutateExecutionOrder(ModelMutator& mutator);
void AddWriter(ModelMutator& mutator);
void RemoveEverything(ModelMutator& mutator);
void MutateExtensionPrefixes(ModelMutator& mutator);

// constraint_mutations.cc: what operations demand of their operands.
void BreakConstraints(ModelMutator& mutator);
void MutateOutputDimensions(ModelMutator& mutator);

// ---- Changes that several families make ----

/// Removes a reference to an operand from its count of consumers.
void DropConsumer(hal::V1_2::Model& model, uint32_t operand);

/// Makes an operation read another operand, and counts consumers anew.
void ReplaceInput(hal::V1_2::Model& model, size_t operation, size_t position, uint32_t operand);

/// Adds an operand; gives its index.
uint32_t AddOperand(hal::V1_2::Model& model, hal::V1_2::Operand operand);

/// Gives a constant operand these bytes, in memory of its own within operandValues.
void SetConstant(hal::V1_2::Model& model, uint32_t operand, absl::Span<const uint8_t> bytes);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_MUTATIONS_MODEL_MUTATOR_H_
