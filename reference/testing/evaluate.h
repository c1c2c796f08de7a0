// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs a model in all three number systems at once, for tests.

#ifndef NNCERT_REFERENCE_TESTING_EVALUATE_H_
#define NNCERT_REFERENCE_TESTING_EVALUATE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/v1_2/types.h"
#include "reference/number/ball.h"
#include "reference/signature.h"
#include "reference/tensor.h"

namespace nncert {

/// One output of a model in the three number systems: real numbers, or the integers of a quantized,
/// INT32 or BOOL8 output.
struct Evaluated {
  Shape dimensions;
  std::vector<double> from_float;
  std::vector<double> from_double;
  std::vector<Ball> enclosure;
  /// Not OK when the enclosure says UNDECIDED; `enclosure` is then empty.
  absl::Status undecided;
};

/// Executes `model` on inputs given as numbers (integers for quantized operands; see BytesOf), an
/// empty vector for a TENSOR input of a model that has elements meaning "omitted". Inputs take
/// their dimensions from the model. Fails where the executor fails, and with Internal when `float`
/// and `double` differ in dimensions, when the enclosure does not contain both, or when one has
/// rows that the enclosure does not name as possible: so every test that evaluates anything also
/// tests the enclosure. The rules of `version` hold.
absl::StatusOr<std::vector<Evaluated>> EvaluateInAllSystems(
    const hal::V1_2::Model& model, const std::vector<std::vector<double>>& inputs,
    HalVersion version = HalVersion::V1_2);

/// The first output of a model that runs and whose enclosure decides it; otherwise the test fails,
/// and there is nothing. Arguments are those of EvaluateInAllSystems.
Evaluated EvaluateDecided(const hal::V1_2::Model& model,
                          const std::vector<std::vector<double>>& inputs);

/// The message of the error with which a model is refused when it is prepared under the rules of
/// `version`; empty when it is accepted.
std::string ErrorOf(const hal::V1_2::Model& model, HalVersion version = HalVersion::V1_2);

/// What the signature and the type constraints of the model's first operation say at `version`, the
/// model's other faults and the values of its constants aside: the message of the error, or
/// nothing.
std::string SignatureErrorOf(const hal::V1_2::Model& model, HalVersion version);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_TESTING_EVALUATE_H_
