// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the tests of operations on two tensors, element by element, have in common.

#ifndef NNCERT_REFERENCE_TESTING_ELEMENTWISE_H_
#define NNCERT_REFERENCE_TESTING_ELEMENTWISE_H_

#include <string>
#include <vector>

#include "hal/v1_2/types.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"

namespace nncert {

/// A model of one operation that reads the tensors `a` and `b`, model inputs both, and nothing
/// else.
hal::V1_2::Model BinaryModel(hal::V1_2::OperationType type, const OperandSpec& a,
                             const OperandSpec& b, const OperandSpec& output,
                             bool is_relaxed = false);

/// EvaluateDecided for such a model.
inline Evaluated Evaluate(const hal::V1_2::Model& model, const std::vector<double>& a,
                          const std::vector<double>& b) {
  return EvaluateDecided(model, {a, b});
}

/// The message of the error when an operation of HAL 1.2 on tensors of `type`, with an output of
/// `output_type`, is executed on a first input of the dimensions [0, 2] and a second of [1, 2].
/// Empty when there is no error.
std::string EmptyTensorErrorOf(hal::V1_2::OperationType type, hal::V1_2::OperandType input_type,
                               hal::V1_2::OperandType output_type);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_TESTING_ELEMENTWISE_H_
