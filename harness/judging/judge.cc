// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cases/element_values.h"
#include "hal/to_string.h"
#include "harness/judging/samples.h"
#include "reference/catalogue.h"
#include "reference/model_validation.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;
using hal::V1_2::OperandType;
using hal::V1_2::OutputShape;

constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();

// A driver may report any number of dimensions; messages show so many.
constexpr size_t kShownDimensions = 8;

// What a case is told whose driver is right and whose expectation is not.
constexpr char kWrongExpectation[] =
    "the expected value is wrong, or a deviation that docs/deviations.md does not list";

std::string DimensionsText(const std::vector<uint32_t>& dimensions) {
  if (dimensions.size() <= kShownDimensions) return hal::dimensionsToString(dimensions);
  const std::vector<uint32_t> shown(dimensions.begin(), dimensions.begin() + kShownDimensions);
  return absl::StrCat(hal::dimensionsToString(shown), " and ", dimensions.size() - kShownDimensions,
                      " more");
}

Judgement Fail(std::string text) { return {Verdict::FAIL, std::move(text), std::nullopt, 0}; }

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

}  // namespace

std::string toString(const ExecutionKind& kind) {
  return absl::StrFormat("%s, timing %s, %s", toString(kind.executor), hal::toString(kind.measure),
                         toString(kind.outputs));
}

std::string ProducerOf(const hal::V1_2::Model& model, uint32_t operand) {
  for (const hal::V1_2::Operation& operation : model.operations) {
    if (std::find(operation.outputs.begin(), operation.outputs.end(), operand) !=
        operation.outputs.end()) {
      return OperationName(model, operation.type);
    }
  }
  return "";
}

uint32_t Judge::OperandOf(size_t output) const {
  return context_.test_case.model.outputIndexes[output];
}

std::string Judge::NameOf(size_t output) const {
  return absl::StrCat(ProducerOf(context_.test_case.model, OperandOf(output)), " output ", output);
}

Judgement Judge::operator()(size_t example, const ExecutionKind& kind,
                            const ExecutionOutcome& outcome, const GuardedRequest& request) {
  const auto judge = [&]() -> Judgement {
    if (outcome.problem.has_value()) {
      return {outcome.problem->verdict, outcome.problem->text, std::nullopt, 0};
    }
    if (absl::Status status = request.CheckMemory(); !status.ok()) {
      return Fail(absl::StrCat("the driver ", status.message()));
    }
    if (auto judgement = CheckTiming(kind, outcome)) return *std::move(judgement);
    if (context_.test_case.expectFailure) {
      if (outcome.status != ErrorStatus::NONE) return {};
      return Fail("the execution succeeded; expected the driver to refuse the model or to fail");
    }
    if (auto judgement = CheckStatus(kind, outcome)) return *std::move(judgement);
    if (auto judgement = CheckShapes(example, kind, outcome)) return *std::move(judgement);
    Judgement worst;
    if (kind.outputs == OutputSpecification::INSUFFICIENT) return worst;
    uint64_t compared = 0;
    aligned_.clear();
    for (const RowSet& set : row_sets_) Align(example, set, request);
    for (size_t i = 0; i < context_.test_case.model.outputIndexes.size(); ++i) {
      Judgement judgement = JudgeOutput(example, i, request);
      compared += judgement.compared;
      if (Weight(judgement.verdict) > Weight(worst.verdict)) worst = std::move(judgement);
    }
    // Where there is no element, the dimensions are the answer.
    for (size_t i = 0; i < outcome.outputShapes.size(); ++i) {
      const ExpectedOutput& expected = context_.test_case.examples[example].outputs[i];
      if (!expected.ignored && expected.data.empty()) ++compared;
    }
    worst.compared = compared;
    return worst;
  };
  Judgement judgement = judge();
  if (judgement.verdict == Verdict::PASS) return judgement;
  // The run belongs on the first line.
  std::string where = absl::StrCat("; run: ", toString(kind));
  if (context_.test_case.examples.size() > 1) absl::StrAppend(&where, ", example ", example);
  if (!context_.test_case.deviation.empty()) {
    absl::StrAppend(&where, "; expected by the documentation, see docs/deviations.md: ",
                    context_.test_case.deviation);
  }
  judgement.text.insert(std::min(judgement.text.find('\n'), judgement.text.size()), where);
  return judgement;
}

std::optional<Judgement> Judge::CheckTiming(const ExecutionKind& kind,
                                            const ExecutionOutcome& outcome) const {
  const hal::V1_2::Timing& timing = outcome.timing;
  const bool has_none = timing.timeOnDevice == kNoTime && timing.timeInDriver == kNoTime;
  if (outcome.status != ErrorStatus::NONE && !has_none) {
    return Fail(absl::StrCat("the timing is ", hal::toString(timing), " with the status ",
                             hal::toString(outcome.status),
                             "; expected UINT64_MAX unless the execution succeeds"));
  }
  if (kind.measure == MeasureTiming::NO && !has_none) {
    return Fail(absl::StrCat("the timing is ", hal::toString(timing),
                             "; expected UINT64_MAX, since none was asked for"));
  }
  if (timing.timeOnDevice != kNoTime && timing.timeInDriver != kNoTime &&
      timing.timeOnDevice > timing.timeInDriver) {
    return Fail(absl::StrCat("the timing is ", hal::toString(timing),
                             "; expected no more time on the device than in the driver"));
  }
  return std::nullopt;
}

std::optional<Judgement> Judge::CheckStatus(const ExecutionKind& kind,
                                            const ExecutionOutcome& outcome) const {
  const bool is_insufficient = kind.outputs == OutputSpecification::INSUFFICIENT;
  const ErrorStatus expected =
      is_insufficient ? ErrorStatus::OUTPUT_INSUFFICIENT_SIZE : ErrorStatus::NONE;
  if (outcome.status == expected) return std::nullopt;
  if (kind.outputs != OutputSpecification::FULLY_SPECIFIED &&
      outcome.status == ErrorStatus::GENERAL_FAILURE) {
    return Judgement{Verdict::UNSUPPORTED,
                     "the driver does not execute the model when output dimensions are unknown "
                     "(GENERAL_FAILURE)",
                     std::nullopt, 0};
  }
  if (is_insufficient) {
    return Fail(absl::StrCat("the execution ended with ", hal::toString(outcome.status),
                             "; expected OUTPUT_INSUFFICIENT_SIZE, since the buffer of output 0 is "
                             "one byte short"));
  }
  if (context_.is_fully_supported) {
    return Judgement{Verdict::BROKEN_PROMISE,
                     absl::StrCat("the driver claims to support every operation, but the "
                                  "execution ended with ",
                                  hal::toString(outcome.status)),
                     std::nullopt, 0};
  }
  return Fail(absl::StrCat("the driver prepared the model, but the execution ended with ",
                           hal::toString(outcome.status)));
}

std::optional<Judgement> Judge::CheckShapes(size_t example, const ExecutionKind& kind,
                                            const ExecutionOutcome& outcome) {
  if (!context_.has_output_shapes) return std::nullopt;
  const hal::V1_2::Model& model = context_.test_case.model;
  const std::vector<OutputShape>& shapes = outcome.outputShapes;
  const bool is_insufficient = kind.outputs == OutputSpecification::INSUFFICIENT;
  if (shapes.empty() && !is_insufficient && context_.has_fully_specified_outputs) {
    return std::nullopt;
  }
  if (shapes.size() != model.outputIndexes.size()) {
    return Fail(absl::StrCat("the driver gave ", shapes.size(), " output shapes; expected ",
                             context_.has_fully_specified_outputs && !is_insufficient
                                 ? "none or one for each of the "
                                 : "one for each of the ",
                             model.outputIndexes.size(), " outputs"));
  }
  for (size_t i = 0; i < shapes.size(); ++i) {
    const bool is_short = is_insufficient && i == 0;
    if (is_short && shapes[i].isSufficient) {
      return Fail(absl::StrCat(NameOf(i),
                               ": the shape says that the buffer is sufficient, but it is "
                               "one byte short"));
    }
    if (!is_insufficient && !shapes[i].isSufficient) {
      return Fail(absl::StrCat(NameOf(i),
                               ": the shape says that the buffer is not sufficient, but "
                               "the status is NONE"));
    }
    const ExpectedOutput& expected = context_.test_case.examples[example].outputs[i];
    if (expected.ignored && !AreSamples(i)) continue;
    const std::vector<uint32_t>& found = shapes[i].dimensions;
    // A driver that did not finish may know no better than the model.
    const bool may_be_unknown = is_insufficient;
    bool fits = found.size() == expected.dimensions.size() || (may_be_unknown && found.empty());
    for (size_t k = 0; fits && k < found.size(); ++k) {
      fits = found[k] == expected.dimensions[k] || (may_be_unknown && found[k] == 0);
    }
    if (fits) continue;
    Judgement judgement =
        Fail(absl::StrCat(NameOf(i), " has the dimensions ", DimensionsText(found), "; expected ",
                          hal::dimensionsToString(expected.dimensions)));
    judgement.operand = OperandOf(i);
    // Where dimensions depend on values, they can be as uncertain as the values are.
    const absl::Status declared =
        CheckDeclaredDimensions(model.operands[OperandOf(i)].dimensions, found);
    if (context_.oracle != nullptr && declared.ok()) {
      const absl::StatusOr<const std::vector<OutputValue>*> enclosures =
          context_.oracle->Enclosures(example);
      if (enclosures.ok() && !(**enclosures)[i].undecided.ok()) {
        judgement.verdict = Verdict::UNDECIDED;
        absl::StrAppend(&judgement.text,
                        "; the enclosure does not decide: ", (**enclosures)[i].undecided.message());
      } else if (enclosures.ok() &&
                 std::equal(found.begin(), found.end(), (**enclosures)[i].info.dimensions.begin(),
                            (**enclosures)[i].info.dimensions.end())) {
        judgement.verdict = Verdict::WRONG_EXPECTATION;
        absl::StrAppend(&judgement.text,
                        "; the reference has the driver's dimensions: ", kWrongExpectation);
      }
    }
    return judgement;
  }
  return std::nullopt;
}

absl::Span<const uint8_t> Judge::ActualOf(size_t example, size_t output,
                                          const GuardedRequest& request) const {
  const auto aligned = aligned_.find(output);
  if (aligned != aligned_.end()) return aligned->second.actual;
  // The buffer of an output without elements has room for one all the same.
  return request.output(output).subspan(
      0, context_.test_case.examples[example].outputs[output].data.size());
}

void Judge::Align(size_t example, const RowSet& set, const GuardedRequest& request) {
  const std::vector<ExpectedOutput>& expected = context_.test_case.examples[example].outputs;
  const auto decode = [&](size_t output, absl::Span<const uint8_t> elements) {
    return DecodeElements(context_.test_case.model.operands[OperandOf(output)].type, elements);
  };
  // What the rows are made of. Outputs whose dimensions do not fit together are left as they are.
  std::vector<size_t> outputs;
  std::vector<RowColumns> columns;
  absl::Span<const uint32_t> leading;
  for (const size_t output : set.outputs) {
    if (expected[output].ignored) continue;
    const std::vector<uint32_t>& dimensions = expected[output].dimensions;
    if (dimensions.size() < set.rows.RowRank()) return;
    const auto rows_of_output = absl::MakeConstSpan(dimensions).subspan(0, set.rows.RowRank());
    if (!outputs.empty() && rows_of_output != leading) return;
    leading = rows_of_output;
    outputs.push_back(output);
    columns.push_back({RowSizeOf(set.rows, dimensions),
                       CriterionFor(context_.test_case, output),
                       decode(output, expected[output].data),
                       decode(output, ActualOf(example, output, request)),
                       {}});
    if (columns.back().expected.size() != NumberOfElements(dimensions)) return;
  }
  const size_t rows = outputs.empty() ? 0 : NumberOfElements(leading);
  if (rows == 0) return;
  // The groups are where they are expected, or their output is wrong.
  std::vector<double> groups(rows);
  if (set.group.has_value() && !expected[*set.group].ignored) {
    groups = decode(*set.group, expected[*set.group].data);
    if (groups.size() != rows ||
        decode(*set.group, ActualOf(example, *set.group, request)) != groups)
      return;
  }
  std::vector<double> counts(leading[0], static_cast<double>(rows));
  if (set.counts.has_value() && !expected[*set.counts].ignored) {
    counts = decode(*set.counts, expected[*set.counts].data);
    if (counts.size() != leading[0]) return;
  }
  const std::vector<RowGroup> row_groups = GroupsOf(
      set.rows, leading, [&groups](size_t row) { return groups[row]; },
      [&counts](size_t i) { return static_cast<size_t>(std::max(counts[i], 0.0)); });

  RowAlignment alignment = AlignRows(columns, row_groups, rows);
  std::vector<absl::Span<const Ball>> enclosures(outputs.size());
  if (!alignment.is_complete && context_.oracle != nullptr) {
    const absl::StatusOr<const std::vector<OutputValue>*> values =
        context_.oracle->Enclosures(example);
    for (size_t i = 0; values.ok() && i < outputs.size(); ++i) {
      const OutputValue& value = (**values)[outputs[i]];
      if (!value.undecided.ok() || value.balls().size() != columns[i].expected.size()) continue;
      columns[i].enclosure = enclosures[i] = value.balls();
    }
    alignment = AlignRows(columns, row_groups, rows);
  }
  std::vector<bool> is_compared(rows);
  for (const RowGroup& group : row_groups) {
    std::fill_n(is_compared.begin() + static_cast<std::ptrdiff_t>(group.first), group.count, true);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    const size_t output = outputs[i];
    const absl::Span<const uint8_t> actual = ActualOf(example, output, request);
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

Judgement Judge::JudgeOutput(size_t example, size_t output, const GuardedRequest& request) {
  const TestCase& test_case = context_.test_case;
  const ExpectedOutput& expected = test_case.examples[example].outputs[output];
  const OperandType type = test_case.model.operands[OperandOf(output)].type;
  if (AreSamples(output)) return JudgeSamples(example, output, request);
  if (expected.ignored) return {};
  const Criterion criterion = CriterionFor(test_case, output);
  const absl::StatusOr<ElementComparison> comparison =
      CompareElements(type, criterion, expected.data, ActualOf(example, output, request));
  Judgement judgement;
  if (!comparison.ok()) {
    judgement = Fail(absl::StrCat(NameOf(output), ": ", comparison.status().message()));
    judgement.compared = expected.data.size();
  } else if (comparison->mismatches.empty()) {
    judgement.compared = comparison->compared;
    return judgement;
  } else {
    judgement = Explain(example, output, criterion, *comparison, request.IsUnwritten(output));
    judgement.compared = comparison->compared;
  }
  judgement.operand = OperandOf(output);
  return judgement;
}

Judgement Judge::Explain(size_t example, size_t output, const Criterion& criterion,
                         const ElementComparison& comparison, bool is_unwritten) {
  const TestCase& test_case = context_.test_case;
  const std::vector<Mismatch>& mismatches = comparison.mismatches;
  const MismatchDescription description =
      DescribeMismatches(test_case.model.operands[OperandOf(output)].type, criterion,
                         test_case.examples[example].outputs[output].dimensions, comparison);
  const auto judgement = [&](Verdict verdict, absl::string_view reason) {
    return Judgement{
        verdict,
        absl::StrCat(NameOf(output), aligned_.count(output) > 0 ? " (rows as a set) " : " ",
                     description.headline, reason.empty() ? "" : "; ", reason, description.further),
        std::nullopt, 0};
  };
  if (is_unwritten) return judgement(Verdict::FAIL, "the driver did not write the output");
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
    return judgement(Verdict::UNDECIDED, absl::StrCat("the enclosure does not decide: ",
                                                      enclosure.undecided.message()));
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
  absl::StrAppend(&reason, ": ill-conditioned");
  if (widest->threshold > 0) {
    absl::StrAppendFormat(&reason, ", the radius is %.3g times the threshold",
                          ball.radius / widest->threshold);
  }
  return judgement(Verdict::EXPLAINED, reason);
}

bool Judge::AreSamples(size_t output) const {
  const OperationDefinition* producer =
      FindOperation(std::string_view(ProducerOf(context_.test_case.model, OperandOf(output))));
  return producer != nullptr && producer->outputs_are_random;
}

Judgement Judge::JudgeSamples(size_t example, size_t output, const GuardedRequest& request) const {
  const TestCase& test_case = context_.test_case;
  const OperandType type = test_case.model.operands[OperandOf(output)].type;
  Judgement judgement;
  judgement.operand = OperandOf(output);
  const auto conclude = [&](Verdict verdict, absl::string_view text) {
    judgement.verdict = verdict;
    judgement.text = absl::StrCat(NameOf(output), ": ", text);
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
  const std::vector<double> samples = DecodeElements(type, request.output(output));
  judgement.compared = samples.size();
  absl::Status status = TestSamples(*logits, samples);
  if (status.ok() && test_case.multinomialDistributionTolerance > 0) {
    status = CompareFrequencies(*logits, samples, test_case.multinomialDistributionTolerance);
  }
  return status.ok() ? judgement : conclude(Verdict::FAIL, status.message());
}

}  // namespace nncert
