// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/convolution_models.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

}  // namespace

hal::V1_2::Model ModelOf(const ConvolutionModel& convolution) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input(convolution.input)};
  if (convolution.has_constant_weights) {
    inputs.push_back(builder.Constant(convolution.filter, convolution.weights));
    inputs.push_back(builder.Constant(convolution.bias, convolution.biases));
  } else {
    inputs.push_back(builder.Input(convolution.filter));
    inputs.push_back(builder.Input(convolution.bias));
  }
  if (!convolution.has_constant_shape) {
    inputs.push_back(builder.Input({kInt32, {4}}));
  } else if (!convolution.shape.empty()) {
    inputs.push_back(builder.Int32Vector(convolution.shape));
  }
  for (const int32_t scalar : convolution.scalars) inputs.push_back(builder.Int32(scalar));
  if (convolution.is_nchw.has_value()) inputs.push_back(builder.Bool(*convolution.is_nchw));
  for (const int32_t dilation : convolution.dilations) inputs.push_back(builder.Int32(dilation));
  const uint32_t output = builder.Output(convolution.output);
  builder.Operation(convolution.operation, inputs, {output}).Relaxed(convolution.is_relaxed);
  return builder.model();
}

std::vector<std::vector<double>> InputsOf(const ConvolutionModel& convolution,
                                          const std::vector<double>& input) {
  std::vector<std::vector<double>> inputs = {input};
  if (!convolution.has_constant_weights) {
    inputs.push_back(convolution.weights);
    inputs.push_back(convolution.biases);
  }
  if (!convolution.has_constant_shape) {
    inputs.emplace_back(convolution.shape.begin(), convolution.shape.end());
  }
  return inputs;
}

Evaluated Evaluate(const ConvolutionModel& convolution, const std::vector<double>& input) {
  return EvaluateDecided(ModelOf(convolution), InputsOf(convolution, input));
}

std::vector<double> OutputOf(const ConvolutionModel& convolution,
                             const std::vector<double>& input) {
  return Evaluate(convolution, input).from_double;
}

std::string ErrorOf(const ConvolutionModel& convolution, HalVersion version) {
  return ErrorOf(ModelOf(convolution), version);
}

ConvolutionModel TwoByTwoConv2d() {
  return {.operation = OperationType::CONV_2D,
          .input = {kFloat32, {1, 3, 3, 1}},
          .filter = {kFloat32, {1, 2, 2, 1}},
          .weights = {1, 2, 3, 4},
          .bias = {kFloat32, {1}},
          .biases = {0},
          .scalars = {0, 0, 0, 0, 1, 1, 0},
          .output = {kFloat32, {1, 2, 2, 1}}};
}

ConvolutionModel QuantizedConv2d() {
  return {.operation = OperationType::CONV_2D,
          .input = {kQuant8, {1, 1, 1, 2}, 0.5, 128},
          .filter = {kQuant8, {3, 1, 1, 2}, 0.25, 100},
          .weights = {104, 100, 100, 96, 108, 104},  // 1 0, 0 -1, 2 1
          .bias = {kInt32, {3}, 0.125, 0},
          .biases = {8, 0, -16},  // 1, 0, -2
          .scalars = {0, 0, 0, 0, 1, 1, 0},
          .output = {kQuant8, {1, 1, 1, 3}, 0.5, 10}};
}

ConvolutionModel PerChannelConv2d() {
  return {.operation = OperationType::CONV_2D,
          .input = {kQuant8, {1, 1, 1, 2}, 0.5, 128},
          .filter = {kPerChannel,
                     {3, 1, 1, 2},
                     0,
                     0,
                     hal::V1_2::SymmPerChannelQuantParams{{0.5, 0.75, 1}, 0}},
          .weights = {1, 2, 1, 2, 1, 2},
          .bias = {kInt32, {3}, 0, 0},
          .biases = {4, 4, 4},
          .scalars = {0, 0, 0, 0, 1, 1, 0},
          .output = {kQuant8, {1, 1, 1, 3}, 0.25, 100}};
}

}  // namespace nncert
