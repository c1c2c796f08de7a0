// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/executor.h"

#include <new>
#include <stdexcept>
#include <utility>

#include "absl/status/status.h"
#include "reference/execution/graph_execution.h"

namespace nncert {
namespace {

// What `work` returns, or that there was not memory enough for it. This is where what kernels, the
// planner and their containers throw ends.
template <class Work>
auto WithinMemory(Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError("there is not memory enough");
  } catch (const std::length_error&) {
    // What a container says to a size that no memory has.
    return absl::ResourceExhaustedError("there is not memory enough");
  }
}

}  // namespace

absl::Span<const double> OutputValue::doubles() const {
  return {reinterpret_cast<const double*>(elements.data()), elements.size() / sizeof(double)};
}

absl::Span<const Ball> OutputValue::balls() const {
  return {reinterpret_cast<const Ball*>(elements.data()), elements.size() / sizeof(Ball)};
}

absl::StatusOr<std::shared_ptr<const PreparedGraph>> PreparedGraph::Create(hal::V1_2::Model model,
                                                                           HalVersion version,
                                                                           GraphUse use) {
  return CreateWith(std::move(model), version, Validation::kNeeded, use);
}

absl::StatusOr<std::shared_ptr<const PreparedGraph>> PreparedGraph::CreateValidated(
    hal::V1_2::Model model, HalVersion version, GraphUse use) {
  return CreateWith(std::move(model), version, Validation::kDone, use);
}

absl::StatusOr<std::shared_ptr<const PreparedGraph>> PreparedGraph::CreateWith(
    hal::V1_2::Model model, HalVersion version, Validation validation, GraphUse use) {
  return WithinMemory([&]() -> absl::StatusOr<std::shared_ptr<const PreparedGraph>> {
    absl::StatusOr<Graph> graph = MakeGraph(std::move(model), version, validation, use);
    if (!graph.ok()) return graph.status();
    return std::shared_ptr<const PreparedGraph>(new PreparedGraph(*std::move(graph)));
  });
}

PreparedGraph::PreparedGraph(Graph graph) : graph_(std::move(graph)) {}

PreparedGraph::~PreparedGraph() = default;

PreparedGraph::Executions& PreparedGraph::ExecutionsOf(NumberSystem system,
                                                       KernelChoice kernels) const {
  return executions_[static_cast<size_t>(kernels)][static_cast<size_t>(system)];
}

std::unique_ptr<GraphExecution> PreparedGraph::TakeExecution(NumberSystem system,
                                                             KernelChoice kernels) const {
  Executions& executions = ExecutionsOf(system, kernels);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!executions.idle.empty()) {
      std::unique_ptr<GraphExecution> execution = std::move(executions.idle.back());
      executions.idle.pop_back();
      return execution;
    }
    if (!executions.plan.has_value()) executions.plan = PlanGraphBuffers(graph_, system);
  }
  return std::make_unique<GraphExecution>(graph_, system, *executions.plan);
}

absl::StatusOr<std::vector<OutputValue>> PreparedGraph::Execute(
    NumberSystem system, absl::Span<const InputArgument> inputs,
    absl::Span<const OutputBuffer> outputs, const ExecutionOptions& options) const {
  if (graph_.use == GraphUse::kFloatAlone && system != NumberSystem::kFloat) {
    return absl::FailedPreconditionError("the graph is made for executions in kFloat alone");
  }
  if (graph_.use == GraphUse::kFloatAlone && options.kernels == KernelChoice::kDefinitions) {
    return absl::FailedPreconditionError(
        "the graph is made for fast kernels, which may have let go of its weights; expected one "
        "for GraphUse::kAll");
  }
  return WithinMemory([&] {
    // An execution that ran out of memory goes, and what it held with it.
    std::unique_ptr<GraphExecution> execution = TakeExecution(system, options.kernels);
    absl::StatusOr<std::vector<OutputValue>> results = execution->Run(inputs, outputs, options);
    const std::lock_guard<std::mutex> lock(mutex_);
    ExecutionsOf(system, options.kernels).idle.push_back(std::move(execution));
    return results;
  });
}

}  // namespace nncert
