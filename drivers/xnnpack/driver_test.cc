// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/driver.h"

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/callbacks.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::IPreparedModel;
using hal::V1_2::Model;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using ::testing::ElementsAre;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;

std::shared_ptr<hal::V1_2::IDevice> Device() {
  const auto device = MakeXnnpackDriver();
  EXPECT_TRUE(device.ok()) << device.status();
  return *device;
}

std::shared_ptr<IPreparedModel> Prepare(const Model& model) {
  const auto callback = std::make_shared<hal::testing::PreparedModelCallback>();
  Device()->prepareModel_1_2(model, hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {}, {}, {},
                             callback);
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::NONE);
  return callback->prepared;
}

// A request of float tensors, one after the other at the very end of a pool, and its result.
struct Result {
  ErrorStatus status;
  std::vector<float> output;
  std::vector<hal::V1_2::OutputShape> shapes;
};

Result Execute(IPreparedModel& prepared, const std::vector<std::vector<float>>& inputs,
               size_t outputs) {
  // The inputs end where their pool does, and the pool where its pages do.
  constexpr size_t kPage = 4096;
  size_t count = 0;
  for (const std::vector<float>& input : inputs) count += input.size();
  const size_t bytes = count * sizeof(float);
  const size_t pages = (bytes + kPage - 1) / kPage * kPage;
  const auto input_pool = hal::Memory::Allocate(pages);
  const auto output_pool = hal::Memory::Allocate(outputs * sizeof(float));
  EXPECT_TRUE(input_pool.ok() && output_pool.ok());
  hal::V1_2::Request request;
  request.pools = {*input_pool, *output_pool};
  size_t offset = pages - bytes;
  const auto mapped = input_pool->Map(hal::MemoryAccess::READ_WRITE);
  for (const std::vector<float>& input : inputs) {
    const size_t size = input.size() * sizeof(float);
    std::memcpy(mapped->data() + offset, input.data(), size);
    hal::V1_2::RequestArgument& argument = request.inputs.emplace_back();
    argument.location = {.poolIndex = 0,
                         .offset = static_cast<uint32_t>(offset),
                         .length = static_cast<uint32_t>(size)};
    offset += size;
  }
  hal::V1_2::RequestArgument& argument = request.outputs.emplace_back();
  argument.location = {
      .poolIndex = 1, .offset = 0, .length = static_cast<uint32_t>(outputs * sizeof(float))};
  const auto executed = prepared.executeSynchronously(request, hal::V1_2::MeasureTiming::NO);
  Result result{executed.status, std::vector<float>(outputs), executed.outputShapes};
  const auto written = output_pool->Map(hal::MemoryAccess::READ_ONLY);
  std::memcpy(result.output.data(), written->data(), outputs * sizeof(float));
  return result;
}

// FULLY_CONNECTED of [1, 2] with weights [2, 2]; each of the operands is a constant or an input.
Model LayerModel(bool has_constant_weights, bool has_constant_bias, bool has_constant_row = false) {
  ModelBuilder builder;
  const OperandSpec row_spec = {kFloat32, {1, 2}};
  const uint32_t row =
      has_constant_row ? builder.Constant(row_spec, {1, 1}) : builder.Input(row_spec);
  const OperandSpec weights_spec = {kFloat32, {2, 2}};
  const OperandSpec bias_spec = {kFloat32, {2}};
  const uint32_t weights = has_constant_weights ? builder.Constant(weights_spec, {1, 2, 3, 4})
                                                : builder.Input(weights_spec);
  const uint32_t bias =
      has_constant_bias ? builder.Constant(bias_spec, {10, 20}) : builder.Input(bias_spec);
  builder.Operation(OperationType::FULLY_CONNECTED, {row, weights, bias, builder.Int32(0)},
                    {builder.Output({kFloat32})});
  return builder.model();
}

TEST(XnnpackDriverTest, SaysWhatItIs) {
  EXPECT_EQ(Device()->getVersionString().version, "XNNPACK 2022-02-16");
  EXPECT_EQ(Device()->getType().type, hal::V1_2::DeviceType::CPU);
}

TEST(XnnpackDriverTest, WeightsAreConstantsOrComeWithTheRequest) {
  for (const bool has_constant_weights : {true, false}) {
    for (const bool has_constant_bias : {true, false}) {
      const auto prepared = Prepare(LayerModel(has_constant_weights, has_constant_bias));
      ASSERT_NE(prepared, nullptr);
      std::vector<std::vector<float>> inputs = {{1, 1}};
      if (!has_constant_weights) inputs.push_back({1, 2, 3, 4});
      if (!has_constant_bias) inputs.push_back({10, 20});
      const Result first = Execute(*prepared, inputs, 2);
      EXPECT_EQ(first.status, ErrorStatus::NONE);
      // 1 + 2 + 10, 3 + 4 + 20
      EXPECT_THAT(first.output, ElementsAre(13, 27));
      EXPECT_THAT(first.shapes.at(0).dimensions, ElementsAre(1, 2));
      // Other weights in the next request.
      if (has_constant_weights) continue;
      inputs[1] = {2, 0, 0, 2};
      EXPECT_THAT(Execute(*prepared, inputs, 2).output, ElementsAre(12, 22));
    }
  }
}

TEST(XnnpackDriverTest, AConstantMeetsWeightsThatComeWithTheRequest) {
  const auto prepared = Prepare(LayerModel(false, true, /*has_constant_row=*/true));
  ASSERT_NE(prepared, nullptr);
  // 1 + 2 + 10, 3 + 4 + 20
  EXPECT_THAT(Execute(*prepared, {{1, 2, 3, 4}}, 2).output, ElementsAre(13, 27));
}

TEST(XnnpackDriverTest, AModelOutlivesItsConstants) {
  std::shared_ptr<IPreparedModel> prepared;
  {
    Model model = LayerModel(true, true);
    prepared = Prepare(model);
    model.operandValues.assign(model.operandValues.size(), 0xff);
  }
  EXPECT_THAT(Execute(*prepared, {{0, 1}}, 2).output, ElementsAre(12, 24));
}

TEST(XnnpackDriverTest, ABufferThatIsTooSmallIsReported) {
  const auto prepared = Prepare(LayerModel(true, true));
  const Result result = Execute(*prepared, {{1, 1}}, 1);
  EXPECT_EQ(result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  EXPECT_THAT(result.shapes.at(0).dimensions, ElementsAre(1, 2));
  EXPECT_FALSE(result.shapes.at(0).isSufficient);
}

TEST(XnnpackDriverTest, NothingIsReadBehindTheEndOfAPool) {
  // 1024 elements fill a page: XNNPACK would read on.
  ModelBuilder builder;
  const uint32_t row = builder.Input({kFloat32, {1, 1024}});
  builder.Operation(OperationType::SOFTMAX, {row, builder.Float32(1)},
                    {builder.Output({kFloat32})});
  const auto prepared = Prepare(builder.model());
  const Result result = Execute(*prepared, {std::vector<float>(1024, 3)}, 1024);
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  EXPECT_THAT(result.output, ::testing::Each(1.0f / 1024));
}

TEST(XnnpackDriverTest, ExecutionsAtTheSameTimeDoNotMix) {
  const auto prepared = Prepare(LayerModel(false, true));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&prepared, i] {
      const auto number = static_cast<float>(i);
      for (int j = 0; j < 100; ++j) {
        const Result result = Execute(*prepared, {{number, 1}, {1, 0, 0, number}}, 2);
        EXPECT_THAT(result.output, ElementsAre(number + 10, number + 20));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(XnnpackDriverTest, AnUnsupportedOperationIsNotPrepared) {
  ModelBuilder builder;
  const uint32_t input = builder.Input({kFloat32, {2}});
  const uint32_t between = builder.Temporary({kFloat32, {2}});
  builder.Operation(OperationType::ABS, {input}, {between});
  builder.Operation(OperationType::SIN, {between}, {builder.Output({kFloat32, {2}})});
  const auto supported = Device()->getSupportedOperations_1_2(builder.model());
  EXPECT_EQ(supported.status, ErrorStatus::NONE);
  EXPECT_THAT(supported.supportedOperations, ElementsAre(true, false));
  const auto callback = std::make_shared<hal::testing::PreparedModelCallback>();
  Device()->prepareModel_1_2(builder.model(), hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER,
                             {}, {}, {}, callback);
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(callback->prepared, nullptr);
}

}  // namespace
}  // namespace nncert
