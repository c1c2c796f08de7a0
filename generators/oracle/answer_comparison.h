// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Compares what an operation gives in double precision with the answers of the independent oracle.

#ifndef NNCERT_GENERATORS_ORACLE_ANSWER_COMPARISON_H_
#define NNCERT_GENERATORS_ORACLE_ANSWER_COMPARISON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "generators/oracle/oracle_case.h"
#include "reference/tensor.h"

namespace nncert {

/// The difference that is granted, as a share of the magnitude of the terms of an element.
///
/// Each of the two computations loses at most about a rounding, 2^-53, for each term, or 1e-13 for
/// the thousand terms of the longest sums of the cases; functions and their arguments lose a few
/// roundings more. The rest of the factor of 100 is for layers that come after each other. It is
/// still 6000 times less than one rounding to single precision: a constant or an intermediate
/// result that is held as a float does not pass.
inline constexpr double kAnswerTolerance = 1e-11;

/// The least and the greatest element, as an execution in NumberSystem::kDouble gives it, that is
/// the answer `value` within the tolerance, rounded to the output's type. Where the answer is close
/// to a tie, that is both of its neighbours.
struct ElementBounds {
  double lowest;
  double highest;

  /// Whether the element is one of them. The bounds of a NaN are NaN, and hold NaN alone.
  bool Hold(double element) const;
};

/// The bounds for an answer and the magnitude of its terms, of an output of `info`.
ElementBounds BoundsOf(const OperandInfo& info, double value, double magnitude);

/// Results of one output in double precision.
struct Computed {
  OperandInfo info;
  absl::Span<const double> elements;
};

/// Compares all outputs of a case; `dimensions` are those that the outputs should have. The error
/// names the first output and element that differ.
absl::Status CompareWithAnswers(AnswerComparison comparison, absl::Span<const Computed> computed,
                                absl::Span<const Answer> answers,
                                const std::vector<std::vector<uint32_t>>& dimensions);

}  // namespace nncert

#endif  // NNCERT_GENERATORS_ORACLE_ANSWER_COMPARISON_H_
