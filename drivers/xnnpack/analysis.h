// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A model, operation by operation: the shapes of all tensors, and how each operation is run.

#ifndef NNCERT_DRIVERS_XNNPACK_ANALYSIS_H_
#define NNCERT_DRIVERS_XNNPACK_ANALYSIS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "drivers/xnnpack/operation_view.h"
#include "drivers/xnnpack/operations.h"
#include "hal/v1_2/types.h"

namespace nncert::xnnpack {

/// What is known of a model before it is executed.
struct Analysis {
  /// The dimensions of each operand; empty where they are not known, and for scalars.
  std::vector<Dimensions> shapes;

  /// How each operation is run, or, with Unimplemented, why it is not.
  std::vector<absl::StatusOr<Recipe>> recipes;

  /// Bytes of each operand of the model; 0 where the shape of a tensor is not known.
  std::vector<size_t> SizesOf(const hal::V1_2::Model& model) const;
};

/// Looks at every operation of a valid model. Shapes are followed from the inputs of the model, so
/// that operands between operations and outputs may leave theirs open.
Analysis Analyze(const hal::V1_2::Model& model);

}  // namespace nncert::xnnpack

#endif  // NNCERT_DRIVERS_XNNPACK_ANALYSIS_H_
