// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Makes a network of another one, operation by operation.

#ifndef NNCERT_MLTS_TFLITE_NETWORK_REWRITER_H_
#define NNCERT_MLTS_TFLITE_NETWORK_REWRITER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "mlts/network.h"
#include "mlts/tflite/checked_model.h"
#include "reference/execution/model_validation.h"
#include "reference/model_builder.h"
#include "reference/operation_definition.h"

namespace nncert {

/// Copies a network; derived classes say what is to be different.
class NetworkRewriter {
 public:
  /// `source` must outlive it.
  explicit NetworkRewriter(const Network& source) : source_(source) {}
  virtual ~NetworkRewriter() = default;

  /// The new network, with inputs, outputs and states in the same places. InvalidArgument when the
  /// source is not valid, or when what is to be different would not be.
  absl::StatusOr<Network> Rewrite();

 protected:
  /// An operation of the source.
  struct SourceOperation {
    const hal::V1_2::Operation& operation;
    const OperationDefinition& definition;
    /// The slot of its signature that each of its inputs fills.
    std::vector<int> slots;

    /// The operand that fills a slot with one; the slot must be filled.
    uint32_t OperandOf(int slot) const;
    const OperandRule& RuleOf(size_t input) const {
      return definition.signature.inputs[slots[input]];
    }
  };

  /// The specification that an operand of the source, which is no constant, is to have.
  virtual OperandSpec SpecFor(uint32_t operand) const;
  /// The new operand of a constant that is input number `input` of an operation.
  virtual absl::StatusOr<uint32_t> ConstantFor(const SourceOperation& operation, size_t input);
  /// Adds what takes the place of an operation.
  virtual absl::Status Replace(const SourceOperation& operation);

  const hal::V1_2::Operand& SourceOperand(uint32_t operand) const {
    return source_.model.operands[operand];
  }
  /// The bytes of a constant of the source.
  absl::Span<const uint8_t> SourceBytes(uint32_t operand) const;
  /// The specification of an operand of the source as it is.
  OperandSpec SourceSpec(uint32_t operand) const;
  bool IsConstant(uint32_t operand) const;
  /// A constant as it is; the same one however often it is asked for.
  absl::StatusOr<uint32_t> Copied(uint32_t operand);
  /// The new operand of input number `input` of an operation.
  absl::StatusOr<uint32_t> InputFor(const SourceOperation& operation, size_t input);
  /// Says which new operand stands for one of the source.
  void SetOperand(uint32_t source, uint32_t operand) { operands_[source] = operand; }
  CheckedModel& model() { return model_; }

 private:
  absl::Status RewriteOperations();
  absl::StatusOr<Network> Finish();

  const Network& source_;
  ModelOperands source_operands_;
  CheckedModel model_{uint64_t{3} << 30};
  // New operands by those of the source.
  std::map<uint32_t, uint32_t> operands_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_NETWORK_REWRITER_H_
