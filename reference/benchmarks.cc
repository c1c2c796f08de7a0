// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How fast the executor is, operation by operation and through a small graph: in float (the
// reference driver's backend), and for some operations in double and Ball. Every row of an
// operation that multiplies and adds is followed by the bare Eigen product of the same size as a
// peer in the same run.

#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "reference/executor.h"
#include "reference/testing/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::Model;

std::vector<double> Pattern(uint64_t count, OperandType type) {
  std::vector<double> values(count);
  uint32_t state = 1;
  for (double& value : values) {
    state = state * 1664525u + 1013904223u;
    value = IsQuantized(type) ? (state >> 24) : (state >> 8) * 0x1p-23 - 1;
  }
  return values;
}

OperandSpec Data(OperandType type, std::vector<uint32_t> dimensions, float scale = 0.05f) {
  const bool is_quantized = IsQuantized(type);
  return {type, std::move(dimensions), is_quantized ? scale : 0, is_quantized ? 128 : 0};
}

OperandSpec Bias(OperandType type, uint32_t size, float scale) {
  if (IsQuantized(type)) return {OperandType::TENSOR_INT32, {size}, scale};
  return {type, {size}};
}

uint32_t ConstantPattern(ModelBuilder& builder, const OperandSpec& spec) {
  return builder.Constant(spec, Pattern(NumberOfElements(spec.dimensions), spec.type));
}

// CONV_2D 1x56x56x64 to 64 channels, 3x3, SAME; DEPTHWISE 1x112x112x32, 3x3, SAME.
Model Convolution(OperandType type, bool is_depthwise) {
  ModelBuilder builder;
  const uint32_t size = is_depthwise ? 112 : 56;
  const uint32_t channels = is_depthwise ? 32 : 64;
  const uint32_t input = builder.Input(Data(type, {1, size, size, channels}));
  const uint32_t filter = ConstantPattern(
      builder, Data(type, is_depthwise ? std::vector<uint32_t>{1, 3, 3, channels}
                                       : std::vector<uint32_t>{channels, 3, 3, channels}));
  const uint32_t bias = ConstantPattern(builder, Bias(type, channels, 0.05f * 0.05f));
  std::vector<uint32_t> inputs = {input,           filter, bias, builder.Int32(1), builder.Int32(1),
                                  builder.Int32(1)};
  if (is_depthwise) inputs.push_back(builder.Int32(1));
  inputs.push_back(builder.Int32(0));
  const uint32_t output = builder.Output(Data(type, {1, size, size, channels}, 4.f));
  builder.Operation(is_depthwise ? OperationType::DEPTHWISE_CONV_2D : OperationType::CONV_2D,
                    inputs, {output});
  return builder.model();
}

Model FullyConnected(OperandType type) {
  ModelBuilder builder;
  const uint32_t input = builder.Input(Data(type, {1, 1024}));
  const uint32_t weights = ConstantPattern(builder, Data(type, {1000, 1024}));
  const uint32_t bias = ConstantPattern(builder, Bias(type, 1000, 0.05f * 0.05f));
  const uint32_t output = builder.Output(Data(type, {1, 1000}, 4.f));
  builder.Operation(OperationType::FULLY_CONNECTED, {input, weights, bias, builder.Int32(0)},
                    {output});
  return builder.model();
}

Model Addition(OperandType type) {
  ModelBuilder builder;
  const OperandSpec spec = Data(type, {1, 224, 224, 32});
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t output = builder.Output(spec);
  builder.Operation(OperationType::ADD, {a, b, builder.Int32(0)}, {output});
  return builder.model();
}

Model Softmax(OperandType type) {
  ModelBuilder builder;
  const uint32_t input = builder.Input(Data(type, {1, 1001}));
  OperandSpec spec = Data(type, {1, 1001}, 1.f / 256);
  spec.zeroPoint = 0;
  const uint32_t output = builder.Output(spec);
  builder.Operation(OperationType::SOFTMAX, {input, builder.Float32(1)}, {output});
  return builder.model();
}

// ADD, MUL, RELU6, RESHAPE and SOFTMAX on 2x3 tensors.
Model FiveOperations() {
  ModelBuilder builder;
  const OperandSpec spec = Data(OperandType::TENSOR_FLOAT32, {2, 3});
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t sum = builder.Temporary(spec);
  const uint32_t product = builder.Temporary(spec);
  const uint32_t limited = builder.Temporary(spec);
  const uint32_t reshaped = builder.Temporary(Data(OperandType::TENSOR_FLOAT32, {3, 2}));
  const uint32_t output = builder.Output(Data(OperandType::TENSOR_FLOAT32, {3, 2}));
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::MUL, {sum, a, none}, {product});
  builder.Operation(OperationType::RELU6, {product}, {limited});
  builder.Operation(OperationType::RESHAPE, {limited, builder.Int32Vector({3, 2})}, {reshaped});
  builder.Operation(OperationType::SOFTMAX, {reshaped, builder.Float32(1)}, {output});
  return builder.model();
}

// The inputs of a model, filled with a pattern.
class Inputs {
 public:
  explicit Inputs(const Model& model) {
    for (const uint32_t index : model.inputIndexes) {
      const hal::V1_2::Operand& operand = model.operands[index];
      bytes_.push_back(
          BytesOf(operand.type, Pattern(NumberOfElements(operand.dimensions), operand.type)));
    }
    for (const std::vector<uint8_t>& bytes : bytes_) {
      InputArgument argument;
      argument.elements =
          absl::MakeConstSpan(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
      arguments_.push_back(argument);
    }
  }
  absl::Span<const InputArgument> arguments() const { return arguments_; }

 private:
  std::vector<std::vector<uint8_t>> bytes_;
  std::vector<InputArgument> arguments_;
};

void RunModel(benchmark::State& state, const Model& model, NumberSystem system,
              double multiply_adds = 0) {
  const auto graph = PreparedGraph::Create(model);
  if (!graph.ok()) {
    state.SkipWithError(graph.status().ToString().c_str());
    return;
  }
  const Inputs inputs(model);
  for (auto _ : state) {
    auto outputs = (*graph)->Execute(system, inputs.arguments());
    if (!outputs.ok()) {
      state.SkipWithError(outputs.status().ToString().c_str());
      return;
    }
    benchmark::DoNotOptimize(outputs);
  }
  if (multiply_adds > 0) {
    state.counters["flops"] =
        benchmark::Counter(2 * multiply_adds, benchmark::Counter::kIsIterationInvariantRate);
  }
}

// The product that the operation above it comes down to, by Eigen alone.
void EigenProduct(benchmark::State& state) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix left = Matrix::Random(state.range(0), state.range(2));
  const Matrix right = Matrix::Random(state.range(1), state.range(2));
  Matrix product(state.range(0), state.range(1));
  for (auto _ : state) {
    product.noalias() = left * right.transpose();
    benchmark::DoNotOptimize(product.data());
  }
  state.counters["flops"] = benchmark::Counter(
      2.0 * static_cast<double>(state.range(0) * state.range(1) * state.range(2)),
      benchmark::Counter::kIsIterationInvariantRate);
}

void FiveOperationsEndToEnd(benchmark::State& state) {
  const Model model = FiveOperations();
  const Inputs inputs(model);
  for (auto _ : state) {
    const auto graph = PreparedGraph::Create(model);
    if (!graph.ok()) {
      state.SkipWithError(graph.status().ToString().c_str());
      return;
    }
    benchmark::DoNotOptimize((*graph)->Execute(NumberSystem::kFloat, inputs.arguments()));
  }
  state.SetItemsProcessed(state.iterations());
}

constexpr OperandType kFloat = OperandType::TENSOR_FLOAT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr double kConvolutionProducts = 56.0 * 56 * 64 * 9 * 64;
constexpr double kDepthwiseProducts = 112.0 * 112 * 32 * 9;
constexpr double kFullyConnectedProducts = 1024.0 * 1000;

BENCHMARK_CAPTURE(RunModel, conv_2d / float, Convolution(kFloat, false), NumberSystem::kFloat,
                  kConvolutionProducts);
BENCHMARK(EigenProduct)->Args({56 * 56, 64, 9 * 64})->Name("EigenProduct/conv_2d");
BENCHMARK_CAPTURE(RunModel, conv_2d / double, Convolution(kFloat, false), NumberSystem::kDouble,
                  kConvolutionProducts);
BENCHMARK_CAPTURE(RunModel, conv_2d / ball, Convolution(kFloat, false), NumberSystem::kBall,
                  kConvolutionProducts);
BENCHMARK_CAPTURE(RunModel, conv_2d / quant8, Convolution(kQuant8, false), NumberSystem::kFloat,
                  kConvolutionProducts);
BENCHMARK_CAPTURE(RunModel, depthwise_conv_2d / float, Convolution(kFloat, true),
                  NumberSystem::kFloat, kDepthwiseProducts);
BENCHMARK_CAPTURE(RunModel, depthwise_conv_2d / quant8, Convolution(kQuant8, true),
                  NumberSystem::kFloat, kDepthwiseProducts);
BENCHMARK_CAPTURE(RunModel, fully_connected / float, FullyConnected(kFloat), NumberSystem::kFloat,
                  kFullyConnectedProducts);
BENCHMARK(EigenProduct)->Args({1, 1000, 1024})->Name("EigenProduct/fully_connected");
BENCHMARK_CAPTURE(RunModel, fully_connected / quant8, FullyConnected(kQuant8), NumberSystem::kFloat,
                  kFullyConnectedProducts);
BENCHMARK_CAPTURE(RunModel, add / float, Addition(kFloat), NumberSystem::kFloat);
BENCHMARK_CAPTURE(RunModel, add / quant8, Addition(kQuant8), NumberSystem::kFloat);
BENCHMARK_CAPTURE(RunModel, softmax / float, Softmax(kFloat), NumberSystem::kFloat);
BENCHMARK_CAPTURE(RunModel, softmax / quant8, Softmax(kQuant8), NumberSystem::kFloat);
BENCHMARK_CAPTURE(RunModel, five_operations / float, FiveOperations(), NumberSystem::kFloat);
BENCHMARK_CAPTURE(RunModel, five_operations / double, FiveOperations(), NumberSystem::kDouble);
BENCHMARK_CAPTURE(RunModel, five_operations / ball, FiveOperations(), NumberSystem::kBall);
BENCHMARK(FiveOperationsEndToEnd);

}  // namespace
}  // namespace nncert
