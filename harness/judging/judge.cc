// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/judge.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/to_string.h"
#include "harness/judging/dimension_judge.h"
#include "harness/judging/samples.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;
using hal::V1_2::OutputShape;

constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();

}  // namespace

std::string toString(const ExecutionKind& kind) {
  return absl::StrFormat("%s, timing %s, %s", toString(kind.executor), hal::toString(kind.measure),
                         toString(kind.outputs));
}

std::optional<std::string> TimingError(MeasureTiming measure, const ExecutionOutcome& outcome) {
  const hal::V1_2::Timing& timing = outcome.timing;
  const bool has_none = timing.timeOnDevice == kNoTime && timing.timeInDriver == kNoTime;
  if (outcome.status != ErrorStatus::NONE && !has_none) {
    return absl::StrCat("the timing is ", hal::toString(timing), " with the status ",
                        hal::toString(outcome.status),
                        "; expected UINT64_MAX unless the execution succeeds");
  }
  if (measure == MeasureTiming::NO && !has_none) {
    return absl::StrCat("the timing is ", hal::toString(timing),
                        "; expected UINT64_MAX, since none was asked for");
  }
  if (timing.timeOnDevice != kNoTime && timing.timeInDriver != kNoTime &&
      timing.timeOnDevice > timing.timeInDriver) {
    return absl::StrCat("the timing is ", hal::toString(timing),
                        "; expected no more time on the device than in the driver");
  }
  return std::nullopt;
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
    if (auto error = TimingError(kind.measure, outcome)) return Fail(*std::move(error));
    if (context_.elements.test_case.expectFailure) {
      if (outcome.status != ErrorStatus::NONE) return {};
      return Fail("the execution succeeded; expected the driver to refuse the model or to fail");
    }
    if (auto judgement = CheckStatus(example, kind, outcome)) return *std::move(judgement);
    if (auto judgement = CheckShapes(example, kind, outcome)) return *std::move(judgement);
    if (kind.outputs == OutputSpecification::INSUFFICIENT) return Judgement();
    std::vector<ActualOutput> outputs;
    for (size_t i = 0; i < context_.elements.test_case.model.outputIndexes.size(); ++i) {
      outputs.push_back({request.output(i), request.IsUnwritten(i)});
    }
    Judgement judgement = elements_(example, outputs);
    // Where there is no element, the dimensions are the answer.
    for (size_t i = 0; i < outcome.outputShapes.size(); ++i) {
      const ExpectedOutput& expected = context_.elements.test_case.examples[example].outputs[i];
      if (!expected.ignored && expected.data.empty()) ++judgement.compared;
    }
    return judgement;
  };
  Judgement judgement = judge();
  if (judgement.verdict == Verdict::PASS) return judgement;
  // The run belongs on the first line.
  std::string where = absl::StrCat("; run: ", toString(kind));
  if (context_.elements.test_case.examples.size() > 1)
    absl::StrAppend(&where, ", example ", example);
  if (!context_.elements.test_case.deviation.empty()) {
    absl::StrAppend(&where, "; expected by the documentation, see docs/deviations.md: ",
                    context_.elements.test_case.deviation);
  }
  judgement.text.insert(std::min(judgement.text.find('\n'), judgement.text.size()), where);
  return judgement;
}

std::optional<Judgement> Judge::CheckStatus(size_t example, const ExecutionKind& kind,
                                            const ExecutionOutcome& outcome) {
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
  if (outcome.status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
    if (auto judgement = JudgeInsufficientSize(example, outcome)) return *std::move(judgement);
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

std::optional<Judgement> Judge::JudgeInsufficientSize(size_t example,
                                                      const ExecutionOutcome& outcome) {
  const std::vector<ExpectedOutput>& outputs =
      context_.elements.test_case.examples[example].outputs;
  if (outcome.outputShapes.size() != outputs.size()) return std::nullopt;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const std::vector<uint32_t>& found = outcome.outputShapes[i].dimensions;
    if (outcome.outputShapes[i].isSufficient || found == outputs[i].dimensions) continue;
    Judgement judgement =
        JudgeDimensions(context_.elements.test_case, context_.elements.oracle, example, i, found);
    if (judgement.verdict != Verdict::FAIL) return judgement;
  }
  return std::nullopt;
}

std::optional<Judgement> Judge::CheckShapes(size_t example, const ExecutionKind& kind,
                                            const ExecutionOutcome& outcome) {
  if (!context_.has_output_shapes) return std::nullopt;
  const hal::V1_2::Model& model = context_.elements.test_case.model;
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
      return Fail(absl::StrCat(NameOfOutput(model, i),
                               ": the shape says that the buffer is sufficient, but it is "
                               "one byte short"));
    }
    if (!is_insufficient && !shapes[i].isSufficient) {
      return Fail(absl::StrCat(NameOfOutput(model, i),
                               ": the shape says that the buffer is not sufficient, but "
                               "the status is NONE"));
    }
    const ExpectedOutput& expected = context_.elements.test_case.examples[example].outputs[i];
    if (expected.ignored && !AreSamples(model, i)) continue;
    const std::vector<uint32_t>& found = shapes[i].dimensions;
    // A driver that did not finish may know no better than the model.
    const bool may_be_unknown = is_insufficient;
    bool fits = found.size() == expected.dimensions.size() || (may_be_unknown && found.empty());
    for (size_t k = 0; fits && k < found.size(); ++k) {
      fits = found[k] == expected.dimensions[k] || (may_be_unknown && found[k] == 0);
    }
    if (fits) continue;
    return JudgeDimensions(context_.elements.test_case, context_.elements.oracle, example, i,
                           found);
  }
  return std::nullopt;
}

}  // namespace nncert
