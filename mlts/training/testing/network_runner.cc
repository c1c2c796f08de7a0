// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/testing/network_runner.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/types/span.h"
#include "reference/model_builder.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

// The bytes of an element, as the executor keeps it in kFloat: in the HAL's layout.
TensorBytes BytesOf(const OutputValue& value) {
  return TensorBytes(value.bytes().begin(), value.bytes().end());
}

}  // namespace

NetworkRunner::NetworkRunner(Network network, std::shared_ptr<const PreparedGraph> graph)
    : network_(std::move(network)), graph_(std::move(graph)) {}

absl::StatusOr<NetworkRunner> NetworkRunner::Create(const Network& network,
                                                    hal::HalVersion version) {
  absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
      PreparedGraph::Create(network.model, version);
  if (!graph.ok()) return graph.status();
  return NetworkRunner(network, *std::move(graph));
}

absl::StatusOr<std::vector<std::vector<double>>> NetworkRunner::Run(
    const Sequence& sequence) const {
  const hal::V1_2::Model& model = network_.model;
  std::map<uint32_t, TensorBytes> states;  // by input
  for (const NetworkState& state : network_.states) {
    const hal::V1_2::Operand& operand = model.operands[model.inputIndexes[state.input]];
    const std::vector<double> start(NumberOfElements(operand.dimensions), operand.zeroPoint);
    states[state.input] = nncert::BytesOf(operand.type, start);
  }
  std::vector<std::vector<double>> results;
  for (const std::vector<TensorBytes>& inputs : sequence.inputs) {
    std::vector<InputArgument> arguments;
    auto input = inputs.begin();
    for (uint32_t i = 0; i < model.inputIndexes.size(); ++i) {
      const auto state = states.find(i);
      const TensorBytes& bytes = state != states.end() ? state->second : *input++;
      arguments.emplace_back().SetElements(bytes);
    }
    absl::StatusOr<std::vector<OutputValue>> outputs =
        graph_->Execute(NumberSystem::kFloat, arguments);
    if (!outputs.ok()) return outputs.status();
    for (const NetworkState& state : network_.states) {
      states[state.input] = BytesOf((*outputs)[state.output]);
    }
    results.push_back(NumbersOf(outputs->front().info.type, BytesOf(outputs->front())));
  }
  return results;
}

}  // namespace nncert
