// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/case_answers.h"

#include <algorithm>
#include <utility>

namespace nncert {
namespace {

// How much there may be of all else than outputs, which texts of problems are the most of.
constexpr size_t kMostSteps = 10'000;

// The place of a value, at the end where it is not there yet.
template <typename Value>
size_t PlaceOf(const std::vector<Value>& values, const Value& value) {
  return static_cast<size_t>(std::find(values.begin(), values.end(), value) - values.begin());
}

}  // namespace

void AnswersBuilder::Clear() {
  answers_ = CaseAnswers();
  bytes_ = 0;
  is_too_much_ = false;
}

void AnswersBuilder::Add(RecordedStep step) {
  is_too_much_ = is_too_much_ || answers_.steps.size() >= kMostSteps;
  if (is_too_much_) {
    answers_ = CaseAnswers();
    return;
  }
  answers_.steps.push_back(std::move(step));
}

void AnswersBuilder::AddPreparation(bool is_fully_supported,
                                    std::optional<RecordedProblem> problem) {
  RecordedStep step;
  step.is_fully_supported = is_fully_supported;
  step.problem = std::move(problem);
  Add(std::move(step));
}

void AnswersBuilder::AddRelease(std::optional<RecordedProblem> problem) {
  RecordedStep step;
  step.kind = RecordedStep::Kind::kRelease;
  step.problem = std::move(problem);
  Add(std::move(step));
}

uint32_t AnswersBuilder::AddBuffer(absl::Span<const uint8_t> bytes) {
  std::vector<std::vector<uint8_t>>& buffers = answers_.buffers;
  const auto found =
      std::find_if(buffers.begin(), buffers.end(), [&](const std::vector<uint8_t>& buffer) {
        return std::equal(buffer.begin(), buffer.end(), bytes.begin(), bytes.end());
      });
  const auto place = static_cast<uint32_t>(found - buffers.begin());
  if (found != buffers.end()) return place;
  bytes_ += bytes.size();
  is_too_much_ = is_too_much_ || bytes_ > kMostAnsweredBytes;
  if (!is_too_much_) buffers.emplace_back(bytes.begin(), bytes.end());
  return place;
}

void AnswersBuilder::AddExecution(RecordedExecution execution) {
  RecordedStep step;
  step.kind = RecordedStep::Kind::kExecution;
  const size_t place = PlaceOf(answers_.executions, execution);
  if (place == answers_.executions.size()) answers_.executions.push_back(std::move(execution));
  step.execution = static_cast<uint32_t>(place);
  Add(std::move(step));
}

bool HasExecutions(const CaseAnswers& answers) { return !answers.executions.empty(); }

}  // namespace nncert
