// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/acceptance.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cases/element_values.h"
#include "hal/float16.h"
#include "harness/judging/comparator.h"
#include "harness/judging/judgement.h"
#include "harness/judging/row_alignment.h"
#include "harness/judging/samples.h"
#include "reference/extension.h"
#include "reference/number/ball.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

// The numbers that elements of a type can be, counted from the least one. Floats without a sign are
// in the order of their bits, which are consecutive integers.
class Numbers {
 public:
  explicit Numbers(OperandType type) : kind_(ElementKindOf(type)) {
    if (kind_ == ElementKind::kFloat32) {
      first_ = -int64_t{std::bit_cast<uint32_t>(std::numeric_limits<float>::infinity())};
    } else if (kind_ == ElementKind::kFloat16) {
      first_ = -int64_t{hal::FloatToFloat16(std::numeric_limits<float>::infinity())};
    } else {
      first_ = RangeOf(type).lowest;
      last_ = RangeOf(type).highest;
      return;
    }
    last_ = -first_;
  }

  int64_t first() const { return first_; }
  int64_t last() const { return last_; }

  double operator[](int64_t place) const {
    const auto bits = static_cast<uint32_t>(std::abs(place));
    const double sign = place < 0 ? -1 : 1;
    if (kind_ == ElementKind::kFloat32) return sign * std::bit_cast<float>(bits);
    if (kind_ == ElementKind::kFloat16) {
      return sign * hal::Float16ToDouble(static_cast<uint16_t>(bits));
    }
    return static_cast<double>(place);
  }

  // The place of a number of the type, which is no NaN.
  int64_t PlaceOf(double number) const {
    const int64_t sign = std::signbit(number) ? -1 : 1;
    const auto magnitude = static_cast<float>(std::abs(number));
    if (kind_ == ElementKind::kFloat32) return sign * int64_t{std::bit_cast<uint32_t>(magnitude)};
    if (kind_ == ElementKind::kFloat16) return sign * int64_t{hal::FloatToFloat16(magnitude)};
    return static_cast<int64_t>(number);
  }

 private:
  const ElementKind kind_;
  int64_t first_;
  int64_t last_;
};

// Whether an element passes, or is explained; see ElementJudge. Without an enclosure `ball` is
// null. What passes is an interval, since whatever makes a number pass makes those between it and
// the expected one pass.
bool Passes(const Criterion& criterion, const Ball* ball, double expected, double actual) {
  if (IsWithin(criterion, expected, actual)) return true;
  if (ball == nullptr || (std::isfinite(expected) && !std::isfinite(actual))) return false;
  // Outside of the ball what is expected is wrong, and nothing is explained.
  return ball->Contains(actual) && ball->Contains(expected);
}

// The last place between `inside`, for which `test` holds, and `end` for which it still does.
template <typename Test>
int64_t LastOf(int64_t inside, int64_t end, Test test) {
  if (test(end)) return end;
  while (std::abs(end - inside) > 1) {
    const int64_t middle = std::midpoint(inside, end);
    (test(middle) ? inside : end) = middle;
  }
  return inside;
}

AcceptedElement AcceptedElementOf(const Numbers& numbers, const Criterion& criterion,
                                  const Ball* ball, double expected) {
  const auto passes = [&](int64_t place) {
    return Passes(criterion, ball, expected, numbers[place]);
  };
  // Where a NaN is expected a number passes only if all do.
  const int64_t start = numbers.PlaceOf(std::isnan(expected) ? 0 : expected);
  if (!passes(start)) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {kNone, kNone};
  }
  return {numbers[LastOf(start, numbers.first(), passes)],
          numbers[LastOf(start, numbers.last(), passes)]};
}

// The enclosure of an output in the order of what is expected; empty when it is not known.
struct Enclosure {
  std::vector<Ball> balls;
  std::string why_unknown;
};

std::vector<Enclosure> EnclosuresOf(const TestCase& test_case, Oracle& oracle, size_t example) {
  const std::vector<ExpectedOutput>& expected = test_case.examples[example].outputs;
  std::vector<Enclosure> enclosures(expected.size());
  const absl::StatusOr<const std::vector<OutputValue>*> values = oracle.Enclosures(example);
  for (size_t i = 0; i < expected.size(); ++i) {
    const absl::Status status = values.ok() ? (**values)[i].undecided : values.status();
    if (!status.ok()) {
      enclosures[i].why_unknown = std::string(status.message());
    } else if ((**values)[i].balls().size() != NumberOfElements(expected[i].dimensions)) {
      enclosures[i].why_unknown =
          absl::StrCat("it has the dimensions ", ShapeToString((**values)[i].info.dimensions));
    } else {
      enclosures[i].balls.assign((**values)[i].balls().begin(), (**values)[i].balls().end());
    }
  }
  return enclosures;
}

// Puts the rows of enclosures into the order of the expected ones.
void Align(const ExpectedRows& expected, std::vector<Enclosure>& enclosures) {
  std::vector<RowColumns> columns = expected.columns;
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i].actual = columns[i].expected;
    columns[i].enclosure = enclosures[expected.outputs[i]].balls;
    if (columns[i].enclosure.size() != columns[i].expected.size()) return;
  }
  const std::vector<size_t> order = AlignRows(columns, expected.groups, expected.rows).enclosure;
  for (size_t i = 0; i < columns.size(); ++i) {
    std::vector<Ball> balls;
    for (const size_t row : order) {
      const absl::Span<const Ball> of_row =
          columns[i].enclosure.subspan(row * columns[i].size, columns[i].size);
      balls.insert(balls.end(), of_row.begin(), of_row.end());
    }
    enclosures[expected.outputs[i]].balls = std::move(balls);
  }
}

AcceptedOutput AcceptedOutputOf(OperandType type, const Criterion& criterion,
                                const ExpectedOutput& expected, const Enclosure& enclosure) {
  AcceptedOutput accepted;
  if (!enclosure.why_unknown.empty()) {
    accepted.caveat = absl::StrCat(
        "the documented threshold alone counts, since the enclosure "
        "is not known: ",
        enclosure.why_unknown);
  }
  const Numbers numbers(type);
  const std::vector<double> elements = DecodeElements(type, expected.data);
  for (size_t i = 0; i < elements.size(); ++i) {
    const Ball* const ball = enclosure.balls.empty() ? nullptr : &enclosure.balls[i];
    accepted.elements.push_back(AcceptedElementOf(numbers, criterion, ball, elements[i]));
  }
  return accepted;
}

}  // namespace

absl::StatusOr<std::vector<AcceptedAnswer>> AcceptedAnswersOf(TestCase test_case, Oracle& oracle) {
  test_case.model = WithCataloguePrefixes(std::move(test_case.model));
  const hal::V1_2::Model& model = test_case.model;
  std::vector<AcceptedAnswer> answers;
  for (size_t example = 0; example < test_case.examples.size(); ++example) {
    const std::vector<ExpectedOutput>& expected = test_case.examples[example].outputs;
    AcceptedAnswer& answer = answers.emplace_back();
    answer.outputs.resize(expected.size());
    if (test_case.expectFailure) continue;
    std::vector<Enclosure> enclosures = EnclosuresOf(test_case, oracle, example);
    for (const RowSet& set : RowSetsOf(model)) {
      const std::optional<ExpectedRows> rows = ExpectedRowsOf(test_case, example, set);
      if (!rows.has_value()) continue;
      Align(*rows, enclosures);
      answer.unordered_rows.push_back({rows->outputs, rows->rows, rows->groups});
    }
    for (size_t i = 0; i < expected.size(); ++i) {
      if (AreSamples(model, i)) {
        return absl::UnimplementedError(
            absl::StrCat(NameOfOutput(model, i),
                         " is of samples, whose distribution no bounds of elements can say"));
      }
      const OperandType type = model.operands[model.outputIndexes[i]].type;
      if (expected[i].ignored || IsOpaque(type)) continue;
      answer.outputs[i] =
          AcceptedOutputOf(type, CriterionFor(test_case, i), expected[i], enclosures[i]);
    }
  }
  return answers;
}

}  // namespace nncert
