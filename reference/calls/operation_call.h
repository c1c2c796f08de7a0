// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One operation with the values of its operands: what rules change before it is computed, and
// after.

#ifndef NNCERT_REFERENCE_CALLS_OPERATION_CALL_H_
#define NNCERT_REFERENCE_CALLS_OPERATION_CALL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "reference/execution/executor.h"
#include "reference/operation_definition.h"

namespace nncert {

/// An operand and its value.
struct ValuedOperand {
  /// Type, dimensions (of a value that is known: all of them), quantization and lifetime.
  hal::V1_2::Operand operand;
  /// The operand's number in the model.
  uint32_t index = 0;
  /// It is optional and left out.
  bool is_omitted = false;
  /// The elements in the HAL's layout; empty while they are not known.
  std::vector<uint8_t> bytes;

  bool is_tensor() const;
  bool is_constant() const;
  /// The number of elements that `bytes` holds.
  size_t count() const;
};

/// One operation of a model, as far as its operands are known: in a model those that are constant,
/// during an execution all inputs.
struct OperationCall {
  const OperationDefinition* definition = nullptr;
  /// In the order of the operation.
  std::vector<ValuedOperand> inputs;
  /// Before the operation is computed: type and quantization, and what the model says of the
  /// dimensions. Afterwards the results.
  std::vector<ValuedOperand> outputs;
  /// Which inputs fill which slots of the definition's signature.
  SlotBindings slots;
  /// Whether the model allows relaxed computation.
  bool is_relaxed = false;
  /// How many operations the model has.
  size_t operations_of_model = 0;

  /// The input in the slot of this name; null when there is none, or it is left out.
  ValuedOperand* Find(std::string_view slot);
  const ValuedOperand* Find(std::string_view slot) const;

  /// The first input that is a tensor. Every operation has one.
  ValuedOperand& FirstTensor();
  const ValuedOperand& FirstTensor() const;

  /// The value of an INT32 or BOOL scalar in the slot of this name; nothing when there is none or
  /// its value is not known.
  std::optional<int32_t> Integer(std::string_view slot) const;

  /// Sets an INT32 or BOOL scalar, if there is one in the slot of this name. Returns whether its
  /// value is another one now.
  bool SetInteger(std::string_view slot, int32_t value);

  /// Exchanges the values of the INT32 or BOOL scalars in two slots. Returns whether anything
  /// changed.
  bool SwapIntegers(std::string_view a, std::string_view b);

  /// Sets a FLOAT32 or FLOAT16 scalar, if there is one in the slot of this name. Returns whether
  /// there is.
  bool SetReal(std::string_view slot, double value);
};

/// The call of an operation of a valid model, with the values of those constants that take no more
/// than `largest_constant` bytes. Fails with Unimplemented when the catalogue does not have the
/// operation, and when a pool cannot be mapped.
absl::StatusOr<OperationCall> CallOf(const hal::V1_2::Model& model, size_t operation,
                                     size_t largest_constant);

/// Finds out again which inputs fill which slots, now that more is known of them. Fails when they
/// do not match the signature.
absl::Status BindSlots(OperationCall& call);

/// Computes the operation by the reference's kernel in float: fills in the outputs. Fails when the
/// inputs are not what the operation accepts; the outputs are then as they were.
absl::Status Evaluate(OperationCall& call);

/// Sets an output's dimensions and elements to what an execution in float gave.
void SetResult(const OutputValue& result, ValuedOperand& output);

/// The elements of a value as real numbers: quantized ones are what they stand for.
std::vector<double> RealsOf(const ValuedOperand& value);

/// Sets the elements of a value, which must be as many as before, to the nearest that its type can
/// hold.
void SetReals(ValuedOperand& value, absl::Span<const double> reals);

/// The elements of a value of integers, booleans or quantized elements, as integers.
std::vector<int64_t> IntegersOf(const ValuedOperand& value);

/// Sets the elements of such a value; they must fit its type.
void SetIntegers(ValuedOperand& value, absl::Span<const int64_t> integers);

/// Whether the elements are FLOAT32 or FLOAT16.
bool IsFloat(const ValuedOperand& value);

/// The integers that elements of a type other than floating point can be.
IntegerRange RangeOfElements(const ValuedOperand& value);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_CALLS_OPERATION_CALL_H_
