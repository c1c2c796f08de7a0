// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs models: one executor for the fast backend, the oracle and the enclosures.

#ifndef NNCERT_REFERENCE_EXECUTOR_H_
#define NNCERT_REFERENCE_EXECUTOR_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/memory.h"
#include "hal/v1_2/types.h"
#include "reference/model_validation.h"
#include "reference/operation_definition.h"
#include "reference/prepared_constants.h"
#include "reference/tensor.h"

namespace nncert {

/// What is given to a model input.
struct InputArgument {
  /// The input is optional and left out.
  bool has_no_value = false;
  /// The dimensions, all known; empty takes those of the model, which then must be known.
  Shape dimensions;
  /// The elements in the HAL's layout: exactly as many bytes as the type and the dimensions ask
  /// for.
  absl::Span<const std::byte> elements;
};

/// What a model output came to.
struct OutputValue {
  /// Type, quantization and the dimensions of the result.
  OperandInfo info;
  /// The elements as the number system keeps them; see storage.h.
  std::vector<std::byte> elements;
  /// Not OK when the enclosure straddled a decision on the way to this output (NumberSystem::kBall
  /// alone): its dimensions and elements are then unknown.
  absl::Status undecided;

  /// The elements of an execution in kDouble: real numbers, or the integers of a quantized, INT32
  /// or BOOL8 output.
  absl::Span<const double> doubles() const;
  /// The elements of an execution in kBall.
  absl::Span<const Ball> balls() const;
};

/// A validated model, ready to be executed any number of times, also by several threads at once.
class PreparedGraph {
 public:
  /// Validates `model` as a model of `version` (see model_validation.h) and prepares it. The pools
  /// of the model are mapped here and stay mapped. Fails with InvalidArgument for an invalid model,
  /// Unimplemented for an operation that the catalogue does not have.
  static absl::StatusOr<std::shared_ptr<const PreparedGraph>> Create(
      hal::V1_2::Model model, HalVersion version = HalVersion::V1_2);

  /// The model.
  const hal::V1_2::Model& model() const { return model_; }

  /// Executes the model in `system`: one argument for each model input, one result for each model
  /// output. Fails with InvalidArgument when the inputs do not fit the model, or the operations do
  /// not accept their values.
  absl::StatusOr<std::vector<OutputValue>> Execute(NumberSystem system,
                                                   absl::Span<const InputArgument> inputs) const;

 private:
  class Execution;
  struct Node {
    const OperationDefinition* definition;
    SlotBindings bindings;
    // Some rank is unknown in the model, so the signature is matched again when it is known.
    bool has_unknown_rank;
    Precision precision;
    std::unique_ptr<PreparedConstants> constants;
  };

  explicit PreparedGraph(hal::V1_2::Model model, HalVersion version)
      : model_(std::move(model)), version_(version) {}
  absl::Status Prepare();

  hal::V1_2::Model model_;
  HalVersion version_;
  ModelOperands declared_;   // what the model says of its operands
  std::vector<Node> nodes_;  // by operation
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTOR_H_
