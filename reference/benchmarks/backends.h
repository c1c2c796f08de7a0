// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Our executor as the benchmarks run it.

#ifndef NNCERT_REFERENCE_BENCHMARKS_BACKENDS_H_
#define NNCERT_REFERENCE_BENCHMARKS_BACKENDS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "reference/execution/executor.h"
#include "reference/execution/memory.h"

namespace nncert::benchmarks {

/// The bytes of random inputs of a model, one of each.
std::vector<std::vector<uint8_t>> RandomInputs(const hal::V1_2::Model& model);

/// A model prepared for our executor, with its inputs and room for its outputs.
class Prepared {
 public:
  /// Fails when the model is invalid.
  static absl::StatusOr<std::unique_ptr<Prepared>> Create(hal::V1_2::Model model,
                                                          GraphUse use = GraphUse::kAll);

  /// Executes once, in this thread alone or in those of a pool.
  absl::Status Run(NumberSystem system, ThreadPool* pool = nullptr);

  /// The bytes of each input.
  absl::Span<const absl::Span<const uint8_t>> inputs() const { return inputs_; }
  /// The first output of the last execution, which was in kFloat, in the HAL's layout.
  absl::Span<const uint8_t> output() const;

 private:
  Prepared() = default;

  // Makes the inputs and room for the outputs. How fast memory is read and written depends on where
  // in their pages arrays lie, by up to a third: the places are the same in every program and run,
  // whatever was allocated before.
  absl::Status PlaceArguments(const hal::V1_2::Model& model, GraphUse use);

  std::shared_ptr<const PreparedGraph> graph_;
  Buffer memory_;  // of inputs and outputs
  std::vector<absl::Span<const uint8_t>> inputs_;
  std::vector<InputArgument> arguments_;
  std::vector<OutputBuffer> outputs_;
  std::vector<size_t> output_sizes_;  // in the HAL's layout
};

/// LSTM of one batch, 40 inputs, 1024 units and a projection to 512, without peepholes.
hal::V1_2::Model LstmModel();

/// ADD, MUL, RELU6, RESHAPE and SOFTMAX on tensors of six numbers.
hal::V1_2::Model FiveOperationsModel();

}  // namespace nncert::benchmarks

#endif  // NNCERT_REFERENCE_BENCHMARKS_BACKENDS_H_
