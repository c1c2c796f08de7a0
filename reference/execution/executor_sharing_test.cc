// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What executions share: threads, and what kernels keep of constants.

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "hal/memory.h"
#include "reference/execution/executor.h"
#include "reference/execution/thread_pool.h"
#include "reference/model_builder.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

// CONV_2D 1x40x40x32 to 64 channels, 3x3, SAME: 59 million operations, which threads share. Its
// weights are in the model, or in a pool.
hal::V1_2::Model LargeConvolution(bool is_quantized, bool is_in_pool) {
  const OperandType type =
      is_quantized ? OperandType::TENSOR_QUANT8_ASYMM : OperandType::TENSOR_FLOAT32;
  const auto spec = [&](std::vector<uint32_t> dimensions, float scale) {
    return OperandSpec{type, std::move(dimensions), is_quantized ? scale : 0,
                       is_quantized ? 128 : 0};
  };
  uint32_t state = 7;
  std::vector<double> weights(64 * 9 * 32);
  for (double& weight : weights) {
    state = state * 1664525u + 1013904223u;
    weight = is_quantized ? state >> 24 : (state >> 8) * 0x1p-23 - 1;
  }
  ModelBuilder builder;
  const uint32_t input = builder.Input(spec({1, 40, 40, 32}, 0.5f));
  const uint32_t filter = builder.Constant(spec({64, 3, 3, 32}, 0.25f), weights);
  const uint32_t bias =
      builder.Constant(is_quantized ? OperandSpec{OperandType::TENSOR_INT32, {64}, 0.125f}
                                    : OperandSpec{OperandType::TENSOR_FLOAT32, {64}},
                       std::vector<double>(64, 1));
  const uint32_t one = builder.Int32(1);
  const uint32_t none = builder.Int32(0);
  const uint32_t output = builder.Output(spec({1, 40, 40, 64}, 16.f));
  builder.Operation(OperationType::CONV_2D, {input, filter, bias, one, one, one, none}, {output});
  hal::V1_2::Model model = builder.model();
  if (!is_in_pool) return model;
  hal::V1_2::Operand& operand = model.operands[filter];
  model.pools.push_back(*hal::Memory::AllocateCopy(absl::MakeConstSpan(
      model.operandValues.data() + operand.location.offset, operand.location.length)));
  operand.lifetime = hal::V1_2::OperandLifeTime::CONSTANT_REFERENCE;
  operand.location.offset = 0;
  return model;
}

template <class T>
InputArgument Argument(const std::vector<T>& elements) {
  InputArgument argument;
  argument.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(elements.data()),
                                          elements.size() * sizeof(T));
  return argument;
}

// What LargeConvolution makes of an input, in three executions one after the other.
std::vector<std::vector<std::byte>> Convolved(const PreparedGraph& graph, ThreadPool* pool) {
  const OperandType type = graph.model().operands[graph.model().inputIndexes[0]].type;
  std::vector<double> numbers(40 * 40 * 32);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i * 7 % 256);
  const std::vector<uint8_t> bytes = BytesOf(type, numbers);
  const InputArgument argument = Argument(bytes);
  std::vector<std::vector<std::byte>> results;
  for (int i = 0; i < 3; ++i) {
    auto outputs = graph.Execute(NumberSystem::kFloat, {argument}, {}, {.thread_pool = pool});
    EXPECT_TRUE(outputs.ok()) << outputs.status();
    if (outputs.ok()) results.push_back((*outputs)[0].elements);
  }
  return results;
}

TEST(SharedByExecutionsTest, ResultsDoNotDependOnTheNumberOfThreads) {
  for (const bool is_quantized : {false, true}) {
    const auto graph = PreparedGraph::Create(LargeConvolution(is_quantized, false));
    ASSERT_TRUE(graph.ok()) << graph.status();
    const auto expected = Convolved(**graph, nullptr);
    ASSERT_EQ(expected.size(), 3);
    for (const int threads : {1, 2, 3}) {
      ThreadPool pool(threads);
      EXPECT_EQ(Convolved(**graph, &pool), expected) << threads << " threads";
    }
  }
}

TEST(SharedByExecutionsTest, SeveralExecutionsShareAPoolOfThreads) {
  const auto graph = PreparedGraph::Create(LargeConvolution(false, false));
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto expected = Convolved(**graph, nullptr);
  ThreadPool pool(2);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] { wrong += Convolved(**graph, &pool) != expected ? 1 : 0; });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(SharedByExecutionsTest, AGraphForFloatAloneGivesTheSameResults) {
  for (const bool is_quantized : {false, true}) {
    for (const bool is_in_pool : {false, true}) {
      const hal::V1_2::Model model = LargeConvolution(is_quantized, is_in_pool);
      const auto all = PreparedGraph::Create(model);
      const auto alone = PreparedGraph::Create(model, HalVersion::V1_2, GraphUse::kFloatAlone);
      ASSERT_TRUE(all.ok()) << all.status();
      ASSERT_TRUE(alone.ok()) << alone.status();
      EXPECT_EQ(Convolved(**alone, nullptr), Convolved(**all, nullptr));
      const auto refused = (*alone)->Execute(NumberSystem::kDouble, {});
      EXPECT_EQ(refused.status().code(), absl::StatusCode::kFailedPrecondition);
    }
  }
}

TEST(SharedByExecutionsTest, AGraphForFloatAloneKeepsWeightsThatTwoOperationsRead) {
  // The second of them packs the weights after the first one has: the same operand, or another one
  // in the same bytes.
  for (const bool is_same_operand : {true, false}) {
    hal::V1_2::Model model = LargeConvolution(false, false);
    hal::V1_2::Operation again = model.operations[0];
    const auto copy = [&model](uint32_t operand) {
      const hal::V1_2::Operand copied = model.operands[operand];
      model.operands.push_back(copied);
      return static_cast<uint32_t>(model.operands.size() - 1);
    };
    for (uint32_t& operand : again.inputs) {
      if (!is_same_operand && &operand == &again.inputs[1]) {
        operand = copy(operand);
      } else {
        ++model.operands[operand].numberOfConsumers;
      }
    }
    again.outputs[0] = copy(again.outputs[0]);
    model.outputIndexes.push_back(again.outputs[0]);
    model.operations.push_back(again);
    const auto graph = PreparedGraph::Create(model, HalVersion::V1_2, GraphUse::kFloatAlone);
    ASSERT_TRUE(graph.ok()) << graph.status();
    const std::vector<float> input(40 * 40 * 32, 1.f);
    const auto outputs = (*graph)->Execute(NumberSystem::kFloat, {Argument(input)});
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_EQ((*outputs)[0].elements, (*outputs)[1].elements);
  }
}

TEST(SharedByExecutionsTest, ActivationsMayDifferFromExecutionToExecution) {
  // What a kernel keeps of constants must not depend on them.
  for (const bool is_quantized : {false, true}) {
    for (const OperationType type : {OperationType::CONV_2D, OperationType::DEPTHWISE_CONV_2D,
                                     OperationType::FULLY_CONNECTED}) {
      const OperandType tensor =
          is_quantized ? OperandType::TENSOR_QUANT8_ASYMM : OperandType::TENSOR_FLOAT32;
      const auto spec = [&](std::vector<uint32_t> dimensions, float scale) {
        return OperandSpec{tensor, std::move(dimensions), is_quantized ? scale : 0,
                           is_quantized ? 128 : 0};
      };
      const bool is_connected = type == OperationType::FULLY_CONNECTED;
      ModelBuilder builder;
      // One number, of weight 1 (the integer 129 at scale 1) and without a bias.
      const std::vector<uint32_t> one_number =
          is_connected ? std::vector<uint32_t>{1, 1} : std::vector<uint32_t>{1, 1, 1, 1};
      const uint32_t input = builder.Input(spec(one_number, 0.5f));
      const uint32_t weight = builder.Constant(spec(one_number, 1.f), {is_quantized ? 129.0 : 1.0});
      const uint32_t bias =
          builder.Constant(is_quantized ? OperandSpec{OperandType::TENSOR_INT32, {1}, 0.5f}
                                        : OperandSpec{OperandType::TENSOR_FLOAT32, {1}},
                           {0});
      const uint32_t one = builder.Int32(1);
      const uint32_t activation = builder.Input({OperandType::INT32});
      const uint32_t output = builder.Output(spec(one_number, 0.75f));
      std::vector<uint32_t> inputs = {input, weight, bias};
      if (!is_connected) inputs.insert(inputs.end(), {one, one, one});
      if (type == OperationType::DEPTHWISE_CONV_2D) inputs.push_back(one);
      inputs.push_back(activation);
      builder.Operation(type, inputs, {output});
      const auto graph = PreparedGraph::Create(builder.model());
      ASSERT_TRUE(graph.ok()) << graph.status();
      const std::vector<uint8_t> minus_three =
          BytesOf(tensor, std::vector<double>{is_quantized ? 122.0 : -3.0});
      const auto run = [&](double wanted) {
        const std::vector<uint8_t> bytes = BytesOf(OperandType::INT32, std::vector<double>{wanted});
        const auto outputs =
            (*graph)->Execute(NumberSystem::kFloat, {Argument(minus_three), Argument(bytes)});
        EXPECT_TRUE(outputs.ok()) << outputs.status();
        if (!outputs.ok()) return 0.0;
        return NumbersOf(tensor, (*outputs)[0].bytes())[0];
      };
      // -3 is four steps of 0.75 below zero.
      EXPECT_EQ(run(0), is_quantized ? 124 : -3);
      EXPECT_EQ(run(1), is_quantized ? 128 : 0);
      EXPECT_EQ(run(0), is_quantized ? 124 : -3);
    }
  }
}

TEST(SharedByExecutionsTest, ServesSeveralThreadsAtOnce) {
  ModelBuilder builder;
  const OperandSpec row = {OperandType::TENSOR_FLOAT32, {3}};
  const uint32_t a = builder.Input(row);
  const uint32_t b = builder.Input(row);
  const uint32_t none = builder.Int32(0);
  const uint32_t between = builder.Temporary(row);
  const uint32_t result = builder.Output(row);
  builder.Operation(OperationType::ADD, {a, b, none}, {between});
  builder.Operation(OperationType::MUL, {between, a, none}, {result});
  const auto graph = PreparedGraph::Create(builder.model());
  ASSERT_TRUE(graph.ok()) << graph.status();
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const std::vector<float> numbers = {static_cast<float>(t), 2, 3};
      const InputArgument argument = Argument(numbers);
      for (int i = 0; i < 50; ++i) {
        const auto outputs = (*graph)->Execute(NumberSystem::kDouble, {argument, argument});
        if (!outputs.ok() || (*outputs)[0].doubles()[0] != 2.0 * t * t) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace nncert
