// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/case_driver.h"

#include <limits>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "harness/judging/judge.h"

namespace nncert {
namespace {

using hal::replay::SequencedAnswers;
using hal::replay::SequencedModel;
using hal::replay::SequencedResult;
using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;

std::optional<RecordedProblem> Answered(const std::optional<Problem>& problem) {
  if (!problem.has_value()) return std::nullopt;
  return RecordedProblem{problem->verdict, problem->text, problem->is_refusal};
}

std::optional<Problem> ProblemOf(const std::optional<RecordedProblem>& problem) {
  if (!problem.has_value()) return std::nullopt;
  return Problem{problem->verdict, problem->text, problem->is_refusal};
}

// What came of an execution, with the bytes of outputs.
void Keep(const ExecutionOutcome& outcome, const GuardedRequest& request, MeasureTiming measure,
          AnswersBuilder& answers) {
  RecordedExecution execution;
  execution.problem = Answered(outcome.problem);
  if (!outcome.problem.has_value()) {
    execution.status = outcome.status;
    execution.shapes = outcome.outputShapes;
    if (TimingError(measure, outcome).has_value()) execution.timing = outcome.timing;
    execution.memory = std::string(request.CheckMemory().message());
    for (size_t i = 0; i < request.request().outputs.size(); ++i) {
      std::optional<uint32_t>& output = execution.outputs.emplace_back();
      if (!request.IsUnwritten(i)) output = answers.AddBuffer(request.output(i));
    }
  }
  answers.AddExecution(std::move(execution));
}

}  // namespace

class LiveCaseDriver::Model : public CaseModel {
 public:
  Model(LiveCaseDriver& driver, absl::Duration deadline)
      : driver_(driver), model_(driver.session_, deadline) {}

  std::optional<Problem> Prepare(const std::shared_ptr<const hal::V1_2::Model>& model,
                                 Asking asking) override {
    std::optional<Problem> problem =
        TakeAnswers(*model) ? AnsweredPreparation(*model, asking) : model_.Prepare(model, asking);
    if (answers() != nullptr) answers()->AddPreparation(is_fully_supported(), Answered(problem));
    return problem;
  }

  bool is_fully_supported() const override {
    return at_once_.has_value() ? unsupported_.empty() : model_.is_fully_supported();
  }

  ExecutionOutcome Execute(GuardedRequest& request, Executor executor,
                           MeasureTiming measure) override {
    ExecutionOutcome outcome = at_once_.has_value()
                                   ? AnsweredExecution()
                                   : model_.Execute(request.request(), executor, measure);
    if (answers() != nullptr) Keep(outcome, request, measure, *answers());
    return outcome;
  }

  std::optional<Problem> Release() override {
    std::optional<Problem> problem;
    if (!at_once_.has_value()) problem = model_.Release();
    if (answers() != nullptr) answers()->AddRelease(Answered(problem));
    return problem;
  }

 private:
  AnswersBuilder* answers() const { return driver_.answers_; }

  // Whether the driver has answered for the model already.
  bool TakeAnswers(const hal::V1_2::Model& model) {
    auto answered = driver_.answered_.extract(&model);
    if (!answered.empty()) at_once_ = std::move(answered.mapped());
    return at_once_.has_value();
  }

  std::optional<Problem> AnsweredPreparation(const hal::V1_2::Model& model, Asking asking) {
    if (asking == Asking::kFirst) unsupported_ = UnsupportedOperations(model, at_once_->supported);
    if (at_once_->prepared == ErrorStatus::NONE) return std::nullopt;
    return RefusalOf(PrepareCall(driver_.hal_version()), at_once_->prepared, unsupported_);
  }

  ExecutionOutcome AnsweredExecution() {
    SequencedResult& answer = at_once_->results[next_result_++];
    return {.problem = std::nullopt,
            .launched = answer.launched,
            .status = answer.result.status,
            .outputShapes = std::move(answer.result.outputShapes),
            .timing = answer.result.timing};
  }

  LiveCaseDriver& driver_;
  ModelOnDriver model_;
  // What the driver answered when it was called at once.
  std::optional<SequencedAnswers> at_once_;
  std::string unsupported_;
  size_t next_result_ = 0;
};

std::unique_ptr<CaseModel> LiveCaseDriver::NewModel(absl::Duration deadline) {
  return std::make_unique<Model>(*this, deadline);
}

std::optional<Problem> LiveCaseDriver::CallAtOnce(absl::Span<const PlannedModel* const> models,
                                                  absl::Duration deadline) {
  std::vector<SequencedModel> sequenced;
  for (const PlannedModel* const planned : models) {
    SequencedModel& model = sequenced.emplace_back();
    model.model = planned->model;
    model.is_asked = planned->asking == Asking::kFirst;
    for (const PlannedExecution& execution : planned->executions) {
      model.executions.push_back({.request = execution.request.request(),
                                  .method = MethodOf(execution.executor),
                                  .measure = execution.measure});
    }
  }
  AnswersAtOnce answers = nncert::CallAtOnce(session_, std::move(sequenced), deadline);
  if (answers.lost.has_value()) return std::move(answers.lost);
  // What cannot go so goes call by call.
  if (!answers.is_made) return std::nullopt;
  violation_at_once_ = std::move(answers.violation);
  // One that broke the rules, or was too slow, will be so again, mostly, and asking twice takes
  // twice the time.
  if (answers.models.empty()) session_.SetMayCallAtOnce(false);
  for (size_t i = 0; i < answers.models.size(); ++i) {
    answered_.insert_or_assign(models[i]->model.get(), std::move(answers.models[i]));
  }
  return std::nullopt;
}

class AnswersAsDriver::Model : public CaseModel {
 public:
  explicit Model(AnswersAsDriver& driver) : driver_(driver) {}

  std::optional<Problem> Prepare(const std::shared_ptr<const hal::V1_2::Model>& /*model*/,
                                 Asking /*asking*/) override {
    const RecordedStep* const step = driver_.Next(RecordedStep::Kind::kPreparation);
    if (step == nullptr) return NoAnswer();
    is_fully_supported_ = step->is_fully_supported;
    return ProblemOf(step->problem);
  }

  bool is_fully_supported() const override { return is_fully_supported_; }

  ExecutionOutcome Execute(GuardedRequest& request, Executor /*executor*/,
                           MeasureTiming /*measure*/) override {
    ExecutionOutcome outcome;
    const RecordedStep* const step = driver_.Next(RecordedStep::Kind::kExecution);
    if (step == nullptr) {
      outcome.problem = NoAnswer();
      return outcome;
    }
    const RecordedExecution& execution = driver_.answers_.executions[step->execution];
    outcome.problem = ProblemOf(execution.problem);
    if (outcome.problem.has_value()) return outcome;
    outcome.status = execution.status;
    outcome.outputShapes = execution.shapes;
    constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();
    outcome.timing = execution.timing.value_or(hal::V1_2::Timing{kNoTime, kNoTime});
    if (const std::string error = Fill(execution, request); !error.empty()) {
      driver_.Fail(error);
      outcome.problem = NoAnswer();
    }
    return outcome;
  }

  std::optional<Problem> Release() override {
    const RecordedStep* const step = driver_.Next(RecordedStep::Kind::kRelease);
    return step == nullptr ? NoAnswer() : ProblemOf(step->problem);
  }

 private:
  static std::optional<Problem> NoAnswer() {
    return Problem{Verdict::MISSING, "there is no such answer"};
  }

  // Puts outputs where they were. What is wrong with them, or nothing.
  std::string Fill(const RecordedExecution& execution, GuardedRequest& request) const {
    const size_t outputs = request.request().outputs.size();
    if (execution.outputs.size() != outputs) {
      return absl::StrCat("an execution has ", execution.outputs.size(), " outputs; expected ",
                          outputs);
    }
    for (size_t i = 0; i < outputs; ++i) {
      if (!execution.outputs[i].has_value()) continue;
      const std::vector<uint8_t>& bytes = driver_.answers_.buffers[*execution.outputs[i]];
      const size_t size = request.output(i).size();
      if (bytes.size() != size) {
        return absl::StrCat("output ", i, " of an execution has ", bytes.size(),
                            " bytes; expected ", size);
      }
      request.WriteOutput(i, bytes);
    }
    if (!execution.memory.empty()) request.SetMemoryError(execution.memory);
    return "";
  }

  AnswersAsDriver& driver_;
  bool is_fully_supported_ = false;
};

std::unique_ptr<CaseModel> AnswersAsDriver::NewModel(absl::Duration /*deadline*/) {
  return std::make_unique<Model>(*this);
}

const RecordedStep* AnswersAsDriver::Next(RecordedStep::Kind kind) {
  if (next_ >= answers_.steps.size()) {
    Fail(absl::StrCat("there are ", answers_.steps.size(), " answers, and the case asks for more"));
    return nullptr;
  }
  const RecordedStep& step = answers_.steps[next_];
  if (step.kind != kind) {
    Fail(absl::StrCat("answer ", next_ + 1, " is not to what the case asks"));
    return nullptr;
  }
  ++next_;
  return &step;
}

void AnswersAsDriver::Fail(const std::string& what) {
  if (error_.empty()) error_ = what;
}

absl::Status AnswersAsDriver::Check() const {
  if (!error_.empty()) return absl::InvalidArgumentError(error_);
  if (next_ == answers_.steps.size()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("there are ", answers_.steps.size(), " answers, and the case asks for ", next_));
}

}  // namespace nncert
