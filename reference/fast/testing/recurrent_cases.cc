// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cases of FULLY_CONNECTED, and of recurrent operations for the functions that they call.

#include <limits>

#include "absl/strings/str_cat.h"
#include "reference/fast/testing/case_values.h"
#include "reference/fast/testing/fast_cases.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;

struct Layer {
  uint32_t batches;
  uint32_t depth;
  uint32_t units;
  bool is_constant = true;
  int32_t activation = 0;
  double input = 0;   // one that takes the place of what the input would hold, if it is not 0
  double weight = 0;  // the same of the weights
  double bias = 0;    // the same of the bias
};

FastCase FullyConnected(OperandType type, const Layer& layer) {
  ModelBuilder builder;
  const OperandSpec input = TensorOf(type, {layer.batches, layer.depth});
  const OperandSpec weights = TensorOf(type, {layer.units, layer.depth}, 0.011F, 131);
  OperandSpec bias = {type == kQuant8 ? kInt32 : type, {layer.units}};
  if (type == kQuant8) bias.scale = input.scale * weights.scale;
  const OperandSpec output = TensorOf(type, {layer.batches, layer.units},
                                      0.05F * std::sqrt(static_cast<float>(layer.depth)), 70);
  FastCase result = {
      absl::StrCat("fully_connected_", layer.batches, "_", layer.depth, "_", layer.units,
                   type == kFloat32   ? "_float32"
                   : type == kFloat16 ? "_float16"
                                      : "_quant8"),
      {},
      {ValuesFor(input, 1)}};
  std::vector<double> numbers = ValuesFor(weights, 2);
  if (layer.input != 0) result.inputs[0][result.inputs[0].size() / 2] = layer.input;
  if (layer.weight != 0) numbers[numbers.size() / 2] = layer.weight;
  std::vector<double> biases = ValuesFor(bias, 3);
  if (layer.bias != 0) biases[biases.size() / 2] = layer.bias;
  std::vector<uint32_t> inputs = {builder.Input(input)};
  if (layer.is_constant) {
    inputs.push_back(builder.Constant(weights, numbers));
    inputs.push_back(builder.Constant(bias, biases));
  } else {
    inputs.push_back(builder.Input(weights));
    inputs.push_back(builder.Input(bias));
    result.inputs.push_back(numbers);
    result.inputs.push_back(biases);
  }
  inputs.push_back(builder.Int32(layer.activation));
  builder.Operation(OperationType::FULLY_CONNECTED, inputs, {builder.Output(output)});
  result.model = builder.model();
  return result;
}

// Sums of all sizes: `rows` times `depth` weights for each of `units`.
FastCase Rnn(OperandType type, uint32_t batches, uint32_t depth, uint32_t units, bool is_constant) {
  ModelBuilder builder;
  const std::vector<OperandSpec> specs = {{type, {batches, depth}},
                                          {type, {units, depth}},
                                          {type, {units, units}},
                                          {type, {units}},
                                          {type, {batches, units}}};
  FastCase result = {absl::StrCat("rnn_", batches, "_", depth, "_", units), {}, {}};
  std::vector<uint32_t> inputs;
  for (size_t i = 0; i < specs.size(); ++i) {
    const std::vector<double> values = ValuesFor(specs[i], i);
    if (is_constant && i > 0 && i < 4) {
      inputs.push_back(builder.Constant(specs[i], values));
    } else {
      inputs.push_back(builder.Input(specs[i]));
      result.inputs.push_back(values);
    }
  }
  inputs.push_back(builder.Int32(2));
  const uint32_t state = builder.Output({type, {batches, units}});
  builder.Operation(OperationType::RNN, inputs, {state, builder.Output({type, {batches, units}})});
  result.model = builder.model();
  return result;
}

// A coupled cell without peepholes and projection.
FastCase Lstm(OperandType type, uint32_t batches, uint32_t depth, uint32_t units,
              int32_t activation) {
  ModelBuilder builder;
  const OperandSpec input_weights = {type, {units, depth}};
  const OperandSpec recurrent_weights = {type, {units, units}};
  const OperandSpec vector = {type, {units}};
  const OperandSpec state = {type, {batches, units}};
  uint64_t seed = 0;
  const auto constant = [&](const OperandSpec& spec) {
    return builder.Constant(spec, ValuesFor(spec, ++seed));
  };
  FastCase result = {
      absl::StrCat("lstm_", batches, "_", depth, "_", units),
      {},
      {ValuesFor({type, {batches, depth}}, 97), ValuesFor(state, 98), ValuesFor(state, 99)}};
  std::vector<uint32_t> inputs = {builder.Input({type, {batches, depth}})};
  inputs.push_back(builder.Omitted(input_weights));
  for (int i = 0; i < 3; ++i) inputs.push_back(constant(input_weights));
  inputs.push_back(builder.Omitted(recurrent_weights));
  for (int i = 0; i < 3; ++i) inputs.push_back(constant(recurrent_weights));
  for (int i = 0; i < 4; ++i) inputs.push_back(builder.Omitted(vector));
  for (int i = 0; i < 3; ++i) inputs.push_back(constant(vector));
  inputs.push_back(builder.Omitted(recurrent_weights));
  inputs.push_back(builder.Omitted(vector));
  inputs.push_back(builder.Input(state));
  inputs.push_back(builder.Input(state));
  inputs.push_back(builder.Int32(activation));
  const OperandType scalar = type == kFloat16 ? OperandType::FLOAT16 : OperandType::FLOAT32;
  for (int i = 0; i < 2; ++i) inputs.push_back(builder.Constant({scalar}, {0}));
  const uint32_t scratch = builder.Output({type, {batches, 3 * units}});
  std::vector<uint32_t> outputs = {scratch};
  for (int i = 0; i < 3; ++i) outputs.push_back(builder.Output(state));
  builder.Operation(OperationType::LSTM, inputs, outputs);
  result.model = builder.model();
  return result;
}

}  // namespace

std::vector<FastCase> RecurrentCases() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<FastCase> cases;
  // Few batches and many, remainders of panels and of vectors, several pieces of work.
  const Layer kLayers[] = {{1, 1, 1},
                           {1, 33, 17},
                           {4, 100, 7, true, 1},
                           {4, 100, 7, false},
                           {5, 64, 40, true, 2},
                           {5, 31, 65, false, 3},
                           {37, 17, 9},
                           {70, 2100, 3},
                           {70, 2100, 3, false},
                           {1100, 3, 5},
                           {0, 8, 3},
                           {2, 17000, 3},
                           {6, 17000, 3},
                           {6, 33000, 2}};
  for (const OperandType type : {kFloat32, kFloat16, kQuant8}) {
    for (const Layer& layer : kLayers) {
      // The sum of so many halves is above what one can be.
      if (type == kFloat16 && layer.depth > 10000) continue;
      cases.push_back(FullyConnected(type, layer));
    }
  }
  for (const uint32_t batches : {2U, 6U}) {
    for (const auto& [input, weight] : {std::pair{kInfinity, 0.0}, std::pair{1e30, 0.0},
                                        std::pair{0.0, 1e30}, std::pair{0.0, 1e-40}}) {
      cases.push_back(FullyConnected(
          kFloat32,
          {.batches = batches, .depth = 9, .units = 5, .input = input, .weight = weight}));
    }
    // A bias that is no number, and those that no sum of 32 bits holds.
    cases.push_back(
        FullyConnected(kFloat32, {.batches = batches, .depth = 9, .units = 5, .bias = kInfinity}));
    for (const double bias : {2147483647.0, -2147483648.0}) {
      cases.push_back(
          FullyConnected(kQuant8, {.batches = batches, .depth = 9, .units = 5, .bias = bias}));
    }
  }
  for (const OperandType type : {kFloat32, kFloat16}) {
    for (const bool is_constant : {true, false}) {
      cases.push_back(Rnn(type, 2, 9, 5, is_constant));
      cases.push_back(Rnn(type, 13, 40, 33, is_constant));
      cases.push_back(Rnn(type, 1100, 3, 4, is_constant));
    }
    for (const int32_t activation : {4, 6, 0}) cases.push_back(Lstm(type, 3, 10, 9, activation));
    cases.push_back(Lstm(type, 14, 21, 18, 4));
  }
  return cases;
}

}  // namespace nncert
