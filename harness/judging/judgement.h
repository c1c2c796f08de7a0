// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What an execution, or a part of one, came to.

#ifndef NNCERT_HARNESS_JUDGING_JUDGEMENT_H_
#define NNCERT_HARNESS_JUDGING_JUDGEMENT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "hal/v1_2/types.h"
#include "harness/records/verdict.h"

namespace nncert {

/// What one execution came to.
struct Judgement {
  Verdict verdict = Verdict::PASS;
  /// Why, unless it is PASS: on one line, with further mismatches on lines of their own.
  std::string text;
  /// The operand that the verdict is about; nothing when it is about no output in particular.
  std::optional<uint32_t> operand;
  /// Elements that were compared, and outputs without elements whose dimensions were.
  uint64_t compared = 0;
};

/// A FAIL that is about no output in particular.
Judgement Fail(std::string text);

/// The operation that writes an operand; null when none does.
const hal::V1_2::Operation* FindProducer(const hal::V1_2::Model& model, uint32_t operand);

/// The name of the operation that writes an operand; empty when none does.
std::string ProducerOf(const hal::V1_2::Model& model, uint32_t operand);

/// The type of an operation's first input, which tells its kinds apart in reports:
/// "TENSOR_FLOAT32". Empty when it has none. The model may be invalid.
std::string TypeOfOperation(const hal::V1_2::Model& model, const hal::V1_2::Operation& operation);

/// What messages call the model's `output`-th output: "CONV_2D output 0".
std::string NameOfOutput(const hal::V1_2::Model& model, size_t output);

/// What a case is told whose driver is right and whose expectation is not.
inline constexpr char kWrongExpectation[] =
    "the expected value is wrong, or a deviation that docs/deviations.md does not list";

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_JUDGEMENT_H_
