// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/network_on_driver.h"

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "harness/isolation/guarded_request.h"
#include "reference/execution/model_validation.h"
#include "reference/tensor.h"

namespace nncert {

using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;

absl::Status StatusOfProblem(const Problem& problem) {
  switch (problem.verdict) {
    case Verdict::UNSUPPORTED:
      return absl::UnimplementedError(problem.text);
    case Verdict::TIMEOUT:
      return absl::DeadlineExceededError(problem.text);
    case Verdict::CRASH:
      return absl::UnavailableError(problem.text);
    case Verdict::MISSING:
      return absl::InternalError(problem.text);
    default:
      return absl::FailedPreconditionError(problem.text);
  }
}

absl::Status CheckVersion(const hal::V1_2::Model& model, hal::HalVersion version) {
  if (IsCompliantWith(model, version)) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("the network is no model of HAL ", std::string(toString(version))));
}

Executor PlainExecutor(hal::HalVersion version) {
  return version >= hal::HalVersion::V1_2 ? Executor::SYNC : Executor::ASYNC;
}

absl::StatusOr<std::unique_ptr<NetworkOnDriver>> NetworkOnDriver::Prepare(
    DriverSession& session, const NetworkArguments& arguments, absl::Duration deadline) {
  if (absl::Status status = CheckVersion(*arguments.model(), session.hal_version()); !status.ok()) {
    return status;
  }
  std::unique_ptr<NetworkOnDriver> network(new NetworkOnDriver(session, arguments, deadline));
  if (const std::optional<Problem> problem = network->on_driver_.Prepare(arguments.model())) {
    return StatusOfProblem(*problem);
  }
  return network;
}

absl::Status CheckOutcome(const hal::V1_2::Model& model, const ExecutionOutcome& outcome) {
  if (outcome.problem.has_value()) return StatusOfProblem(*outcome.problem);
  if (outcome.status != ErrorStatus::NONE) {
    return absl::FailedPreconditionError(
        absl::StrCat("an execution ended with ", toString(outcome.status), "; expected NONE"));
  }
  for (size_t i = 0; i < outcome.outputShapes.size() && i < model.outputIndexes.size(); ++i) {
    const std::vector<uint32_t>& dimensions = model.operands[model.outputIndexes[i]].dimensions;
    if (outcome.outputShapes[i].dimensions == dimensions) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "output ", i, " has the dimensions ", ShapeToString(outcome.outputShapes[i].dimensions),
        "; expected ", ShapeToString(dimensions)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TensorBytes>> NetworkOnDriver::Execute(
    const std::vector<TensorBytes>& inputs) {
  const hal::V1_2::Model& model = *arguments_.model();
  const hal::HalVersion version = session().hal_version();
  const absl::StatusOr<GuardedRequest> request = GuardedRequest::Create(
      model, arguments_.ExampleOf({inputs, {}}), OutputSpecification::FULLY_SPECIFIED, version,
      session().spare_pools());
  if (!request.ok()) return request.status();
  const ExecutionOutcome outcome =
      on_driver_.Execute(request->request(), PlainExecutor(version), MeasureTiming::NO);
  if (absl::Status status = CheckOutcome(model, outcome); !status.ok()) return status;
  if (absl::Status status = request->CheckMemory(); !status.ok()) {
    return absl::FailedPreconditionError(absl::StrCat("the driver ", status.message()));
  }
  std::vector<TensorBytes> outputs;
  for (size_t i = 0; i < model.outputIndexes.size(); ++i) {
    const absl::Span<const uint8_t> bytes = request->output(i);
    outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return outputs;
}

absl::StatusOr<SequenceOutputs> NetworkOnDriver::Run(const Sequence& sequence,
                                                     std::vector<Inference>* inferences) {
  const auto annotated = [&](const absl::Status& status) {
    return absl::Status(status.code(), absl::StrCat(sequence.name, ": ", status.message()));
  };
  SequenceOutputs all;
  std::vector<TensorBytes> states = arguments_.InitialStates();
  for (const std::vector<TensorBytes>& users : sequence.inputs) {
    absl::StatusOr<std::vector<TensorBytes>> inputs = arguments_.Inputs(users, states);
    if (!inputs.ok()) return annotated(inputs.status());
    absl::StatusOr<std::vector<TensorBytes>> outputs = Execute(*inputs);
    if (!outputs.ok()) return annotated(outputs.status());
    states = arguments_.States(*outputs);
    all.push_back(arguments_.UsersOutputs(*outputs));
    if (inferences != nullptr) {
      inferences->push_back({*std::move(inputs), *std::move(outputs)});
    }
  }
  return all;
}

absl::Status NetworkOnDriver::Release() {
  const std::optional<Problem> problem = on_driver_.Release();
  return problem.has_value() ? StatusOfProblem(*problem) : absl::OkStatus();
}

}  // namespace nncert
