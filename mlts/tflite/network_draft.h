// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A network that is being made of a file: which operand is which tensor.

#ifndef NNCERT_MLTS_TFLITE_NETWORK_DRAFT_H_
#define NNCERT_MLTS_TFLITE_NETWORK_DRAFT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "mlts/network.h"
#include "mlts/tflite/checked_model.h"
#include "mlts/tflite/tflite_file.h"

namespace nncert {

/// A network under construction. Tensors are called by their indexes in the file, operands by
/// theirs in the model.
class NetworkDraft {
 public:
  /// A network of a file, which must outlive it.
  explicit NetworkDraft(const TfliteFile& file);

  const TfliteFile& file() const { return file_; }
  CheckedModel& model() { return model_; }
  const CheckedModel& model() const { return model_; }

  /// Makes operands of the inputs of the network. InvalidArgument for one that the HAL cannot take.
  absl::Status AddInputs();

  /// The operand of a tensor: what an operator has made of it, an input, or its constant value.
  /// InvalidArgument when it has no value, or none that the HAL can take; Unavailable when it is
  /// that of an operator that could not be mapped, and nothing is known of it.
  absl::StatusOr<uint32_t> OperandOf(int32_t index);
  /// Says which operand an operator has made of a tensor. InvalidArgument when there is one
  /// already.
  absl::Status SetOperand(int32_t tensor, uint32_t operand);
  /// Says that an operator could not be mapped that writes a tensor. What reads it is given a
  /// stand-in, if the file says what it is like, so that the rest can be looked at all the same.
  void GiveUp(int32_t tensor);

  /// The operand of a tensor that is carried from one inference to the next, as it is by now: a
  /// further input of the network at first. Fails as OperandOf.
  absl::StatusOr<uint32_t> StateOf(int32_t index);
  /// Says what the state has become.
  void SetState(int32_t tensor, uint32_t operand);
  /// Whether a tensor has its value from nowhere but the inference before: one that the file calls
  /// variable, or that nobody writes, of files that say nothing.
  bool IsVariable(int32_t tensor) const;

  /// Notes an output of an operation that the HAL wants and nobody reads.
  void AddUnused(uint32_t operand, std::string_view name);

  /// The whole network; the draft is not to be used any more. InvalidArgument when an output has no
  /// value, or cannot be one of a model.
  absl::StatusOr<Network> Finish(std::string_view name);

 private:
  struct State {
    uint32_t first = 0;
    uint32_t last = 0;
  };
  struct Unused {
    uint32_t operand = 0;
    std::string name;
  };
  absl::StatusOr<uint32_t> ConstantOf(const TfliteTensor& tensor);

  const TfliteFile& file_;
  CheckedModel model_;
  std::vector<uint32_t> inputs_;
  std::map<int32_t, uint32_t> operands_;
  std::map<int32_t, State> states_;
  // The tensors of states, in the order in which they came up.
  std::vector<int32_t> state_order_;
  std::vector<Unused> unused_;
  // Written by operators that could not be mapped.
  std::vector<bool> is_given_up_;
  // Inputs of the network, and what some operator writes.
  std::vector<bool> is_input_;
  std::vector<bool> is_output_;
};

/// "tensor 7 ('name')".
std::string DescribeTensor(const TfliteFile& file, int32_t tensor);

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_NETWORK_DRAFT_H_
