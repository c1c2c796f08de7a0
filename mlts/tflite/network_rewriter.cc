// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/network_rewriter.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "reference/catalogue.h"

namespace nncert {

using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;

uint32_t NetworkRewriter::SourceOperation::OperandOf(int slot) const {
  const auto found = std::find(slots.begin(), slots.end(), slot);
  return operation.inputs[found - slots.begin()];
}

OperandSpec NetworkRewriter::SourceSpec(uint32_t operand) const {
  const Operand& source = SourceOperand(operand);
  return {source.type, source.dimensions, source.scale, source.zeroPoint, source.extraParams};
}

OperandSpec NetworkRewriter::SpecFor(uint32_t operand) const { return SourceSpec(operand); }

absl::Span<const uint8_t> NetworkRewriter::SourceBytes(uint32_t operand) const {
  return {reinterpret_cast<const uint8_t*>(source_operands_.constants[operand]),
          SourceOperand(operand).location.length};
}

bool NetworkRewriter::IsConstant(uint32_t operand) const {
  return hal::isConstant(SourceOperand(operand).lifetime);
}

absl::StatusOr<uint32_t> NetworkRewriter::Copied(uint32_t operand) {
  const auto found = operands_.find(operand);
  if (found != operands_.end()) return found->second;
  const absl::Span<const uint8_t> bytes = SourceBytes(operand);
  absl::StatusOr<uint32_t> copy =
      model_.Constant(SourceSpec(operand), {bytes.begin(), bytes.end()});
  if (copy.ok()) operands_[operand] = *copy;
  return copy;
}

absl::StatusOr<uint32_t> NetworkRewriter::ConstantFor(const SourceOperation& operation,
                                                      size_t input) {
  return Copied(operation.operation.inputs[input]);
}

absl::StatusOr<uint32_t> NetworkRewriter::InputFor(const SourceOperation& operation, size_t input) {
  const uint32_t operand = operation.operation.inputs[input];
  if (SourceOperand(operand).lifetime == OperandLifeTime::NO_VALUE) {
    return model_.Omitted(SpecFor(operand).type);
  }
  return IsConstant(operand) ? ConstantFor(operation, input) : operands_.at(operand);
}

absl::Status NetworkRewriter::Replace(const SourceOperation& operation) {
  std::vector<uint32_t> inputs;
  for (size_t i = 0; i < operation.operation.inputs.size(); ++i) {
    const absl::StatusOr<uint32_t> input = InputFor(operation, i);
    if (!input.ok()) return input.status();
    inputs.push_back(*input);
  }
  std::vector<OperandSpec> specs;
  for (const uint32_t output : operation.operation.outputs) specs.push_back(SpecFor(output));
  const absl::StatusOr<std::vector<uint32_t>> outputs =
      model_.Operation(operation.operation.type, inputs, specs);
  if (!outputs.ok()) return outputs.status();
  for (size_t i = 0; i < specs.size(); ++i) {
    SetOperand(operation.operation.outputs[i], (*outputs)[i]);
  }
  return absl::OkStatus();
}

absl::Status NetworkRewriter::RewriteOperations() {
  const hal::V1_2::Model& model = source_.model;
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const absl::StatusOr<SlotBindings> bindings = ValidateOperation(
        model, i, HalVersion::V1_2, source_operands_.infos, source_operands_.constants);
    if (!bindings.ok()) return bindings.status();
    SourceOperation operation = {model.operations[i], *FindOperation(model.operations[i].type),
                                 std::vector<int>(model.operations[i].inputs.size())};
    for (size_t slot = 0; slot < bindings->size(); ++slot) {
      const SlotBinding& binding = (*bindings)[slot];
      for (int k = 0; k < binding.count; ++k) {
        operation.slots[binding.first + k] = static_cast<int>(slot);
      }
    }
    if (absl::Status status = Replace(operation); !status.ok()) {
      return absl::Status(status.code(), absl::StrCat("operation ", i, ": ", status.message()));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Network> NetworkRewriter::Finish() {
  Network network;
  network.name = source_.name;
  network.inputNames = source_.inputNames;
  network.outputNames = source_.outputNames;
  network.states = source_.states;
  network.unusedOutputs = source_.unusedOutputs;
  std::vector<uint32_t> inputs;
  for (const uint32_t input : source_.model.inputIndexes) inputs.push_back(operands_.at(input));
  std::vector<uint32_t> outputs;
  std::set<uint32_t> taken;
  for (const uint32_t output : source_.model.outputIndexes) {
    const absl::StatusOr<uint32_t> operand = model_.AsOutput(operands_.at(output), taken);
    if (!operand.ok()) return operand.status();
    outputs.push_back(*operand);
  }
  absl::StatusOr<hal::V1_2::Model> model = model_.Finish(std::move(inputs), std::move(outputs));
  if (!model.ok()) return model.status();
  network.model = *std::move(model);
  network.model.relaxComputationFloat32toFloat16 = source_.model.relaxComputationFloat32toFloat16;
  if (absl::Status status = ValidateModel(network.model); !status.ok()) return status;
  return network;
}

absl::StatusOr<Network> NetworkRewriter::Rewrite() {
  if (absl::Status status = ValidateModel(source_.model); !status.ok()) return status;
  absl::StatusOr<ModelOperands> operands = OperandsOf(source_.model);
  if (!operands.ok()) return operands.status();
  source_operands_ = *std::move(operands);
  for (const uint32_t input : source_.model.inputIndexes) {
    SetOperand(input, model_.Tensor(SpecFor(input)));
  }
  if (absl::Status status = RewriteOperations(); !status.ok()) return status;
  return Finish();
}

}  // namespace nncert
