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

class LiveModel : public CaseModel {
 public:
  LiveModel(DriverSession& session, absl::Duration deadline, AnswersBuilder* answers)
      : model_(session, deadline), answers_(answers) {}

  std::optional<Problem> Prepare(const std::shared_ptr<const hal::V1_2::Model>& model,
                                 Asking asking) override {
    std::optional<Problem> problem = model_.Prepare(model, asking);
    if (answers_ != nullptr) {
      answers_->AddPreparation(model_.is_fully_supported(), Answered(problem));
    }
    return problem;
  }

  bool is_fully_supported() const override { return model_.is_fully_supported(); }

  ExecutionOutcome Execute(GuardedRequest& request, Executor executor,
                           MeasureTiming measure) override {
    ExecutionOutcome outcome = model_.Execute(request.request(), executor, measure);
    if (answers_ != nullptr) Keep(outcome, request, measure, *answers_);
    return outcome;
  }

  std::optional<Problem> Release() override {
    std::optional<Problem> problem = model_.Release();
    if (answers_ != nullptr) answers_->AddRelease(Answered(problem));
    return problem;
  }

 private:
  ModelOnDriver model_;
  AnswersBuilder* const answers_;
};

}  // namespace

std::unique_ptr<CaseModel> LiveCaseDriver::NewModel(absl::Duration deadline) {
  return std::make_unique<LiveModel>(session_, deadline, answers_);
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
