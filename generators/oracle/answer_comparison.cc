// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/oracle/answer_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/float16.h"

namespace nncert {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Samples of a class that are expected at the least, for the chi-square distribution to be a good
// approximation. Classes with fewer are taken together.
constexpr double kLeastExpectedSamples = 5;

// The quantile of the normal distribution that 2 in a million samples exceed. The samples of a
// case are the same each time, so a case that passes once passes always.
constexpr double kNormalQuantile = 4.6;

double ToHalf(double value) { return hal::Float16ToDouble(hal::DoubleToFloat16(value)); }

std::string Describe(const ElementBounds& bounds) {
  if (bounds.lowest == bounds.highest) return absl::StrFormat("%.17g", bounds.lowest);
  return absl::StrFormat("%.17g to %.17g", bounds.lowest, bounds.highest);
}

absl::Status CompareDimensions(absl::Span<const Computed> computed,
                               const std::vector<std::vector<uint32_t>>& dimensions) {
  for (size_t output = 0; output < computed.size(); ++output) {
    const Shape& found = computed[output].info.dimensions;
    if (absl::MakeConstSpan(found) != absl::MakeConstSpan(dimensions[output])) {
      return absl::OutOfRangeError(absl::StrCat("output ", output, " has dimensions ",
                                                ShapeToString(found), "; expected ",
                                                ShapeToString(dimensions[output])));
    }
  }
  return absl::OkStatus();
}

absl::Status CompareElements(absl::Span<const Computed> computed,
                             absl::Span<const Answer> answers) {
  for (size_t output = 0; output < computed.size(); ++output) {
    const Answer& answer = answers[output];
    const Computed& found = computed[output];
    if (found.elements.size() != answer.values.size()) {
      return absl::OutOfRangeError(absl::StrCat("output ", output, " has ", found.elements.size(),
                                                " elements; expected ", answer.values.size()));
    }
    for (size_t i = 0; i < found.elements.size(); ++i) {
      const ElementBounds bounds = BoundsOf(found.info, answer.values[i], answer.magnitudes[i]);
      if (bounds.Hold(found.elements[i])) continue;
      return absl::OutOfRangeError(
          absl::StrFormat("output %d element %d is %.17g; expected %s, from %.17g", output, i,
                          found.elements[i], Describe(bounds), answer.values[i]));
    }
  }
  return absl::OkStatus();
}

// Whether row `row` of the results is row `expected` of the answers, in every output.
bool IsRow(absl::Span<const Computed> computed, absl::Span<const Answer> answers, size_t rows,
           size_t row, size_t expected) {
  for (size_t output = 0; output < computed.size(); ++output) {
    const size_t width = answers[output].values.size() / rows;
    for (size_t i = 0; i < width; ++i) {
      const size_t wanted = expected * width + i;
      const ElementBounds bounds = BoundsOf(computed[output].info, answers[output].values[wanted],
                                            answers[output].magnitudes[wanted]);
      if (!bounds.Hold(computed[output].elements[row * width + i])) return false;
    }
  }
  return true;
}

absl::Status CompareRows(absl::Span<const Computed> computed, absl::Span<const Answer> answers) {
  const absl::Span<const double> batches = computed.back().elements;
  const size_t rows = answers.back().values.size();
  std::set<double> finished;
  std::vector<bool> is_taken(rows);
  for (size_t row = 0; row < rows; ++row) {
    if (row > 0 && batches[row] != batches[row - 1]) finished.insert(batches[row - 1]);
    if (finished.count(batches[row]) != 0) {
      return absl::OutOfRangeError(absl::StrFormat(
          "row %d is of batch %g, whose rows have ended before", row, batches[row]));
    }
    size_t match = 0;
    while (match < rows && (is_taken[match] || !IsRow(computed, answers, rows, row, match))) {
      ++match;
    }
    if (match == rows) {
      return absl::OutOfRangeError(
          absl::StrFormat("row %d of batch %g, with %.17g in output 0, is none of those expected",
                          row, batches[row], computed[0].elements[row]));
    }
    is_taken[match] = true;
  }
  return absl::OkStatus();
}

// Pearson's chi-square test of one row of samples.
absl::Status CompareSamplesOfRow(size_t row, absl::Span<const double> samples,
                                 absl::Span<const double> probabilities) {
  const auto sample_count = static_cast<double>(samples.size());
  std::vector<double> counts(probabilities.size());
  for (const double sample : samples) {
    if (!(sample >= 0 && sample < static_cast<double>(counts.size()))) {
      return absl::OutOfRangeError(absl::StrFormat("row %d has the sample %g; expected [0, %d)",
                                                   row, sample, counts.size()));
    }
    ++counts[static_cast<size_t>(sample)];
  }
  double statistic = 0;
  double cells = 0;
  double rare_count = 0;
  double rare_expected = 0;
  const auto add_cell = [&](double count, double expected) {
    statistic += (count - expected) * (count - expected) / expected;
    ++cells;
  };
  for (size_t i = 0; i < counts.size(); ++i) {
    const double expected = probabilities[i] * sample_count;
    if (expected >= kLeastExpectedSamples) {
      add_cell(counts[i], expected);
    } else {
      rare_count += counts[i];
      rare_expected += expected;
    }
  }
  if (rare_expected >= kLeastExpectedSamples) {
    add_cell(rare_count, rare_expected);
  } else if (rare_count > 4 * kLeastExpectedSamples) {
    return absl::OutOfRangeError(absl::StrFormat(
        "row %d has %g samples of rare classes; %g expected", row, rare_count, rare_expected));
  }
  const double freedom = cells - 1;
  if (freedom < 1) return absl::OkStatus();
  // The quantile of the chi-square distribution (Wilson and Hilferty, 1931).
  const double spread = 2 / (9 * freedom);
  const double limit = freedom * std::pow(1 - spread + kNormalQuantile * std::sqrt(spread), 3);
  if (statistic <= limit) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrFormat("row %d of %d samples has a chi-square of %g for %g degrees of freedom; "
                      "expected %g at the most",
                      row, samples.size(), statistic, freedom, limit));
}

absl::Status CompareSamples(const Computed& samples, const Answer& distribution,
                            const std::vector<uint32_t>& dimensions) {
  const size_t rows = dimensions[0];
  const size_t classes = distribution.values.size() / rows;
  const size_t samples_of_row = samples.elements.size() / rows;
  for (size_t row = 0; row < rows; ++row) {
    absl::Status status = CompareSamplesOfRow(
        row, samples.elements.subspan(row * samples_of_row, samples_of_row),
        absl::MakeConstSpan(distribution.values).subspan(row * classes, classes));
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

bool ElementBounds::Hold(double element) const {
  if (std::isnan(lowest)) return std::isnan(element);
  if (lowest == -kInfinity && highest == kInfinity) return true;
  return element >= lowest && element <= highest;
}

ElementBounds BoundsOf(const OperandInfo& info, double value, double magnitude) {
  if (std::isinf(magnitude) && !std::isinf(value)) return {-kInfinity, kInfinity};
  const double slack = std::isfinite(magnitude) ? kAnswerTolerance * magnitude : 0;
  switch (ElementKindOf(info.type)) {
    case ElementKind::kFloat32:
      return {value - slack, value + slack};
    case ElementKind::kFloat16:
      return {ToHalf(value - slack), ToHalf(value + slack)};
    case ElementKind::kInt32:
    case ElementKind::kUint32:
    case ElementKind::kBool:
      return {value, value};
    default:
      break;
  }
  const IntegerRange range = RangeOf(info.type);
  const double steps = value / info.scale;
  const double slack_steps =
      std::isfinite(steps) ? slack / info.scale + kAnswerTolerance * std::abs(steps) : 0;
  const auto limited = [&](double integer) {
    return std::clamp(integer, static_cast<double>(range.lowest),
                      static_cast<double>(range.highest));
  };
  return {limited(std::ceil(steps - slack_steps - 0.5) + info.zeroPoint),
          limited(std::floor(steps + slack_steps + 0.5) + info.zeroPoint)};
}

absl::Status CompareWithAnswers(AnswerComparison comparison, absl::Span<const Computed> computed,
                                absl::Span<const Answer> answers,
                                const std::vector<std::vector<uint32_t>>& dimensions) {
  if (computed.size() != answers.size() || dimensions.size() != answers.size()) {
    return absl::OutOfRangeError(
        absl::StrCat("there are ", computed.size(), " outputs; expected ", answers.size()));
  }
  absl::Status status = CompareDimensions(computed, dimensions);
  if (!status.ok()) return status;
  switch (comparison) {
    case AnswerComparison::kElements:
      return CompareElements(computed, answers);
    case AnswerComparison::kGroupedRows:
      return CompareRows(computed, answers);
    case AnswerComparison::kDistribution:
      return CompareSamples(computed[0], answers[0], dimensions[0]);
  }
  return absl::InternalError("no such comparison");
}

}  // namespace nncert
