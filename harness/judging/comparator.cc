// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/comparator.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cases/element_values.h"
#include "reference/extension.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

// Documented in docs and in the VTS of HAL 1.1 and 1.2.
constexpr double kFloat32Tolerance = 1e-5;
// Five units in the last place of a half: 5 * 2^-10.
constexpr double kFloat16Tolerance = 5 * 0.0009765625;

// How many mismatches follow the first.
constexpr size_t kFurtherMismatches = 10;

bool IsHalf(OperandType type) { return ElementKindOf(type) == ElementKind::kFloat16; }

std::string DescribeElement(OperandType type, const std::vector<uint32_t>& dimensions,
                            const Mismatch& mismatch) {
  return absl::StrFormat(
      "element %s (flat %d): expected %s, actual %s, |difference| %g > threshold %g",
      MultiIndex(dimensions, mismatch.index), mismatch.index,
      FormatElement(type, mismatch.expected), FormatElement(type, mismatch.actual),
      mismatch.difference, mismatch.threshold);
}

std::string DescribeCriterion(const Criterion& criterion) {
  if (criterion.name == "exact") return criterion.name;
  if (criterion.rtol == 0) return absl::StrFormat("%s: off by %g", criterion.name, criterion.atol);
  return absl::StrFormat("%s: atol %g + rtol %g x |expected|", criterion.name, criterion.atol,
                         criterion.rtol);
}

}  // namespace

double Criterion::ThresholdFor(double expected) const { return atol + rtol * std::abs(expected); }

Criterion CriterionFor(const TestCase& test_case, size_t output) {
  const hal::V1_2::Model& model = test_case.model;
  return CriterionFor(test_case, model.outputIndexes[output], model.inputIndexes);
}

Criterion CriterionFor(const TestCase& test_case, uint32_t output,
                       absl::Span<const uint32_t> inputs) {
  const hal::V1_2::Model& model = test_case.model;
  const OperandType type = model.operands[output].type;
  if (IsFloatingPoint(type)) {
    const bool has_half_input = std::any_of(inputs.begin(), inputs.end(), [&](uint32_t operand) {
      return IsHalf(model.operands[operand].type);
    });
    if (model.relaxComputationFloat32toFloat16 || IsHalf(type) || has_half_input) {
      return {"fp16", kFloat16Tolerance, kFloat16Tolerance};
    }
    return {"fp32", kFloat32Tolerance, kFloat32Tolerance};
  }
  if (!IsOpaque(type) && IsQuantized(type)) {
    return {"quantized", static_cast<double>(test_case.quantizedTolerance), 0};
  }
  return {"exact", 0, 0};
}

bool IsWithin(const Criterion& criterion, double expected, double actual) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected) || !std::isfinite(actual)) return actual == expected;
  return std::abs(expected - actual) <= criterion.ThresholdFor(expected);
}

bool Reaches(const Criterion& criterion, const Ball& enclosure, double value) {
  if (enclosure.Contains(value)) return true;
  if (!std::isfinite(value) || !std::isfinite(enclosure.midpoint)) return false;
  return std::abs(enclosure.midpoint - value) <= enclosure.radius + criterion.ThresholdFor(value);
}

absl::StatusOr<ElementComparison> CompareElements(OperandType type, const Criterion& criterion,
                                                  absl::Span<const uint8_t> expected,
                                                  absl::Span<const uint8_t> actual) {
  if (expected.size() != actual.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the output has ", actual.size(), " bytes; expected ", expected.size()));
  }
  ElementComparison comparison;
  if (IsOpaque(type)) {
    comparison.compared = expected.size();
    const auto [differing, ignored] =
        std::mismatch(expected.begin(), expected.end(), actual.begin());
    if (differing != expected.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "byte ", differing - expected.begin(), " of ", expected.size(),
          " is not as expected, and elements of ", NameOf(type), " cannot be told apart"));
    }
    return comparison;
  }
  // The same bytes pass whatever they stand for, a NaN as well.
  if (expected == actual) {
    comparison.compared = expected.size() / NativeElementSize(ElementKindOf(type));
    return comparison;
  }
  const std::vector<double> expected_numbers = DecodeElements(type, expected);
  const std::vector<double> actual_numbers = DecodeElements(type, actual);
  comparison.compared = expected_numbers.size();
  for (size_t i = 0; i < expected_numbers.size(); ++i) {
    const double wanted = expected_numbers[i];
    const double found = actual_numbers[i];
    if (IsWithin(criterion, wanted, found)) continue;
    comparison.mismatches.push_back({i, wanted, found, std::abs(wanted - found),
                                     std::isfinite(wanted) ? criterion.ThresholdFor(wanted) : 0});
  }
  return comparison;
}

MismatchDescription DescribeMismatches(OperandType type, const Criterion& criterion,
                                       const std::vector<uint32_t>& dimensions,
                                       const ElementComparison& comparison) {
  const std::vector<Mismatch>& mismatches = comparison.mismatches;
  MismatchDescription description;
  description.headline =
      absl::StrCat(DescribeElement(type, dimensions, mismatches.front()), " (",
                   DescribeCriterion(criterion), "); ", mismatches.size(), " of ",
                   comparison.compared, comparison.compared == 1 ? " element" : " elements",
                   mismatches.size() == 1 ? " differs" : " differ");
  const size_t shown = std::min(mismatches.size(), kFurtherMismatches + 1);
  for (size_t i = 1; i < shown; ++i) {
    absl::StrAppend(&description.further, "\n  ", DescribeElement(type, dimensions, mismatches[i]));
  }
  if (shown < mismatches.size()) {
    absl::StrAppend(&description.further, "\n  and ", mismatches.size() - shown, " more");
  }
  return description;
}

}  // namespace nncert
