// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Compares the outputs of an execution with what was expected, by the documented thresholds.
//
// An element passes when |expected - actual| <= atol + rtol * |expected|. In floating point, atol
// and rtol are 1e-5 each, or 5 * 2^-10 (five units in the last place of a half) where half
// precision is allowed. Quantized elements may be off by so many steps, everything else is exact. A
// NaN is only like a NaN, an infinity only like the same infinity.

#ifndef NNCERT_HARNESS_JUDGING_COMPARATOR_H_
#define NNCERT_HARNESS_JUDGING_COMPARATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"
#include "reference/number/ball.h"

namespace nncert {

/// How far the elements of an output may be off.
struct Criterion {
  /// What the numbers are held to, as messages name it: "fp32", "fp16", "quantized" or "exact".
  std::string name;
  /// The allowed difference: in steps for quantized types, in real numbers for floating point.
  double atol = 0;
  /// The allowed difference as a share of the expected magnitude.
  double rtol = 0;

  /// atol + rtol * |expected|.
  double ThresholdFor(double expected) const;

  bool operator==(const Criterion&) const = default;
};

/// The documented criterion for an output of a case. `output` is a position in
/// Model::outputIndexes.
///
/// Floating point elements are held to "fp16" when the model allows relaxed computation, the output
/// itself is of half precision, or any input of the model is, as Android's suites have it; else to
/// "fp32". Quantized ones may be off by TestCase::quantizedTolerance steps. Booleans and integers
/// are exact.
Criterion CriterionFor(const TestCase& test_case, size_t output);

/// The same for operand `output` of the case's model, were `inputs` the inputs of the model.
Criterion CriterionFor(const TestCase& test_case, uint32_t output,
                       absl::Span<const uint32_t> inputs);

/// An element outside of the criterion.
struct Mismatch {
  /// Row-major position.
  uint64_t index = 0;
  double expected = 0;
  double actual = 0;
  /// |expected - actual|; NaN or infinity where that is what it comes to.
  double difference = 0;
  /// Greatest difference that would have passed; for an expected NaN or infinity 0.
  double threshold = 0;
};

/// What comparing the elements of one output came to.
struct ElementComparison {
  /// Elements that were compared.
  uint64_t compared = 0;
  /// All that did not pass, in order.
  std::vector<Mismatch> mismatches;
};

/// Whether one element passes. NaN passes for NaN alone, an infinity for the same infinity alone.
bool IsWithin(const Criterion& criterion, double expected, double actual);

/// Whether `enclosure` has a number that passes for `value`, or that `value` passes for.
bool Reaches(const Criterion& criterion, const Ball& enclosure, double value);

/// Compares elements in the HAL's layout. Fails with InvalidArgument when the type is opaque to
/// nncert and the bytes differ (OEM and extension types), or when the two are not equally long.
absl::StatusOr<ElementComparison> CompareElements(hal::V1_2::OperandType type,
                                                  const Criterion& criterion,
                                                  absl::Span<const uint8_t> expected,
                                                  absl::Span<const uint8_t> actual);

/// Mismatches as text.
struct MismatchDescription {
  /// The first mismatch, the criterion and the count of mismatches, on one line.
  std::string headline;
  /// Up to ten more mismatches and how many more there are, each on a line of its own that begins
  /// with a newline and two spaces; empty when there is just one.
  std::string further;
};

/// Describes the mismatches of one output, of which there must be one.
MismatchDescription DescribeMismatches(hal::V1_2::OperandType type, const Criterion& criterion,
                                       const std::vector<uint32_t>& dimensions,
                                       const ElementComparison& comparison);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_COMPARATOR_H_
