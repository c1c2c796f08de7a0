// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "diagnosis/answer.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "cases/element_values.h"
#include "drivers/faulty/faulty_driver.h"
#include "hal/utils.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::Model;
using hal::V1_2::OperandType;

// How often each way is taken, so that what differs from one execution to the next shows.
constexpr int kRounds = 2;

bool IsSameNumber(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

OperandType TypeOfOutput(const Model& model, size_t output) {
  return model.operands[model.outputIndexes[output]].type;
}

// The elements that a buffer has of a value with these dimensions.
std::vector<double> ElementsOf(OperandType type, const std::vector<uint32_t>& dimensions,
                               absl::Span<const uint8_t> buffer) {
  const size_t size = hal::nonExtensionElementSize(type);
  const uint64_t count = std::min<uint64_t>(NumberOfElements(dimensions), buffer.size() / size);
  return DecodeElements(type, buffer.subspan(0, count * size));
}

bool HasExtensionTypes(const Model& model) {
  return std::any_of(model.operands.begin(), model.operands.end(),
                     [](const hal::V1_2::Operand& operand) { return IsOpaque(operand.type); }) ||
         !model.extensionNameToPrefix.empty();
}

AnsweredExecution ExecutionOf(const TestCase& test_case, const Example& example,
                              const ExecutionOutcome& outcome, const GuardedRequest& request,
                              bool reports_shapes) {
  AnsweredExecution execution;
  execution.status = outcome.status;
  if (outcome.status != ErrorStatus::NONE) return execution;
  for (size_t i = 0; i < example.outputs.size(); ++i) {
    AnsweredOutput& output = execution.outputs.emplace_back();
    output.dimensions = example.outputs[i].dimensions;
    if (reports_shapes) {
      output.has_dimensions = i < outcome.outputShapes.size();
      if (output.has_dimensions) {
        output.dimensions = outcome.outputShapes[i].dimensions;
        output.is_sufficient = outcome.outputShapes[i].isSufficient;
      }
    }
    output.values =
        ElementsOf(TypeOfOutput(test_case.model, i), output.dimensions, request.output(i));
  }
  return execution;
}

// One way where all are the same.
Answer Folded(Answer answer) {
  const size_t examples = answer.executions.size() / answer.ways;
  for (size_t example = 0; example < examples; ++example) {
    for (size_t way = 1; way < answer.ways; ++way) {
      if (!answer.Of(example, way).IsSame(answer.Of(example, 0))) return answer;
    }
  }
  Answer folded;
  for (size_t example = 0; example < examples; ++example) {
    folded.executions.push_back(answer.Of(example, 0));
  }
  return folded;
}

absl::Status NotAnswered(const Problem& problem) {
  return absl::FailedPreconditionError(absl::StrCat("the driver gives no answer: ", problem.text));
}

}  // namespace

bool AnsweredOutput::HasSameShape(const AnsweredOutput& other) const {
  return has_dimensions == other.has_dimensions && dimensions == other.dimensions &&
         is_sufficient == other.is_sufficient;
}

bool AnsweredOutput::IsSame(const AnsweredOutput& other) const {
  return HasSameShape(other) && std::equal(values.begin(), values.end(), other.values.begin(),
                                           other.values.end(), &IsSameNumber);
}

bool AnsweredExecution::IsSame(const AnsweredExecution& other) const {
  return status == other.status &&
         std::equal(outputs.begin(), outputs.end(), other.outputs.begin(), other.outputs.end(),
                    [](const AnsweredOutput& a, const AnsweredOutput& b) { return a.IsSame(b); });
}

bool Answer::IsSame(const Answer& other) const {
  return ways == other.ways &&
         std::equal(
             executions.begin(), executions.end(), other.executions.begin(), other.executions.end(),
             [](const AnsweredExecution& a, const AnsweredExecution& b) { return a.IsSame(b); });
}

absl::StatusOr<Answer> AnswerOfDriver(DriverSession& session, const TestCase& test_case,
                                      absl::Duration deadline) {
  if (HasExtensionTypes(test_case.model)) {
    return absl::UnimplementedError("the model has operands of an extension");
  }
  const bool is_1_2 = session.hal_version() >= hal::HalVersion::V1_2;
  std::vector<Executor> ways;
  for (int round = 0; round < kRounds; ++round) {
    ways.push_back(Executor::ASYNC);
    if (is_1_2) ways.insert(ways.end(), {Executor::SYNC, Executor::BURST});
  }
  ModelOnDriver on_driver(session, deadline);
  if (std::optional<Problem> problem =
          on_driver.Prepare(std::make_shared<const Model>(test_case.model))) {
    return NotAnswered(*problem);
  }
  Answer answer;
  answer.ways = ways.size();
  for (const Example& example : test_case.examples) {
    for (const Executor way : ways) {
      absl::StatusOr<GuardedRequest> request =
          GuardedRequest::Create(test_case.model, example, OutputSpecification::FULLY_SPECIFIED,
                                 session.hal_version(), session.spare_pools());
      if (!request.ok()) return request.status();
      const ExecutionOutcome outcome =
          on_driver.Execute(request->request(), way, hal::V1_2::MeasureTiming::NO);
      if (outcome.problem.has_value()) return NotAnswered(*outcome.problem);
      answer.executions.push_back(ExecutionOf(test_case, example, outcome, *request, is_1_2));
    }
  }
  if (std::optional<Problem> problem = on_driver.Release()) return NotAnswered(*problem);
  return Folded(std::move(answer));
}

absl::StatusOr<Answer> AnswerByRules(const TestCase& test_case, const faulty::Faults& faults) {
  if (HasExtensionTypes(test_case.model)) {
    return absl::UnimplementedError("the model has operands of an extension");
  }
  const absl::StatusOr<std::unique_ptr<faulty::RuleGraph>> graph =
      faulty::RuleGraph::Create(test_case.model, faults);
  if (!graph.ok()) return graph.status();
  Answer answer;
  for (const Example& example : test_case.examples) {
    std::vector<faulty::RuleGraph::Argument> arguments;
    for (const InputValue& input : example.inputs) {
      arguments.push_back({input.hasNoValue, input.dimensions, input.data});
    }
    const absl::StatusOr<std::vector<ValuedOperand>> values = (*graph)->Run(std::move(arguments));
    AnsweredExecution& execution = answer.executions.emplace_back();
    if (!values.ok()) {
      execution.status = ErrorStatus::GENERAL_FAILURE;
      continue;
    }
    for (const ValuedOperand& value : *values) {
      AnsweredOutput& output = execution.outputs.emplace_back();
      output.dimensions = value.operand.dimensions;
      output.values = ElementsOf(value.operand.type, value.operand.dimensions, value.bytes);
    }
  }
  return answer;
}

absl::StatusOr<Answer> AnswerOfFaultyDriver(const TestCase& test_case, const std::string& faults,
                                            absl::Duration deadline) {
  absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> device = faulty::MakeFaultyDriver(faults);
  if (!device.ok()) return device.status();
  const absl::StatusOr<std::unique_ptr<DriverSession>> session =
      DriverSession::FromDevice(*device, "faulty:" + faults, deadline);
  if (!session.ok()) return session.status();
  return AnswerOfDriver(**session, test_case, deadline);
}

}  // namespace nncert
