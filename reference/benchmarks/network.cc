// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/benchmarks/network.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reference/tensor.h"

namespace nncert::benchmarks {
namespace {

using hal::V1_2::FusedActivationFunc;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

// Activations between layers are in [0, 6], images in [-1, 1).
constexpr float kActivationScale = 6.f / 255;
constexpr float kImageScale = 1.f / 128;

Format Image(uint32_t size, uint32_t channels, bool is_quantized) {
  Format format = {{1, size, size, channels}};
  if (is_quantized) {
    format.scale = kImageScale;
    format.zero_point = 128;
  }
  return format;
}

Format Activations(std::vector<uint32_t> dimensions, bool is_quantized) {
  return {std::move(dimensions), is_quantized ? kActivationScale : 0, 0};
}

// Fills in weights of a layer with `fan_in` inputs for each output, so that activations neither
// vanish nor grow (He et al., "Delving deep into rectifiers", 2015).
void AddWeights(Layer& layer, std::vector<uint32_t> dimensions, uint32_t fan_in, uint32_t outputs,
                const Format& input, uint32_t seed) {
  const auto reach = static_cast<float>(std::sqrt(6.0 / fan_in));
  layer.weights_format.dimensions = std::move(dimensions);
  const uint64_t count = layer.weights_format.count();
  layer.weights = RandomNumbers(count, input.is_quantized(), seed);
  layer.bias = RandomNumbers(outputs, false, seed + 1);
  if (input.is_quantized()) {
    layer.weights_format.scale = reach / 128;
    layer.weights_format.zero_point = 128;
    const double bias_scale = double{input.scale} * layer.weights_format.scale;
    for (double& bias : layer.bias) bias = std::round(0.1 * bias / bias_scale);
  } else {
    for (double& weight : layer.weights) weight = static_cast<float>(weight * reach);
    for (double& bias : layer.bias) bias *= 0.125;
  }
}

Layer ConvolutionLayer(const Format& input, uint32_t channels, uint32_t filter_size,
                       uint32_t stride, uint32_t seed) {
  const uint32_t size = (input.dimensions[1] + stride - 1) / stride;
  const uint32_t depth = input.dimensions[3];
  Layer layer = {.kind = LayerKind::kConvolution,
                 .output = Activations({1, size, size, channels}, input.is_quantized()),
                 .filter_size = filter_size,
                 .stride = stride,
                 .has_relu6 = true};
  AddWeights(layer, {channels, filter_size, filter_size, depth}, filter_size * filter_size * depth,
             channels, input, seed);
  return layer;
}

Layer DepthwiseLayer(const Format& input, uint32_t filter_size, uint32_t stride, uint32_t seed) {
  const uint32_t size = (input.dimensions[1] + stride - 1) / stride;
  const uint32_t depth = input.dimensions[3];
  Layer layer = {.kind = LayerKind::kDepthwiseConvolution,
                 .output = Activations({1, size, size, depth}, input.is_quantized()),
                 .filter_size = filter_size,
                 .stride = stride,
                 .has_relu6 = true};
  AddWeights(layer, {1, filter_size, filter_size, depth}, filter_size * filter_size, depth, input,
             seed);
  return layer;
}

Layer FullyConnectedLayer(const Format& input, uint32_t outputs, uint32_t seed) {
  Layer layer = {.kind = LayerKind::kFullyConnected, .output = {{1, outputs}}};
  if (input.is_quantized()) {
    layer.output.scale = 0.125f;
    layer.output.zero_point = 128;
  }
  const uint32_t depth = input.dimensions.back();
  AddWeights(layer, {outputs, depth}, depth, outputs, input, seed);
  return layer;
}

Layer SoftmaxLayer(const Format& input) {
  return {.kind = LayerKind::kSoftmax,
          .output = {input.dimensions, input.is_quantized() ? 1.f / 256 : 0, 0}};
}

uint32_t ConstantOf(ModelBuilder& builder, const Format& format,
                    const std::vector<double>& values) {
  return builder.Constant(format.operand(), values);
}

uint32_t BiasOf(ModelBuilder& builder, const Format& input, const Layer& layer) {
  const auto size = static_cast<uint32_t>(layer.bias.size());
  if (!input.is_quantized()) {
    return builder.Constant({OperandType::TENSOR_FLOAT32, {size}}, layer.bias);
  }
  return builder.Constant(
      {OperandType::TENSOR_INT32, {size}, input.scale * layer.weights_format.scale}, layer.bias);
}

}  // namespace

uint64_t Format::count() const { return NumberOfElements(dimensions); }

uint64_t Format::bytes() const { return count() * (is_quantized() ? 1 : sizeof(float)); }

OperandSpec Format::operand() const {
  return {is_quantized() ? OperandType::TENSOR_QUANT8_ASYMM : OperandType::TENSOR_FLOAT32,
          dimensions, scale, zero_point};
}

double Network::flops() const {
  double flops = 0;
  for (const Layer& layer : layers) {
    if (layer.weights.empty()) continue;
    // Each weight is used once for each pixel of the output.
    const double channels = layer.output.dimensions.back();
    const double pixels = static_cast<double>(layer.output.count()) / channels;
    flops += 2 * pixels * static_cast<double>(layer.weights.size());
  }
  return flops;
}

double Network::bytes() const {
  auto bytes = static_cast<double>(layers.back().output.bytes());
  for (const Format& input : inputs) bytes += static_cast<double>(input.bytes());
  return bytes + weight_bytes();
}

double Network::weight_bytes() const {
  double bytes = 0;
  for (const Layer& layer : layers) {
    if (layer.weights.empty()) continue;
    bytes += static_cast<double>(layer.weights_format.bytes() + layer.bias.size() * 4);
  }
  return bytes;
}

double Network::largest_activation_bytes() const {
  uint64_t bytes = inputs[0].bytes();
  for (const Layer& layer : layers) bytes = std::max(bytes, layer.output.bytes());
  return static_cast<double>(bytes);
}

std::vector<double> RandomNumbers(uint64_t count, bool is_quantized, uint32_t seed) {
  // PCG (O'Neill, 2014): a linear congruential generator whose high bits are mixed.
  uint64_t state = (uint64_t{seed} + 1) * 6364136223846793005u + 1442695040888963407u;
  std::vector<double> numbers(count);
  for (double& number : numbers) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto mixed = static_cast<uint32_t>(((state >> 18) ^ state) >> 27);
    const uint32_t rotation = static_cast<uint32_t>(state >> 59);
    const uint32_t bits = (mixed >> rotation) | (mixed << ((32 - rotation) % 32));
    number = is_quantized ? bits >> 24 : (bits >> 8) * 0x1p-23 - 1;
  }
  return numbers;
}

Network Convolution(bool is_quantized) {
  Network network = {{Image(56, 64, is_quantized)}, {}};
  network.layers = {ConvolutionLayer(network.inputs[0], 64, 3, 1, 1)};
  return network;
}

Network DepthwiseConvolution(bool is_quantized) {
  Network network = {{Image(112, 32, is_quantized)}, {}};
  network.layers = {DepthwiseLayer(network.inputs[0], 3, 1, 1)};
  return network;
}

Network FullyConnected(bool is_quantized) {
  Network network = {{Activations({1, 1024}, is_quantized)}, {}};
  network.layers = {FullyConnectedLayer(network.inputs[0], 1000, 1)};
  return network;
}

Network Addition(bool is_quantized, bool is_broadcast) {
  const Format image = Image(224, 32, is_quantized);
  Format second = image;
  if (is_broadcast) second.dimensions = {32};
  Format output = image;
  output.scale *= 2;
  return {{image, second}, {{.kind = LayerKind::kAdd, .output = output}}};
}

Network Softmax(bool is_quantized) {
  const Format logits = {{1, 1001}, is_quantized ? 0.125f : 0, is_quantized ? 128 : 0};
  return {{logits}, {SoftmaxLayer(logits)}};
}

Network MobileNetV1(bool is_quantized, uint32_t side, uint32_t thirty_seconds) {
  Network network = {{Image(side, 3, is_quantized)}, {}};
  uint32_t seed = 0;
  network.layers.push_back(ConvolutionLayer(network.inputs[0], thirty_seconds, 3, 2, seed));
  const auto add = [&](uint32_t channels, uint32_t stride) {
    seed += 4;
    network.layers.push_back(DepthwiseLayer(network.layers.back().output, 3, stride, seed));
    network.layers.push_back(ConvolutionLayer(network.layers.back().output,
                                              channels / 32 * thirty_seconds, 1, 1, seed + 2));
  };
  add(64, 1);
  add(128, 2);
  add(128, 1);
  add(256, 2);
  add(256, 1);
  add(512, 2);
  for (int i = 0; i < 5; ++i) add(512, 1);
  add(1024, 2);
  add(1024, 1);
  network.layers.push_back({.kind = LayerKind::kAveragePool,
                            .output = Activations({1, 1, 1, 32 * thirty_seconds}, is_quantized)});
  network.layers.push_back(FullyConnectedLayer(network.layers.back().output, 1001, seed + 4));
  network.layers.push_back(SoftmaxLayer(network.layers.back().output));
  return network;
}

hal::V1_2::Model HalModel(const Network& network) {
  ModelBuilder builder;
  std::vector<uint32_t> inputs;
  for (const Format& input : network.inputs) inputs.push_back(builder.Input(input.operand()));
  const uint32_t none = builder.Int32(static_cast<int32_t>(FusedActivationFunc::NONE));
  const uint32_t relu6 = builder.Int32(static_cast<int32_t>(FusedActivationFunc::RELU6));
  const uint32_t same = builder.Int32(1);
  const uint32_t valid = builder.Int32(2);
  const uint32_t one = builder.Int32(1);
  uint32_t last = inputs[0];
  Format format = network.inputs[0];
  for (const Layer& layer : network.layers) {
    const uint32_t output = &layer == &network.layers.back()
                                ? builder.Output(layer.output.operand())
                                : builder.Temporary(layer.output.operand());
    const uint32_t activation = layer.has_relu6 ? relu6 : none;
    switch (layer.kind) {
      case LayerKind::kConvolution:
      case LayerKind::kDepthwiseConvolution: {
        const bool is_depthwise = layer.kind == LayerKind::kDepthwiseConvolution;
        const uint32_t filter = ConstantOf(builder, layer.weights_format, layer.weights);
        const uint32_t bias = BiasOf(builder, format, layer);
        const uint32_t stride = builder.Int32(static_cast<int32_t>(layer.stride));
        std::vector<uint32_t> operands = {last, filter, bias, same, stride, stride};
        if (is_depthwise) operands.push_back(one);
        operands.push_back(activation);
        builder.Operation(is_depthwise ? OperationType::DEPTHWISE_CONV_2D : OperationType::CONV_2D,
                          operands, {output});
        break;
      }
      case LayerKind::kFullyConnected: {
        const uint32_t weights = ConstantOf(builder, layer.weights_format, layer.weights);
        const uint32_t bias = BiasOf(builder, format, layer);
        builder.Operation(OperationType::FULLY_CONNECTED, {last, weights, bias, activation},
                          {output});
        break;
      }
      case LayerKind::kAveragePool: {
        const uint32_t size = builder.Int32(static_cast<int32_t>(format.dimensions[1]));
        builder.Operation(OperationType::AVERAGE_POOL_2D,
                          {last, valid, one, one, size, size, activation}, {output});
        break;
      }
      case LayerKind::kSoftmax:
        builder.Operation(OperationType::SOFTMAX, {last, builder.Float32(1)}, {output});
        break;
      case LayerKind::kAdd:
        builder.Operation(OperationType::ADD, {last, inputs[1], activation}, {output});
        break;
    }
    last = output;
    format = layer.output;
  }
  return builder.model();
}

}  // namespace nncert::benchmarks
