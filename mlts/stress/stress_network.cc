// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/stress_network.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "cases/test_case.h"
#include "harness/isolation/driver_calls.h"
#include "mlts/measuring/layers.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/measuring/timed_requests.h"
#include "mlts/network.h"

namespace nncert {
namespace {

using hal::V1_2::MeasureTiming;

// Of how many sequences, and of how many inferences of them, the answers are looked at.
constexpr size_t kMostSequences = 8;
constexpr size_t kMostInferences = 24;
// How many inputs are executed by turns.
constexpr size_t kInputs = 4;

absl::Status Annotated(const std::string& name, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(name, ": ", status.message()));
}

// The driver's answers to the first inputs of a data set.
absl::StatusOr<std::vector<Inference>> AnswersOf(const Benchmark& benchmark,
                                                 const NetworkArguments& arguments,
                                                 DriverSession& session, absl::Duration deadline) {
  const absl::StatusOr<std::unique_ptr<NetworkOnDriver>> network =
      NetworkOnDriver::Prepare(session, arguments, deadline);
  if (!network.ok()) return network.status();
  std::vector<Inference> inferences;
  absl::Status unreadable = absl::InvalidArgumentError("there are no data");
  for (size_t i = 0;
       i < std::min(benchmark.data->size(), kMostSequences) && inferences.size() < kMostInferences;
       ++i) {
    const absl::StatusOr<Sequence> sequence = benchmark.data->Read(i);
    if (!sequence.ok()) {
      unreadable = absl::InvalidArgumentError(sequence.status().message());
      continue;
    }
    if (const auto outputs = (*network)->Run(*sequence, &inferences); !outputs.ok()) {
      return outputs.status();
    }
  }
  if (absl::Status status = (*network)->Release(); !status.ok()) return status;
  if (inferences.empty()) return unreadable;
  return DistinctInferences(arguments, inferences, kInputs);
}

// Whether the reference gives the same answers, as far as the documented precision goes.
absl::StatusOr<bool> IsAsReference(const NetworkArguments& arguments,
                                   const std::vector<Inference>& inferences,
                                   DriverSession& reference, absl::Duration deadline) {
  const absl::StatusOr<std::unique_ptr<NetworkOnDriver>> network =
      NetworkOnDriver::Prepare(reference, arguments, deadline);
  if (!network.ok()) return network.status();
  for (const Inference& inference : inferences) {
    absl::StatusOr<std::vector<TensorBytes>> outputs = (*network)->Execute(inference.inputs);
    if (!outputs.ok()) return outputs.status();
    if (!AnswersAlike(arguments, {inference.inputs, *std::move(outputs)}, inference)) return false;
  }
  return true;
}

absl::Status CheckAnswers(const NetworkArguments& arguments,
                          const std::vector<Inference>& inferences, DriverSession& driver,
                          DriverSession& reference, absl::Duration deadline) {
  const absl::StatusOr<bool> is_right = IsAsReference(arguments, inferences, reference, deadline);
  if (!is_right.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("the reference: ", is_right.status().message()));
  }
  if (*is_right) return absl::OkStatus();
  for (const Inference& inference : inferences) {
    std::string why;
    const std::string operation =
        FirstDivergingOperation(arguments, driver, inference, deadline, why);
    if (!operation.empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat("wrong before any stress, first in operation ", operation, ": ", why));
    }
    if (!why.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("its answers cannot be judged: ", why));
    }
  }
  return absl::OkStatus();
}

TestCase CaseOf(const StressNetwork& network) {
  TestCase test_case;
  test_case.name = network.name;
  test_case.model = *network.arguments.model();
  for (const Inference& inference : network.inferences) {
    Example example = network.arguments.ExampleOf(inference);
    for (size_t i = 0; i < example.outputs.size(); ++i) {
      example.outputs[i].ignored = !network.arguments.IsRead(i);
    }
    test_case.examples.push_back(std::move(example));
  }
  return test_case;
}

absl::StatusOr<StressNetwork> NetworkOf(TestCase test_case) {
  if (test_case.examples.empty()) return absl::InvalidArgumentError("the case has no example");
  Network network;
  network.name = test_case.name;
  network.model = std::move(test_case.model);
  std::vector<Inference> inferences;
  for (Example& example : test_case.examples) {
    Inference& inference = inferences.emplace_back();
    for (InputValue& input : example.inputs) inference.inputs.push_back(std::move(input.data));
    for (ExpectedOutput& output : example.outputs) {
      inference.outputs.push_back(std::move(output.data));
    }
  }
  for (size_t i = 0; i < test_case.examples.front().outputs.size(); ++i) {
    if (test_case.examples.front().outputs[i].ignored) {
      network.unusedOutputs.push_back(static_cast<uint32_t>(i));
    }
  }
  absl::StatusOr<NetworkArguments> arguments = NetworkArguments::Of(network);
  if (!arguments.ok()) return arguments.status();
  return StressNetwork{test_case.name, *std::move(arguments), std::move(inferences)};
}

// The ways that a driver of this version knows, by turns.
Executor ExecutorOf(uint64_t execution, hal::HalVersion version) {
  constexpr std::array kAll = {Executor::SYNC, Executor::ASYNC, Executor::BURST};
  return version >= hal::HalVersion::V1_2 ? kAll[execution % kAll.size()] : Executor::ASYNC;
}

}  // namespace

absl::StatusOr<StressNetwork> ReadStressNetwork(const BenchmarkSource& source,
                                                DriverSession& driver, DriverSession& reference,
                                                absl::Duration deadline) {
  const absl::StatusOr<Benchmark> benchmark = source.load();
  if (!benchmark.ok()) {
    return Annotated(source.name, absl::InvalidArgumentError(benchmark.status().message()));
  }
  absl::StatusOr<NetworkArguments> arguments = NetworkArguments::Of(benchmark->network);
  if (!arguments.ok()) return Annotated(source.name, arguments.status());
  absl::StatusOr<std::vector<Inference>> inferences =
      AnswersOf(*benchmark, *arguments, driver, deadline);
  if (!inferences.ok()) return Annotated(source.name, inferences.status());
  if (absl::Status status = CheckAnswers(*arguments, *inferences, driver, reference, deadline);
      !status.ok()) {
    return Annotated(source.name, status);
  }
  return StressNetwork{source.name, *std::move(arguments), *std::move(inferences)};
}

absl::Status WriteStressNetworks(absl::Span<const StressNetwork> networks,
                                 const std::string& path) {
  std::vector<TestCase> cases;
  for (const StressNetwork& network : networks) cases.push_back(CaseOf(network));
  return WriteCaseFile(path, "nncert mlts stress", cases);
}

absl::StatusOr<std::vector<StressNetwork>> ReadStressNetworks(const std::string& path) {
  absl::StatusOr<std::vector<TestCase>> cases = ReadCaseFile(path);
  if (!cases.ok()) return cases.status();
  std::vector<StressNetwork> networks;
  for (TestCase& test_case : *cases) {
    absl::StatusOr<StressNetwork> network = NetworkOf(std::move(test_case));
    if (!network.ok()) return Annotated(path, network.status());
    networks.push_back(*std::move(network));
  }
  if (networks.empty()) return absl::InvalidArgumentError(absl::StrCat(path, ": it has no case"));
  return networks;
}

absl::Status LoadNetwork(DriverSession& session, const StressNetwork& network,
                         const LoadLimits& limits, LoadCount& count) {
  const absl::StatusOr<std::unique_ptr<NetworkOnDriver>> prepared =
      NetworkOnDriver::Prepare(session, network.arguments, limits.deadline);
  if (!prepared.ok()) return Annotated(network.name, prepared.status());
  ++count.loads;
  if (limits.executions > 0) {
    const absl::StatusOr<std::unique_ptr<TimedRequests>> requests =
        TimedRequests::Create(session, network.arguments, network.inferences);
    if (!requests.ok()) return Annotated(network.name, requests.status());
    for (uint64_t i = 0; i < limits.executions && (i == 0 || !limits.end.HasPassed()); ++i) {
      const absl::StatusOr<TimedExecution> execution =
          (*requests)->Execute((*prepared)->on_driver(), ExecutorOf(i, session.hal_version()),
                               nullptr, MeasureTiming::NO);
      if (!execution.ok()) return Annotated(network.name, execution.status());
      ++count.executions;
      if (const TimedAnswers& answers = (*requests)->answers(); answers.wrong > 0) {
        return Annotated(
            network.name,
            absl::FailedPreconditionError(absl::StrCat(
                "a wrong result, where the driver has given right ones before: ", answers.first)));
      }
    }
  }
  const absl::Status released = (*prepared)->Release();
  return released.ok() ? released : Annotated(network.name, released);
}

}  // namespace nncert
