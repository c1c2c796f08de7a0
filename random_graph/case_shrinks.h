// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Smaller cases that are like a given one.

#ifndef NNCERT_RANDOM_GRAPH_CASE_SHRINKS_H_
#define NNCERT_RANDOM_GRAPH_CASE_SHRINKS_H_

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "harness/judging/model_parts.h"

namespace nncert {

/// A case that the reference executes, and the value of everything in it.
struct EvaluatedCase {
  /// With all dimensions in the model that are the same in every example, pools that have nothing
  /// but the model's constants, and without expected outputs, which are the reference's then.
  TestCase test_case;
  /// By example, of every operand that an operation writes.
  std::vector<OperandValues> values;
};

/// Evaluates a case, in all of its examples. Dimensions of operands that operations write are those
/// that come of it, whatever the model says. Fails when the reference does not execute it, and when
/// there are no examples.
absl::StatusOr<EvaluatedCase> Evaluate(TestCase test_case);

/// How large a case is: what counts most comes first. Operations, operands of operations, examples,
/// constants in pools, elements of inputs and constants, then how far these are from zeros and
/// ones, and how much is in half precision.
using CaseSize = std::array<uint64_t, 6>;
CaseSize SizeOf(const TestCase& test_case);

/// A smaller case, not necessarily a valid one; nothing when there is none of that kind after all.
using CaseShrink = std::function<std::optional<TestCase>()>;

/// Ways to make a case smaller, those first that take most away. The case must outlive them.
///
/// A part of the operations, with the values that they have as inputs; fewer examples; constants of
/// pools in the model itself; smaller dimensions, wherever a size occurs, or in one place; optional
/// operands left out; single precision in place of half; parameters, scales and elements that are
/// zero, one or half.
std::vector<CaseShrink> ShrinksOf(const EvaluatedCase& evaluated);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_CASE_SHRINKS_H_
