// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/network_draft.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "mlts/tflite/tensor_values.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

// Weights become four times as large when they are dequantized, and some are wanted twice; anything
// beyond is a file in which thousands of tensors share a buffer.
constexpr uint64_t kMostBytesForByte = 16;
constexpr uint64_t kMostBytesAtLeast = uint64_t{1} << 20;
// Offsets of constants have 32 bits.
constexpr uint64_t kMostBytes = uint64_t{3} << 30;

uint64_t MostConstantBytes(const TfliteFile& file) {
  return std::min(file.size() * kMostBytesForByte + kMostBytesAtLeast, kMostBytes);
}

absl::Status WithTensor(const TfliteFile& file, int32_t tensor, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(DescribeTensor(file, tensor), ": ", status.message()));
}

}  // namespace

std::string DescribeTensor(const TfliteFile& file, int32_t tensor) {
  const std::string& name = file.tensors()[tensor].name;
  return name.empty() ? absl::StrCat("tensor ", tensor)
                      : absl::StrCat("tensor ", tensor, " ('", name, "')");
}

NetworkDraft::NetworkDraft(const TfliteFile& file)
    : file_(file),
      model_(MostConstantBytes(file)),
      is_given_up_(file.tensors().size()),
      is_input_(file.tensors().size()),
      is_output_(file.tensors().size()) {
  for (const int32_t input : file.inputs()) is_input_[input] = true;
  for (const TfliteOperator& op : file.operators()) {
    for (const int32_t output : op.outputs) is_output_[output] = true;
  }
}

absl::Status NetworkDraft::AddInputs() {
  for (const int32_t input : file_.inputs()) {
    const TfliteTensor& tensor = file_.tensors()[input];
    absl::StatusOr<OperandSpec> spec = SpecOf(tensor);
    if (spec.ok() && tensor.is_constant) {
      spec = absl::InvalidArgumentError("it is an input of the network, and a constant");
    }
    if (spec.ok() && spec->dimensions.empty()) {
      spec = absl::InvalidArgumentError(
          "it is an input of the network, and the file does not say its dimensions");
    }
    if (!spec.ok()) return WithTensor(file_, input, spec.status());
    inputs_.push_back(model_.Tensor(*spec));
    operands_[input] = inputs_.back();
  }
  return absl::OkStatus();
}

absl::StatusOr<uint32_t> NetworkDraft::ConstantOf(const TfliteTensor& tensor) {
  const absl::StatusOr<OperandSpec> spec = SpecOf(tensor);
  if (!spec.ok()) return spec.status();
  absl::StatusOr<std::vector<uint8_t>> bytes = ElementsOf(tensor);
  if (!bytes.ok()) return bytes.status();
  return model_.Constant(*spec, *std::move(bytes));
}

absl::StatusOr<uint32_t> NetworkDraft::OperandOf(int32_t index) {
  const auto found = operands_.find(index);
  if (found != operands_.end()) return found->second;
  const TfliteTensor& tensor = file_.tensors()[index];
  absl::StatusOr<uint32_t> operand =
      absl::InvalidArgumentError("it is read before any operator has written it");
  if (tensor.is_constant) {
    operand = ConstantOf(tensor);
  } else if (is_given_up_[index]) {
    const absl::StatusOr<OperandSpec> spec = SpecOf(tensor);
    if (!spec.ok() || spec->dimensions.empty()) {
      return absl::UnavailableError("nothing is known of what an operator before it gives");
    }
    operand = model_.Tensor(*spec);
  } else if (IsVariable(index)) {
    operand = absl::InvalidArgumentError(
        "it is a variable; the HAL carries none but the states of recurrent operators");
  }
  if (!operand.ok()) return WithTensor(file_, index, operand.status());
  operands_[index] = *operand;
  return operand;
}

absl::Status NetworkDraft::SetOperand(int32_t tensor, uint32_t operand) {
  if (file_.tensors()[tensor].is_constant) {
    return WithTensor(file_, tensor,
                      absl::InvalidArgumentError("it is written, but has a constant value"));
  }
  if (!operands_.emplace(tensor, operand).second) {
    return WithTensor(file_, tensor,
                      absl::InvalidArgumentError("it is written, but has a value already"));
  }
  return absl::OkStatus();
}

void NetworkDraft::GiveUp(int32_t tensor) { is_given_up_[tensor] = true; }

bool NetworkDraft::IsVariable(int32_t tensor) const {
  if (is_input_[tensor]) return false;
  const TfliteTensor& stated = file_.tensors()[tensor];
  return stated.is_variable || !(stated.is_constant || is_output_[tensor]);
}

absl::StatusOr<uint32_t> NetworkDraft::StateOf(int32_t index) {
  const auto found = states_.find(index);
  if (found != states_.end()) return found->second.last;
  // One that the network takes as an input is there already.
  if (operands_.contains(index) || !IsVariable(index)) return OperandOf(index);
  absl::StatusOr<OperandSpec> spec = SpecOf(file_.tensors()[index]);
  if (spec.ok() && spec->dimensions.empty()) {
    spec = absl::InvalidArgumentError("it is a state, and the file does not say its dimensions");
  }
  if (!spec.ok()) return WithTensor(file_, index, spec.status());
  const uint32_t operand = model_.Tensor(*spec);
  states_[index] = {operand, operand};
  state_order_.push_back(index);
  return operand;
}

void NetworkDraft::SetState(int32_t tensor, uint32_t operand) {
  const auto found = states_.find(tensor);
  if (found != states_.end()) {
    found->second.last = operand;
  } else {
    AddUnused(operand, file_.tensors()[tensor].name);
  }
}

void NetworkDraft::AddUnused(uint32_t operand, std::string_view name) {
  unused_.push_back({operand, std::string(name)});
}

absl::StatusOr<Network> NetworkDraft::Finish(std::string_view name) {
  Network network;
  network.name = std::string(name);
  if (file_.outputs().empty()) return absl::InvalidArgumentError("it has no outputs");
  std::vector<uint32_t> outputs;
  std::set<uint32_t> taken;
  for (const int32_t output : file_.outputs()) {
    absl::StatusOr<uint32_t> operand = OperandOf(output);
    if (operand.ok()) operand = model_.AsOutput(*operand, taken);
    if (!operand.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("an output of the network: ", operand.status().message()));
    }
    outputs.push_back(*operand);
    network.outputNames.push_back(file_.tensors()[output].name);
  }
  for (const int32_t input : file_.inputs()) {
    network.inputNames.push_back(file_.tensors()[input].name);
  }
  for (const int32_t tensor : state_order_) {
    const State& state = states_.at(tensor);
    const absl::StatusOr<uint32_t> operand = model_.AsOutput(state.last, taken);
    if (!operand.ok()) return operand.status();
    network.states.push_back(
        {static_cast<uint32_t>(inputs_.size()), static_cast<uint32_t>(outputs.size())});
    inputs_.push_back(state.first);
    outputs.push_back(*operand);
    network.inputNames.push_back(file_.tensors()[tensor].name);
    network.outputNames.push_back(file_.tensors()[tensor].name);
  }
  for (const Unused& unused : unused_) {
    network.unusedOutputs.push_back(static_cast<uint32_t>(outputs.size()));
    outputs.push_back(unused.operand);
    network.outputNames.push_back(unused.name);
  }
  absl::StatusOr<hal::V1_2::Model> model = model_.Finish(inputs_, std::move(outputs));
  if (!model.ok()) return model.status();
  network.model = *std::move(model);
  if (absl::Status status = ValidateModel(network.model); !status.ok()) return status;
  return network;
}

}  // namespace nncert
