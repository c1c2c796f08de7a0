// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Builds a model of HAL 1.2 whose operations are checked as they are added, and whose dimensions
// are found on the way.

#ifndef NNCERT_MLTS_TFLITE_CHECKED_MODEL_H_
#define NNCERT_MLTS_TFLITE_CHECKED_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "reference/model_builder.h"

namespace nncert {

/// A model under construction. Operands are called by their indexes in the model to be.
class CheckedModel {
 public:
  /// A model whose constants come to no more than so many bytes.
  explicit CheckedModel(uint64_t most_constant_bytes) : constant_bytes_left_(most_constant_bytes) {}

  /// A tensor that no operation has written yet: an input, or a stand-in for what cannot be had.
  uint32_t Tensor(const OperandSpec& spec);
  /// An operand of this type that is left out.
  uint32_t Omitted(hal::V1_2::OperandType type);
  /// A constant by its bytes, as many as type and dimensions ask for. ResourceExhausted when
  /// constants are too many.
  absl::StatusOr<uint32_t> Constant(const OperandSpec& spec, std::vector<uint8_t> bytes);
  /// A constant of zero bytes. Fails as Constant does.
  absl::StatusOr<uint32_t> Zeros(const OperandSpec& spec);
  /// Scalar constants.
  uint32_t Int32(int32_t value);
  uint32_t Float32(float value);
  uint32_t Bool(bool value);

  /// An operation, and its outputs as new operands. Their types are those of `outputs`; their
  /// dimensions what the operation makes of its inputs, or those of `outputs` where the model does
  /// not decide that; their quantization what the operation demands, or that of `outputs` where it
  /// takes any. InvalidArgument, with what the operation demands, when it is none that HAL 1.2 has;
  /// nothing is added then.
  absl::StatusOr<std::vector<uint32_t>> Operation(hal::V1_2::OperationType type,
                                                  const std::vector<uint32_t>& inputs,
                                                  const std::vector<OperandSpec>& outputs);

  /// What is known of an operand.
  const hal::V1_2::Operand& operand(uint32_t index) const { return operands_[index]; }
  /// The same as a specification of another one like it.
  OperandSpec SpecOf(uint32_t index) const;
  /// The bytes of a constant; nothing for any other operand.
  std::optional<absl::Span<const uint8_t>> ConstantValue(uint32_t index) const;
  /// Whether an operation writes the operand.
  bool IsWritten(uint32_t index) const { return is_written_[index]; }

  /// An operand that can be an output of the model beside those of `taken`, which it is added to:
  /// the operand itself, or a copy of an input, of a constant and of what is taken already.
  /// InvalidArgument when the HAL has no operation that copies it.
  absl::StatusOr<uint32_t> AsOutput(uint32_t operand, std::set<uint32_t>& taken);

  /// The whole model, of these inputs and outputs; the object is empty afterwards. The outputs must
  /// be written by operations, and the inputs not. ResourceExhausted when there is no memory for
  /// the pool that large constants are put into.
  absl::StatusOr<hal::V1_2::Model> Finish(std::vector<uint32_t> inputs,
                                          std::vector<uint32_t> outputs);

 private:
  uint32_t Add(const OperandSpec& spec, hal::V1_2::OperandLifeTime lifetime);
  uint32_t AddConstant(const OperandSpec& spec, std::vector<uint8_t> bytes);
  absl::Status TakeBytes(uint64_t count);

  uint64_t constant_bytes_left_;
  std::vector<hal::V1_2::Operand> operands_;
  std::vector<hal::V1_2::Operation> operations_;
  // By operand: the bytes of constants.
  std::vector<std::vector<uint8_t>> constants_;
  std::vector<bool> is_written_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_CHECKED_MODEL_H_
