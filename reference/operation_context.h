// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_OPERATION_CONTEXT_H_
#define NNCERT_REFERENCE_OPERATION_CONTEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "reference/signature.h"
#include "reference/tensor.h"

namespace nncert {

struct OperationDefinition;

/// An operand of one operation, as far as it is known.
struct OperandState {
  const OperandInfo* info = nullptr;
  /// The operand's number in the model, for messages.
  uint32_t operand_index = 0;
  /// The operand has no value: an optional operand that is left out.
  bool is_omitted = false;
  /// The value in the HAL's layout; null when it is not known (yet) or not a parameter.
  const std::byte* value = nullptr;
};

/// Where the operands of a slot stand in an operation: `count` operands from position `first`.
struct SlotBinding {
  int first = -1;
  int count = 0;
};

/// Which operands of an operation fill which slots of its signature.
using SlotBindings = absl::InlinedVector<SlotBinding, 16>;

/// How much of an operation is known: before an execution a dimension of 0 is unknown, during one
/// it is an empty tensor.
enum class Stage { kModel, kExecution };

/// One operation with its operands: what constraints, shape functions and kernels see of it. Inputs
/// are called by the slots of the signature. Does not own anything.
class OperationContext {
 public:
  OperationContext(const OperationDefinition& definition, Stage stage, HalVersion version,
                   absl::Span<const SlotBinding> bindings, absl::Span<const OperandState> inputs,
                   absl::Span<const OperandState> outputs)
      : definition_(definition),
        stage_(stage),
        version_(version),
        bindings_(bindings),
        inputs_(inputs),
        outputs_(outputs),
        are_all_shapes_known_(FindAllShapesKnown()) {}

  const OperationDefinition& definition() const { return definition_; }
  Stage stage() const { return stage_; }
  /// The HAL version whose rules apply.
  HalVersion version() const { return version_; }

  /// Whether the slot is filled by an operand that has a value.
  bool Has(int slot) const {
    return bindings_[slot].count > 0 && !inputs_[bindings_[slot].first].is_omitted;
  }
  /// The number of operands in a slot: more than one only in a variadic slot.
  int Count(int slot) const { return bindings_[slot].count; }
  /// The state of operand `i` of the slot, which must be filled.
  const OperandState& State(int slot, int i = 0) const {
    return inputs_[bindings_[slot].first + i];
  }
  /// Type, dimensions and quantization of operand `i` of the slot, which must be filled.
  const OperandInfo& Input(int slot, int i = 0) const { return *State(slot, i).info; }
  const OperandInfo& Output(int index) const { return *outputs_[index].info; }
  int OutputCount() const { return static_cast<int>(outputs_.size()); }
  int Rank(int slot) const { return static_cast<int>(Input(slot).dimensions.size()); }

  /// Whether every dimension of every operand in the slot is known. True for a slot that is not
  /// filled.
  bool IsShapeKnown(int slot) const { return are_all_shapes_known_ || FindShapeKnown(slot); }
  /// Whether the value of the slot is known. True for a slot that is not filled.
  bool IsValueKnown(int slot) const;

  /// The value of an INT32 scalar slot, or `otherwise` when it is not filled.
  int32_t Int32(int slot, int32_t otherwise = 0) const;
  /// The value of a BOOL scalar slot, or `otherwise` when it is not filled.
  bool Bool(int slot, bool otherwise = false) const;
  /// The value of a FLOAT32 or FLOAT16 scalar slot, or `otherwise` when it is not filled.
  double Real(int slot, double otherwise = 0) const;
  /// The values of a TENSOR_INT32 slot in order; empty when it is not filled.
  std::vector<int32_t> Int32s(int slot) const;

  /// An InvalidArgument error about the operation: "CONV_2D: C3: ...".
  absl::Status Error(std::string_view message) const;
  /// An InvalidArgument error about input `slot`: "CONV_2D input 1 'filter' (operand 7): ...".
  absl::Status InputError(int slot, std::string_view message, int i = 0) const;
  /// "input 1 'filter' (operand 7)".
  std::string DescribeInput(int slot, int i = 0) const;
  /// "output 0 'output' (operand 9)".
  std::string DescribeOutput(int index) const;

 private:
  bool FindShapeKnown(int slot) const;
  bool FindAllShapesKnown() const;

  const OperationDefinition& definition_;
  Stage stage_;
  HalVersion version_;
  absl::Span<const SlotBinding> bindings_;
  absl::Span<const OperandState> inputs_;
  absl::Span<const OperandState> outputs_;
  // Mostly they are, and constraints ask for it often.
  bool are_all_shapes_known_;
};

/// A status that says: the enclosure straddles a decision, so no finite enclosure of the result
/// exists. Only executions in NumberSystem::kBall give it.
absl::Status UndecidedError(std::string_view reason);

/// Whether `status` is an UndecidedError.
bool IsUndecided(const absl::Status& status);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPERATION_CONTEXT_H_
