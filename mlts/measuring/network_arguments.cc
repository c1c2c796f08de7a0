// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/network_arguments.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "reference/model_builder.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;

absl::StatusOr<std::vector<size_t>> SizesOf(const Model& model, const std::vector<uint32_t>& places,
                                            const char* what) {
  std::vector<size_t> sizes;
  for (size_t i = 0; i < places.size(); ++i) {
    const Operand& operand = model.operands[places[i]];
    const std::optional<uint32_t> size =
        ByteSizeOf({operand.type, operand.dimensions, operand.scale, operand.zeroPoint});
    if (!size.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the size of ", what, " ", i, " of the network is not known"));
    }
    sizes.push_back(*size);
  }
  return sizes;
}

}  // namespace

absl::StatusOr<NetworkArguments> NetworkArguments::Of(const Network& network) {
  // Both check the network's indexes.
  if (auto formats = InputFormatsOf(network); !formats.ok()) return formats.status();
  absl::StatusOr<std::vector<TensorFormat>> users = OutputFormatsOf(network);
  if (!users.ok()) return users.status();
  const Model& model = network.model;
  absl::StatusOr<std::vector<size_t>> inputs = SizesOf(model, model.inputIndexes, "input");
  if (!inputs.ok()) return inputs.status();
  absl::StatusOr<std::vector<size_t>> outputs = SizesOf(model, model.outputIndexes, "output");
  if (!outputs.ok()) return outputs.status();
  NetworkArguments arguments;
  arguments.model_ = std::make_shared<const Model>(model);
  arguments.states_ = network.states;
  arguments.users_outputs_ = *std::move(users);
  arguments.input_sizes_ = *std::move(inputs);
  arguments.output_sizes_ = *std::move(outputs);
  arguments.is_state_input_.resize(model.inputIndexes.size(), false);
  arguments.is_users_output_.resize(model.outputIndexes.size(), true);
  arguments.is_read_.resize(model.outputIndexes.size(), true);
  for (const NetworkState& state : network.states) {
    arguments.is_state_input_[state.input] = true;
    arguments.is_users_output_[state.output] = false;
  }
  for (const uint32_t output : network.unusedOutputs) {
    arguments.is_users_output_[output] = false;
    arguments.is_read_[output] = false;
  }
  return arguments;
}

std::vector<TensorBytes> NetworkArguments::InitialStates() const {
  std::vector<TensorBytes> states;
  for (const NetworkState& state : states_) {
    const Operand& operand = model_->operands[model_->inputIndexes[state.input]];
    states.push_back(BytesOf(operand.type, std::vector<double>(NumberOfElements(operand.dimensions),
                                                               operand.zeroPoint)));
  }
  return states;
}

absl::StatusOr<std::vector<TensorBytes>> NetworkArguments::Inputs(
    const std::vector<TensorBytes>& users, const std::vector<TensorBytes>& states) const {
  std::vector<TensorBytes> inputs(input_sizes_.size());
  for (size_t i = 0; i < states_.size() && i < states.size(); ++i) {
    inputs[states_[i].input] = states[i];
  }
  auto user = users.begin();
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!is_state_input_[i]) {
      if (user == users.end()) break;
      inputs[i] = *user++;
    }
    if (inputs[i].size() != input_sizes_[i]) {
      return absl::InvalidArgumentError(absl::StrCat(
          "input ", i, " has ", inputs[i].size(), " bytes; the network takes ", input_sizes_[i]));
    }
  }
  const auto wanted = std::count(is_state_input_.begin(), is_state_input_.end(), false);
  if (static_cast<std::ptrdiff_t>(users.size()) != wanted) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", users.size(), " inputs; the network takes ", wanted));
  }
  return inputs;
}

std::vector<TensorBytes> NetworkArguments::States(const std::vector<TensorBytes>& outputs) const {
  std::vector<TensorBytes> states;
  for (const NetworkState& state : states_) states.push_back(outputs[state.output]);
  return states;
}

std::vector<TensorBytes> NetworkArguments::UsersOutputs(
    const std::vector<TensorBytes>& outputs) const {
  std::vector<TensorBytes> users;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (is_users_output_[i]) users.push_back(outputs[i]);
  }
  return users;
}

Example NetworkArguments::ExampleOf(const Inference& inference) const {
  Example example;
  for (size_t i = 0; i < inference.inputs.size(); ++i) {
    example.inputs.push_back({.hasNoValue = false,
                              .dimensions = model_->operands[model_->inputIndexes[i]].dimensions,
                              .data = inference.inputs[i]});
  }
  for (size_t i = 0; i < output_sizes_.size(); ++i) {
    example.outputs.push_back(
        {.ignored = !is_read_[i],
         .dimensions = model_->operands[model_->outputIndexes[i]].dimensions,
         .data = inference.outputs.empty() ? TensorBytes(output_sizes_[i]) : inference.outputs[i]});
  }
  return example;
}

}  // namespace nncert
