// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Takes models apart, so that each of their operations can be judged by itself.

#ifndef NNCERT_HARNESS_JUDGING_MODEL_PARTS_H_
#define NNCERT_HARNESS_JUDGING_MODEL_PARTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// The operands that an operation of the model writes and that are no model output, in the order of
/// their being written. (Those that nobody reads are among them.)
std::vector<uint32_t> TemporariesOf(const hal::V1_2::Model& model);

/// The model with some of its temporaries as outputs, behind those that it has.
hal::V1_2::Model WithExposed(hal::V1_2::Model model, absl::Span<const uint32_t> temporaries);

/// The value that an operand has had in an execution.
struct OperandValue {
  std::vector<uint32_t> dimensions;
  /// The elements, as in InputValue::data.
  std::vector<uint8_t> data;

  bool operator==(const OperandValue&) const = default;
};

/// Values by the index of their operand.
using OperandValues = std::map<uint32_t, OperandValue>;

/// A model of some operations of the case's model alone, by their numbers in order, with one
/// example: what they read that is no constant and that none of them writes is a model input, with
/// the value that it has in example number `example` of the case or in `values`; what none of them
/// reads, and what was a model output, is a model output, of which nothing is expected yet. Where
/// all inputs are constants, one of them becomes a model input. Nothing when the value of an input
/// is not known.
std::optional<TestCase> CaseOfOperations(const TestCase& test_case, size_t example,
                                         absl::Span<const size_t> operations,
                                         const OperandValues& values);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_MODEL_PARTS_H_
