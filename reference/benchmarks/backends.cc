// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/benchmarks/backends.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "reference/benchmarks/network.h"
#include "reference/model_builder.h"
#include "reference/tensor.h"

namespace nncert::benchmarks {

using hal::V1_2::Model;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

std::vector<std::vector<uint8_t>> RandomInputs(const Model& model) {
  std::vector<std::vector<uint8_t>> inputs;
  for (const uint32_t index : model.inputIndexes) {
    const hal::V1_2::Operand& operand = model.operands[index];
    inputs.push_back(BytesOf(operand.type, RandomNumbers(NumberOfElements(operand.dimensions),
                                                         IsQuantized(operand.type), index)));
  }
  return inputs;
}

absl::Status Prepared::PlaceArguments(const Model& model, GraphUse use) {
  const std::vector<std::vector<uint8_t>> inputs = RandomInputs(model);
  std::vector<size_t> sizes;
  for (const std::vector<uint8_t>& bytes : inputs) sizes.push_back(bytes.size());
  // Room for the elements of every number system that the graph is executed in.
  const NumberSystem largest =
      use == GraphUse::kFloatAlone ? NumberSystem::kFloat : NumberSystem::kBall;
  for (const uint32_t index : model.outputIndexes) {
    const hal::V1_2::Operand& operand = model.operands[index];
    const size_t count = NumberOfElements(operand.dimensions);
    sizes.push_back(count * ElementSize(largest, operand.type));
    output_sizes_.push_back(count * ElementSize(NumberSystem::kFloat, operand.type));
  }
  // A page for each argument, whose first byte is at a place of its own in that page.
  constexpr size_t kPage = 4096;
  constexpr size_t kStep = kPage / 4 + kBufferAlignment;
  size_t end = kPage;  // for what lies before the first page
  std::vector<size_t> offsets;
  for (size_t i = 0; i < sizes.size(); ++i) {
    offsets.push_back((end + kPage - 1) / kPage * kPage + i * kStep % kPage);
    end = offsets.back() + sizes[i];
  }
  if (!memory_.Reserve(end)) return absl::ResourceExhaustedError("no memory for the arguments");
  std::byte* const pages = memory_.data() - reinterpret_cast<uintptr_t>(memory_.data()) % kPage;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::byte* const first = pages + offsets[i];
    std::copy(inputs[i].begin(), inputs[i].end(), reinterpret_cast<uint8_t*>(first));
    inputs_.emplace_back(reinterpret_cast<const uint8_t*>(first), sizes[i]);
    arguments_.emplace_back().elements = absl::MakeConstSpan(first, sizes[i]);
  }
  for (size_t i = inputs.size(); i < sizes.size(); ++i) {
    outputs_.emplace_back(pages + offsets[i], sizes[i]);
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Prepared>> Prepared::Create(Model model, GraphUse use) {
  std::unique_ptr<Prepared> prepared(new Prepared());
  if (absl::Status status = prepared->PlaceArguments(model, use); !status.ok()) return status;
  absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
      PreparedGraph::Create(std::move(model), HalVersion::V1_2, use);
  if (!graph.ok()) return graph.status();
  prepared->graph_ = *std::move(graph);
  return prepared;
}

absl::Status Prepared::Run(NumberSystem system, ThreadPool* pool) {
  return graph_->Execute(system, arguments_, outputs_, {.thread_pool = pool}).status();
}

absl::Span<const uint8_t> Prepared::output() const {
  return absl::MakeConstSpan(reinterpret_cast<const uint8_t*>(outputs_[0].data()),
                             output_sizes_[0]);
}

Model LstmModel() {
  constexpr uint32_t kInputs = 40;
  constexpr uint32_t kUnits = 1024;
  constexpr uint32_t kOutputs = 512;
  constexpr OperandType kType = OperandType::TENSOR_FLOAT32;
  ModelBuilder builder;
  uint32_t seed = 0;
  const auto constant = [&](std::vector<uint32_t> dimensions) {
    std::vector<double> values = RandomNumbers(NumberOfElements(dimensions), false, ++seed);
    for (double& value : values) value *= 0x1p-5;
    return builder.Constant({kType, std::move(dimensions)}, values);
  };
  const auto omitted = [&] { return builder.Omitted({kType, {0}}); };
  const uint32_t input = builder.Input({kType, {1, kInputs}});
  const uint32_t output_state = builder.Input({kType, {1, kOutputs}});
  const uint32_t cell_state = builder.Input({kType, {1, kUnits}});
  std::vector<uint32_t> operands = {input};
  for (int gate = 0; gate < 4; ++gate) operands.push_back(constant({kUnits, kInputs}));
  for (int gate = 0; gate < 4; ++gate) operands.push_back(constant({kUnits, kOutputs}));
  for (int peephole = 0; peephole < 3; ++peephole) operands.push_back(omitted());
  for (int gate = 0; gate < 4; ++gate) operands.push_back(constant({kUnits}));
  operands.push_back(constant({kOutputs, kUnits}));
  operands.push_back(omitted());
  operands.push_back(output_state);
  operands.push_back(cell_state);
  operands.push_back(builder.Int32(4));  // tanh
  operands.push_back(builder.Float32(0));
  operands.push_back(builder.Float32(0));
  const std::vector<uint32_t> outputs = {
      builder.Output({kType, {1, 4 * kUnits}}), builder.Output({kType, {1, kOutputs}}),
      builder.Output({kType, {1, kUnits}}), builder.Output({kType, {1, kOutputs}})};
  builder.Operation(OperationType::LSTM, operands, outputs);
  return builder.model();
}

Model FiveOperationsModel() {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2, 3}};
  const OperandSpec turned = {OperandType::TENSOR_FLOAT32, {3, 2}};
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Temporary(spec);
  const uint32_t product = builder.Temporary(spec);
  const uint32_t limited = builder.Temporary(spec);
  const uint32_t reshaped = builder.Temporary(turned);
  const uint32_t output = builder.Output(turned);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::MUL, {sum, a, none}, {product});
  builder.Operation(OperationType::RELU6, {product}, {limited});
  builder.Operation(OperationType::RESHAPE, {limited, builder.Int32Vector({3, 2})}, {reshaped});
  builder.Operation(OperationType::SOFTMAX, {reshaped, builder.Float32(1)}, {output});
  return builder.model();
}

}  // namespace nncert::benchmarks
