// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// For tests of operations that only move elements.

#ifndef NNCERT_REFERENCE_TESTING_MOVES_H_
#define NNCERT_REFERENCE_TESTING_MOVES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "hal/v1_2/types.h"
#include "reference/operation_definition.h"
#include "reference/testing/evaluate.h"

namespace nncert {

/// 0, 1, 2, ..., `count` of them: elements that tell where they came from.
std::vector<double> Counting(size_t count);

/// What EvaluateInAllSystems gives. Fails the test when that is an error, or when some element
/// differs between number systems or is not known exactly; gives `model`'s outputs without
/// dimensions and elements when there are none to give.
std::vector<Evaluated> EvaluateMoves(const hal::V1_2::Model& model,
                                     const std::vector<std::vector<double>>& inputs);

/// Expects that the model's output stands for the same real numbers when it gets a scale and zero
/// point of its own, and that the enclosure then also has the elements as they were. `model` moves
/// `count` elements, which are TENSOR_QUANT8_ASYMM, by one operation from its input to its output.
void ExpectOwnQuantization(hal::V1_2::Model model, size_t count);

/// Why `model` cannot be prepared under the rules of `version`; empty when it can.
std::string PreparationErrorOf(const hal::V1_2::Model& model,
                               HalVersion version = HalVersion::V1_2);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_TESTING_MOVES_H_
