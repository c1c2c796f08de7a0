// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/element_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cases/element_values.h"
#include "hal/extension.h"
#include "harness/judging/samples.h"
#include "harness/judging/selected_rows_check.h"
#include "reference/catalogue.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

// An enclosure explains what is outside of the threshold as long as its radius is no greater than
// so many thresholds: 1 % of a float, 8 % of a half, 16 steps. Beyond, it would excuse what nobody
// takes for the answer.
double MostThresholds(const Criterion& criterion) { return criterion.name == "fp32" ? 1024 : 16; }

// Whether an answer to an output may be just what stood in its buffer before: what is wrong in
// every element, and of false a byte that nobody writes for true. Numbers are so only where there
// are few bits of them. Where true is expected throughout, what has one reason to be false is so
// throughout.
bool MayStandThereByChance(OperandType type, absl::Span<const uint8_t> expected) {
  constexpr size_t kBitsOfChance = 16;
  if (ElementKindOf(type) != ElementKind::kBool) return expected.size() * 8 < kBitsOfChance;
  return std::count(expected.begin(), expected.end(), 0) == 0;
}

// How much attention a judgement deserves, when several were passed on one execution.
int Weight(Verdict verdict) {
  switch (verdict) {
    case Verdict::PASS:
      return 0;
    case Verdict::EXPLAINED:
      return 1;
    case Verdict::UNDECIDED:
      return 2;
    case Verdict::WRONG_EXPECTATION:
      return 3;
    default:
      return 4;
  }
}

// The element of an operand that stands for zero.
double ZeroOf(const hal::V1_2::Operand& operand) {
  return IsQuantized(operand.type) ? operand.zeroPoint : 0;
}

// A number that all balls hold; nothing when there is none.
std::optional<double> NumberInAll(absl::Span<const Ball> balls) {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  for (const Ball& ball : balls) {
    lower = std::max(lower, ball.Lower());
    upper = std::min(upper, ball.Upper());
  }
  if (!(lower <= upper)) return std::nullopt;
  return std::clamp(0.0, lower, upper);
}

}  // namespace

OperandType ElementJudge::TypeOf(size_t output) const {
  const hal::V1_2::Model& model = context_.test_case.model;
  return model.operands[model.outputIndexes[output]].type;
}

Judgement ElementJudge::operator()(size_t example, absl::Span<const ActualOutput> outputs) {
  Judgement worst;
  uint64_t compared = 0;
  aligned_.clear();
  for (const RowSet& set : row_sets_) Align(example, set, outputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    Judgement judgement = JudgeOutput(example, i, outputs);
    compared += judgement.compared;
    if (Weight(judgement.verdict) > Weight(worst.verdict)) worst = std::move(judgement);
  }
  worst.compared = compared;
  return worst;
}

absl::Span<const uint8_t> ElementJudge::ActualOf(size_t example, size_t output,
                                                 absl::Span<const ActualOutput> outputs) const {
  const auto aligned = aligned_.find(output);
  if (aligned != aligned_.end()) return aligned->second.actual;
  // The buffer of an output without elements has room for one all the same.
  return outputs[output].bytes.subspan(
      0, context_.test_case.examples[example].outputs[output].data.size());
}

void ElementJudge::Align(size_t example, const RowSet& set,
                         absl::Span<const ActualOutput> outputs) {
  const std::vector<ExpectedOutput>& expected = context_.test_case.examples[example].outputs;
  // Outputs whose dimensions do not fit together are left as they are.
  std::optional<ExpectedRows> expected_rows = ExpectedRowsOf(context_.test_case, example, set);
  if (!expected_rows.has_value()) return;
  std::vector<RowColumns>& columns = expected_rows->columns;
  const std::vector<size_t>& of_rows = expected_rows->outputs;
  const std::vector<RowGroup>& row_groups = expected_rows->groups;
  const size_t rows = expected_rows->rows;
  for (size_t i = 0; i < of_rows.size(); ++i) {
    columns[i].actual = DecodeElements(TypeOf(of_rows[i]), ActualOf(example, of_rows[i], outputs));
    // The groups are where they are expected, or their output is wrong.
    if (of_rows[i] == set.group && columns[i].actual != columns[i].expected) return;
  }
  RowAlignment alignment = AlignRows(columns, row_groups, rows);
  std::vector<absl::Span<const Ball>> enclosures(of_rows.size());
  // What passes is held against the enclosure as well, unless it is just what is expected.
  bool is_same = true;
  for (const RowColumns& column : columns) {
    for (size_t i = 0; i < column.expected.size() && is_same; ++i) {
      const size_t row = alignment.actual[i / column.size];
      is_same = column.actual[row * column.size + i % column.size] == column.expected[i];
    }
  }
  if (!is_same && context_.oracle != nullptr) {
    const absl::StatusOr<const std::vector<OutputValue>*> values =
        context_.oracle->Enclosures(example);
    for (size_t i = 0; values.ok() && i < of_rows.size(); ++i) {
      const OutputValue& value = (**values)[of_rows[i]];
      if (!value.undecided.ok() || value.balls().size() != columns[i].expected.size()) continue;
      columns[i].enclosure = enclosures[i] = value.balls();
    }
    alignment = AlignRows(columns, row_groups, rows);
  }
  std::vector<bool> is_compared(rows);
  for (const RowGroup& group : row_groups) {
    std::fill_n(is_compared.begin() + static_cast<std::ptrdiff_t>(group.first), group.count, true);
  }
  for (size_t i = 0; i < of_rows.size(); ++i) {
    const size_t output = of_rows[i];
    const absl::Span<const uint8_t> actual = ActualOf(example, output, outputs);
    // Rows that mean nothing are as expected, whatever they are.
    Aligned aligned = {expected[output].data, {}};
    aligned.enclosure.assign(enclosures[i].begin(), enclosures[i].end());
    const size_t bytes = aligned.actual.size() / rows;
    for (size_t row = 0; row < rows; ++row) {
      if (!is_compared[row]) continue;
      std::copy_n(actual.begin() + static_cast<std::ptrdiff_t>(alignment.actual[row] * bytes),
                  bytes, aligned.actual.begin() + static_cast<std::ptrdiff_t>(row * bytes));
      if (aligned.enclosure.empty()) continue;
      const size_t size = columns[i].size;
      std::copy_n(
          enclosures[i].begin() + static_cast<std::ptrdiff_t>(alignment.enclosure[row] * size),
          size, aligned.enclosure.begin() + static_cast<std::ptrdiff_t>(row * size));
    }
    aligned_[output] = std::move(aligned);
  }
}

Judgement ElementJudge::JudgeOutput(size_t example, size_t output,
                                    absl::Span<const ActualOutput> outputs) {
  const TestCase& test_case = context_.test_case;
  const ExpectedOutput& expected = test_case.examples[example].outputs[output];
  const OperandType type = TypeOf(output);
  if (AreSamples(test_case.model, output)) return JudgeSamples(example, output, outputs[output]);
  if (expected.ignored) return {};
  const Criterion criterion = CriterionFor(test_case, output);
  const absl::Span<const uint8_t> actual = ActualOf(example, output, outputs);
  const absl::StatusOr<ElementComparison> comparison =
      CompareElements(type, criterion, expected.data, actual);
  Judgement judgement;
  if (!comparison.ok()) {
    judgement = Fail(
        absl::StrCat(NameOfOutput(test_case.model, output), ": ", comparison.status().message()));
    judgement.compared = expected.data.size();
  } else if (comparison->mismatches.empty()) {
    judgement.compared = comparison->compared;
    Scrutinize(example, output, actual);
    return judgement;
  } else {
    judgement = Explain(example, output, criterion, *comparison, outputs);
    judgement.compared = comparison->compared;
    if (judgement.verdict == Verdict::EXPLAINED) Scrutinize(example, output, actual);
  }
  judgement.operand = test_case.model.outputIndexes[output];
  return judgement;
}

Judgement ElementJudge::Explain(size_t example, size_t output, const Criterion& criterion,
                                const ElementComparison& comparison,
                                absl::Span<const ActualOutput> outputs) {
  if (outputs[output].is_unwritten) {
    const ExpectedOutput& expected = context_.test_case.examples[example].outputs[output];
    if (MayStandThereByChance(TypeOf(output), expected.data)) {
      Judgement written = ExplainWritten(example, output, criterion, comparison, outputs);
      if (written.verdict != Verdict::FAIL) return written;
    }
    // What is there then is not the driver's.
    const MismatchDescription description =
        DescribeMismatches(TypeOf(output), criterion, expected.dimensions, comparison);
    return Fail(absl::StrCat(NameOfOutput(context_.test_case.model, output),
                             ": the driver did not write the output; ", description.headline,
                             description.further));
  }
  return ExplainWritten(example, output, criterion, comparison, outputs);
}

Judgement ElementJudge::ExplainWritten(size_t example, size_t output, const Criterion& criterion,
                                       const ElementComparison& comparison,
                                       absl::Span<const ActualOutput> outputs) {
  const TestCase& test_case = context_.test_case;
  const std::vector<Mismatch>& mismatches = comparison.mismatches;
  const MismatchDescription description =
      DescribeMismatches(TypeOf(output), criterion,
                         test_case.examples[example].outputs[output].dimensions, comparison);
  const auto judgement = [&](Verdict verdict, absl::string_view reason) {
    return Judgement{
        verdict,
        absl::StrCat(NameOfOutput(test_case.model, output),
                     aligned_.count(output) > 0 ? " (rows as a set) " : " ", description.headline,
                     reason.empty() ? "" : "; ", reason, description.further),
        std::nullopt, 0};
  };
  if (context_.oracle == nullptr) return judgement(Verdict::FAIL, "");
  // Nothing explains a NaN or an infinity where there should be a number.
  for (const Mismatch& mismatch : mismatches) {
    if (context_.explains_specials) break;
    if (std::isfinite(mismatch.expected) && !std::isfinite(mismatch.actual)) {
      return judgement(Verdict::FAIL, "");
    }
  }
  const absl::StatusOr<const std::vector<OutputValue>*> enclosures =
      context_.oracle->Enclosures(example);
  if (!enclosures.ok()) {
    return judgement(Verdict::FAIL, absl::StrCat("no enclosure: ", enclosures.status().message()));
  }
  const OutputValue& enclosure = (**enclosures)[output];
  if (!enclosure.undecided.ok()) {
    const std::string doubt = std::string(enclosure.undecided.message());
    if (const std::string why = WhyNoneIsSelected(example, output, **enclosures, outputs);
        !why.empty()) {
      return judgement(Verdict::FAIL, absl::StrCat(why, ", although the enclosure is ", doubt));
    }
    return judgement(Verdict::UNDECIDED, absl::StrCat("the enclosure does not decide: ", doubt));
  }
  const auto aligned = aligned_.find(output);
  const bool is_aligned = aligned != aligned_.end() && !aligned->second.enclosure.empty();
  const absl::Span<const Ball> balls =
      is_aligned ? absl::MakeConstSpan(aligned->second.enclosure) : enclosure.balls();
  if (balls.size() != comparison.compared) {
    return judgement(Verdict::FAIL, absl::StrCat("the reference's output has the dimensions ",
                                                 ShapeToString(enclosure.info.dimensions)));
  }
  const Mismatch* unbounded = nullptr;
  const Mismatch* widest = &mismatches.front();
  bool expected_is_enclosed = true;
  for (const Mismatch& mismatch : mismatches) {
    const Ball& ball = balls[mismatch.index];
    if (!ball.Contains(mismatch.actual)) {
      return judgement(
          Verdict::FAIL,
          absl::StrFormat("element %d is outside of the enclosure %.9g +/- %.3g as well",
                          mismatch.index, ball.midpoint, ball.radius));
    }
    if (!ball.IsBounded()) {
      unbounded = &mismatch;
    } else {
      expected_is_enclosed &= ball.Contains(mismatch.expected);
      if (ball.radius > balls[widest->index].radius) widest = &mismatch;
    }
  }
  if (unbounded != nullptr) {
    return judgement(Verdict::UNDECIDED,
                     absl::StrFormat("the enclosure of element %d is unbounded", unbounded->index));
  }
  const Ball& ball = balls[widest->index];
  std::string reason = absl::StrFormat("all inside of the enclosure, at element %d %.9g +/- %.3g",
                                       widest->index, ball.midpoint, ball.radius);
  if (!expected_is_enclosed) {
    absl::StrAppend(&reason, ", where the expected value is not: ", kWrongExpectation);
    return judgement(Verdict::WRONG_EXPECTATION, reason);
  }
  if (const std::string nothing = WhyNothingIsSaid(example, output, criterion, mismatches, balls);
      !nothing.empty()) {
    return judgement(Verdict::UNDECIDED, absl::StrCat(reason, ", which says nothing: ", nothing));
  }
  absl::StrAppend(&reason, ": ill-conditioned");
  if (widest->threshold > 0) {
    absl::StrAppendFormat(&reason, ", the radius is %.3g times the threshold",
                          ball.radius / widest->threshold);
  }
  return judgement(Verdict::EXPLAINED, reason);
}

// Why an enclosure that holds all elements says nothing against another answer: it is too wide, or
// holds an answer that no work has gone into, and that is not the right one. Empty when it says
// something.
std::string ElementJudge::WhyNothingIsSaid(size_t example, size_t output,
                                           const Criterion& criterion,
                                           absl::Span<const Mismatch> mismatches,
                                           absl::Span<const Ball> balls) const {
  for (const Mismatch& mismatch : mismatches) {
    const double radius = balls[mismatch.index].radius;
    if (mismatch.threshold > 0 && radius > MostThresholds(criterion) * mismatch.threshold) {
      return absl::StrFormat("at element %d its radius is %.3g times the threshold", mismatch.index,
                             radius / mismatch.threshold);
    }
  }
  const TestCase& test_case = context_.test_case;
  const Example& of_case = test_case.examples[example];
  const OperandType type = TypeOf(output);
  const std::vector<double> expected = DecodeElements(type, of_case.outputs[output].data);
  // An answer that is right is inside for good reason.
  const auto is_wrong_and_inside = [&](const std::vector<double>& answer) {
    bool is_right = true;
    for (size_t i = 0; i < balls.size(); ++i) {
      if (!balls[i].Contains(answer[i])) return false;
      is_right = is_right && IsWithin(criterion, expected[i], answer[i]);
    }
    return !is_right;
  };
  const hal::V1_2::Operand& operand =
      test_case.model.operands[test_case.model.outputIndexes[output]];
  if (is_wrong_and_inside(std::vector<double>(balls.size(), ZeroOf(operand)))) {
    return "an answer of zeros is inside as well";
  }
  if (const std::optional<double> number = NumberInAll(balls);
      balls.size() > 1 && number.has_value() &&
      is_wrong_and_inside(std::vector<double>(balls.size(), *number))) {
    return absl::StrCat("an answer of ", FormatElement(type, *number),
                        " in every element is inside as well");
  }
  for (size_t i = 0; i < of_case.inputs.size(); ++i) {
    if (test_case.model.operands[test_case.model.inputIndexes[i]].type != type) continue;
    if (of_case.inputs[i].data.size() != of_case.outputs[output].data.size()) continue;
    if (is_wrong_and_inside(DecodeElements(type, of_case.inputs[i].data))) {
      return absl::StrCat("input ", i, " is inside as well");
    }
  }
  return "";
}

// Where an enclosure leaves it open which rows there are: why an honest answer does not have these,
// or nothing when it may.
std::string ElementJudge::WhyNoneIsSelected(size_t example, size_t output,
                                            const std::vector<OutputValue>& enclosures,
                                            absl::Span<const ActualOutput> outputs) const {
  const PossibleRows* const possible = enclosures[output].possible_rows.get();
  const auto set = std::find_if(row_sets_.begin(), row_sets_.end(), [output](const RowSet& rows) {
    return rows.counts == output ||
           std::find(rows.outputs.begin(), rows.outputs.end(), output) != rows.outputs.end();
  });
  if (possible == nullptr || set == row_sets_.end()) return "";
  const std::vector<ExpectedOutput>& expected = context_.test_case.examples[example].outputs;
  const auto decode = [&](size_t of_output) {
    return DecodeElements(TypeOf(of_output),
                          outputs[of_output].bytes.subspan(0, expected[of_output].data.size()));
  };
  std::vector<SelectedColumn> columns;
  absl::Span<const uint32_t> leading;
  for (const size_t of_rows : set->outputs) {
    if (expected[of_rows].ignored) continue;
    leading = absl::MakeConstSpan(expected[of_rows].dimensions).subspan(0, set->rows.RowRank());
    columns.push_back({RowSizeOf(set->rows, expected[of_rows].dimensions),
                       CriterionFor(context_.test_case, of_rows), decode(of_rows),
                       possible->elements[enclosures[of_rows].output_of_operation]});
    const SelectedColumn& column = columns.back();
    if (column.possible.size() != possible->size() * column.size ||
        column.actual.size() != NumberOfElements(leading) * column.size) {
      return "";
    }
  }
  if (set->rows.counts < 0) {
    return WhyNotSelected(columns, {{0, NumberOfElements(leading)}}, *possible);
  }
  if (!set->counts.has_value() || expected[*set->counts].ignored || leading.size() < 2) return "";
  const std::vector<double> counts = decode(*set->counts);
  std::vector<RowGroup> groups;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] < 0 || counts[i] > leading[1]) {
      return absl::StrFormat("image %d cannot have %g rows", i, counts[i]);
    }
    groups.push_back({i * leading[1], static_cast<size_t>(counts[i])});
  }
  return WhyNotSelected(columns, groups, *possible);
}

PassedOutput ElementJudge::PassedOutputOf(const Scrutiny& scrutiny) const {
  const hal::V1_2::Model& model = context_.test_case.model;
  return {model,
          model.outputIndexes[scrutiny.output],
          scrutiny.output,
          CriterionFor(context_.test_case, scrutiny.output),
          context_.test_case.examples[scrutiny.example].outputs[scrutiny.output],
          scrutiny.actual};
}

// Takes note of elements that passed.
void ElementJudge::Scrutinize(size_t example, size_t output, absl::Span<const uint8_t> actual) {
  if (context_.oracle == nullptr || actual.empty() || IsOpaque(TypeOf(output))) return;
  const auto last =
      std::find_if(scrutinies_.rbegin(), scrutinies_.rend(), [&](const Scrutiny& candidate) {
        return candidate.example == example && candidate.output == output;
      });
  if (last != scrutinies_.rend() && last->actual == actual) return;
  Scrutiny& scrutiny =
      scrutinies_.emplace_back(Scrutiny{example, output, {actual.begin(), actual.end()}, {}});
  // Rows without an order have the enclosures of theirs, where these are known.
  const auto aligned = aligned_.find(output);
  if (aligned != aligned_.end()) scrutiny.enclosure = aligned->second.enclosure;
}

const std::vector<OperationAccuracy>& ElementJudge::accuracy() {
  for (; scrutinized_ < scrutinies_.size(); ++scrutinized_) {
    const Scrutiny& scrutiny = scrutinies_[scrutinized_];
    const PassedOutput passed = PassedOutputOf(scrutiny);
    OperationAccuracy accuracy = AccuracyOf(passed);
    if (!IsAsExpected(passed)) {
      const absl::StatusOr<const std::vector<OutputValue>*> enclosures =
          context_.oracle->Enclosures(scrutiny.example);
      if (!enclosures.ok()) continue;
      const OutputValue& enclosure = (**enclosures)[scrutiny.output];
      const absl::Span<const Ball> balls = scrutiny.enclosure.has_value()
                                               ? absl::MakeConstSpan(*scrutiny.enclosure)
                                               : enclosure.balls();
      if (!enclosure.undecided.ok() || !HoldAgainst(balls, passed, accuracy)) continue;
    }
    AddAccuracy(std::move(accuracy), accuracy_);
  }
  return accuracy_;
}

Judgement ElementJudge::JudgeSamples(size_t example, size_t output,
                                     const ActualOutput& actual) const {
  const TestCase& test_case = context_.test_case;
  const OperandType type = TypeOf(output);
  Judgement judgement;
  judgement.operand = test_case.model.outputIndexes[output];
  const auto conclude = [&](Verdict verdict, absl::string_view text) {
    judgement.verdict = verdict;
    judgement.text = absl::StrCat(NameOfOutput(test_case.model, output), ": ", text);
    return judgement;
  };
  // Where there is no sample, the dimensions are the answer.
  if (NumberOfElements(test_case.examples[example].outputs[output].dimensions) == 0) {
    return judgement;
  }
  const absl::StatusOr<Logits> logits = FindLogits(test_case, example, output, context_.kernels);
  if (!logits.ok()) {
    return conclude(Verdict::UNDECIDED, absl::StrCat("the samples cannot be compared with their "
                                                     "distribution: ",
                                                     logits.status().message()));
  }
  const std::vector<double> samples = DecodeElements(type, actual.bytes);
  judgement.compared = samples.size();
  absl::Status status = TestSamples(*logits, samples);
  if (status.ok() && test_case.multinomialDistributionTolerance > 0) {
    status = CompareFrequencies(*logits, samples, test_case.multinomialDistributionTolerance);
  }
  return status.ok() ? judgement : conclude(Verdict::FAIL, status.message());
}

}  // namespace nncert
