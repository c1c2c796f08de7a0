// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/testing/run_network.h"

#include <cmath>
#include <cstddef>
#include <memory>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "mlts/tflite/importer.h"
#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"
#include "reference/model_builder.h"
#include "reference/tensor.h"

namespace nncert {

using hal::V1_2::Operand;

absl::StatusOr<std::vector<RealNumbers>> RunNetwork(const Network& network,
                                                    const std::vector<RealNumbers>& inputs) {
  const absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
      PreparedGraph::Create(network.model);
  if (!graph.ok()) return graph.status();
  std::vector<std::vector<uint8_t>> bytes;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Operand& operand = InputOperandOf(network, i);
    RealNumbers elements = inputs[i];
    for (double& element : elements) {
      if (IsQuantized(operand.type)) {
        element = std::round(element / operand.scale) + operand.zeroPoint;
      }
    }
    bytes.push_back(BytesOf(operand.type, elements));
  }
  std::vector<InputArgument> arguments(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    arguments[i].SetElements(bytes[i]);
  }
  const absl::StatusOr<std::vector<OutputValue>> values =
      (*graph)->Execute(NumberSystem::kFloat, arguments);
  if (!values.ok()) return values.status();
  std::vector<RealNumbers> outputs;
  for (const OutputValue& value : *values) {
    RealNumbers& numbers = outputs.emplace_back(NumbersOf(value.info.type, value.bytes()));
    for (double& number : numbers) {
      if (IsQuantized(value.info.type)) {
        number = (number - value.info.zeroPoint) * value.info.scale;
      }
    }
  }
  return outputs;
}

Network ImportOrFail(const std::vector<uint8_t>& file) {
  absl::StatusOr<Network> network = ImportTflite(file, "network");
  EXPECT_TRUE(network.ok()) << network.status();
  if (!network.ok()) return {};
  const absl::Status status = ValidateModel(network->model);
  EXPECT_TRUE(status.ok()) << status;
  return *std::move(network);
}

std::vector<RealNumbers> ImportAndRun(const std::vector<uint8_t>& file,
                                      const std::vector<RealNumbers>& inputs) {
  const Network network = ImportOrFail(file);
  if (network.model.operations.empty()) return {};
  absl::StatusOr<std::vector<RealNumbers>> outputs = RunNetwork(network, inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  return outputs.ok() ? *std::move(outputs) : std::vector<RealNumbers>();
}

std::vector<hal::V1_2::OperationType> OperationsOf(const Network& network) {
  std::vector<hal::V1_2::OperationType> types;
  for (const auto& operation : network.model.operations) types.push_back(operation.type);
  return types;
}

const Operand& OutputOperandOf(const Network& network, size_t position) {
  return network.model.operands[network.model.outputIndexes[position]];
}

const Operand& InputOperandOf(const Network& network, size_t position) {
  return network.model.operands[network.model.inputIndexes[position]];
}

}  // namespace nncert
