// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/timed_requests.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "mlts/measuring/network_on_driver.h"

namespace nncert {
namespace {

using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

// The documented criteria of a model's outputs.
std::vector<Criterion> CriteriaOf(const Model& model) {
  TestCase test_case;
  test_case.model = model;
  std::vector<Criterion> criteria;
  for (size_t i = 0; i < model.outputIndexes.size(); ++i) {
    criteria.push_back(CriterionFor(test_case, i));
  }
  return criteria;
}

// Whether the outputs that somebody reads are those of another inference, as far as the criteria
// can tell.
bool AnswersAlike(const NetworkArguments& arguments, const std::vector<Criterion>& criteria,
                  const Inference& one, const Inference& other) {
  const Model& model = *arguments.model();
  for (size_t i = 0; i < one.outputs.size(); ++i) {
    if (!arguments.IsRead(i)) continue;
    const absl::StatusOr<ElementComparison> comparison = CompareElements(
        model.operands[model.outputIndexes[i]].type, criteria[i], one.outputs[i], other.outputs[i]);
    if (!comparison.ok() || !comparison->mismatches.empty()) return false;
  }
  return true;
}

}  // namespace

std::vector<Inference> DistinctInferences(const NetworkArguments& arguments,
                                          const std::vector<Inference>& inferences, size_t most) {
  const std::vector<Criterion> criteria = CriteriaOf(*arguments.model());
  std::vector<Inference> distinct;
  for (const Inference& inference : inferences) {
    if (distinct.size() == most) break;
    const bool is_known =
        std::any_of(distinct.begin(), distinct.end(), [&](const Inference& other) {
          return AnswersAlike(arguments, criteria, inference, other);
        });
    if (!is_known) distinct.push_back(inference);
  }
  return distinct;
}

bool AnswersAlike(const NetworkArguments& arguments, const Inference& one, const Inference& other) {
  return AnswersAlike(arguments, CriteriaOf(*arguments.model()), one, other);
}

void TimedAnswers::Add(const TimedAnswers& others) {
  if (wrong == 0) first = others.first;
  executions += others.executions;
  wrong += others.wrong;
  previous += others.previous;
}

absl::StatusOr<std::unique_ptr<TimedRequests>> TimedRequests::Create(
    DriverSession& session, const NetworkArguments& arguments,
    const std::vector<Inference>& inferences) {
  const Model& model = *arguments.model();
  std::unique_ptr<TimedRequests> timed(new TimedRequests(arguments));
  timed->inferences_ = inferences;
  timed->criteria_ = CriteriaOf(model);
  for (const Inference& inference : inferences) {
    absl::StatusOr<GuardedRequest> request = GuardedRequest::Create(
        model, arguments.ExampleOf(inference), OutputSpecification::FULLY_SPECIFIED,
        session.hal_version(), session.spare_pools());
    if (!request.ok()) return request.status();
    timed->requests_.push_back(*std::move(request));
  }
  return timed;
}

absl::StatusOr<TimedExecution> TimedRequests::Execute(ModelOnDriver& model, Executor executor,
                                                      BurstOnDriver* burst, MeasureTiming measure) {
  const size_t index = next_;
  next_ = (next_ + 1) % requests_.size();
  GuardedRequest& request = requests_[index];
  request.Reset();
  const auto start = std::chrono::steady_clock::now();
  const ExecutionOutcome outcome = executor == Executor::BURST && burst != nullptr
                                       ? burst->Execute(request.request(), measure)
                                       : model.Execute(request.request(), executor, measure);
  const auto end = std::chrono::steady_clock::now();
  if (absl::Status status = CheckOutcome(*arguments_.model(), outcome); !status.ok()) return status;
  if (absl::Status status = request.CheckMemory(); !status.ok()) {
    return absl::FailedPreconditionError(absl::StrCat("the driver ", status.message()));
  }
  Compare(index);
  return TimedExecution{std::chrono::duration<double, std::micro>(end - start).count(),
                        outcome.timing};
}

bool TimedRequests::IsSame(const GuardedRequest& request, const Inference& inference) const {
  for (size_t i = 0; i < inference.outputs.size(); ++i) {
    if (!arguments_.IsRead(i)) continue;
    const absl::Span<const uint8_t> actual = request.output(i);
    if (std::memcmp(actual.data(), inference.outputs[i].data(), inference.outputs[i].size()) != 0) {
      return false;
    }
  }
  return true;
}

bool TimedRequests::IsClose(const GuardedRequest& request, const Inference& inference) const {
  Inference actual;
  for (size_t i = 0; i < inference.outputs.size(); ++i) {
    const absl::Span<const uint8_t> bytes = request.output(i);
    actual.outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return AnswersAlike(arguments_, criteria_, inference, actual);
}

void TimedRequests::Compare(size_t index) {
  ++answers_.executions;
  const std::optional<size_t> before = std::exchange(previous_, index);
  const GuardedRequest& request = requests_[index];
  if (IsSame(request, inferences_[index]) || IsClose(request, inferences_[index])) return;
  ++answers_.wrong;
  const bool is_previous =
      before.has_value() && *before != index && IsClose(request, inferences_[*before]);
  answers_.previous += is_previous ? 1 : 0;
  if (answers_.wrong == 1) {
    answers_.first = absl::StrCat("execution ", answers_.executions,
                                  is_previous ? " gave the result of the one before" : "");
  }
}

}  // namespace nncert
