// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/driver/driver.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/conversion.h"
#include "hal/memory.h"
#include "hal/to_string.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_0::RequestArgument;
using hal::V1_2::ExecuteSynchronouslyResult;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using hal::V1_2::OutputShape;
using hal::V1_2::Timing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();

class PreparedModelCallback : public hal::V1_2::IPreparedModelCallback {
 public:
  void notify(ErrorStatus status,
              const std::shared_ptr<hal::V1_0::IPreparedModel>& prepared) override {
    prepared_1_0 = prepared;
    End(status);
  }
  void notify_1_2(ErrorStatus status,
                  const std::shared_ptr<hal::V1_2::IPreparedModel>& prepared) override {
    prepared_1_2 = prepared;
    End(status);
  }

  absl::Notification ended;
  ErrorStatus result = ErrorStatus::NONE;
  std::shared_ptr<hal::V1_0::IPreparedModel> prepared_1_0;
  std::shared_ptr<hal::V1_2::IPreparedModel> prepared_1_2;

 private:
  void End(ErrorStatus status) {
    result = status;
    ended.Notify();
  }
};

class ExecutionCallback : public hal::V1_2::IExecutionCallback {
 public:
  void notify(ErrorStatus status) override { End({status, {}, {}}); }
  void notify_1_2(ErrorStatus status, const std::vector<OutputShape>& shapes,
                  const Timing& timing) override {
    End({status, shapes, timing});
  }

  absl::Notification ended;
  ExecuteSynchronouslyResult result;

 private:
  void End(ExecuteSynchronouslyResult value) {
    result = std::move(value);
    ended.Notify();
  }
};

// Requests with one float output, which is a pool of its own.
struct FloatRequest {
  Request request;
  hal::Memory outputs;

  std::vector<float> Output() const {
    const absl::StatusOr<hal::Mapping> mapping = outputs.Map(hal::MemoryAccess::READ_ONLY);
    std::vector<float> values(mapping->size() / sizeof(float));
    std::memcpy(values.data(), mapping->data(), values.size() * sizeof(float));
    return values;
  }
};

FloatRequest RequestOf(const std::vector<std::vector<float>>& inputs, size_t output_bytes) {
  FloatRequest result;
  std::vector<uint8_t> bytes;
  for (const std::vector<float>& input : inputs) {
    RequestArgument argument;
    argument.location = {0, static_cast<uint32_t>(bytes.size()),
                         static_cast<uint32_t>(input.size() * sizeof(float))};
    result.request.inputs.push_back(argument);
    const auto* first = reinterpret_cast<const uint8_t*>(input.data());
    bytes.insert(bytes.end(), first, first + input.size() * sizeof(float));
  }
  RequestArgument output;
  output.location = {1, 0, static_cast<uint32_t>(output_bytes)};
  result.request.outputs.push_back(output);
  result.outputs = *hal::Memory::Allocate(output_bytes);
  result.request.pools = {*hal::Memory::AllocateCopy(bytes), result.outputs};
  return result;
}

// a + b with dimensions [2, 3]; those of the output are known or not.
Model AddModel(std::vector<uint32_t> output_dimensions = {2, 3}) {
  ModelBuilder builder;
  const OperandSpec tensor = {OperandType::TENSOR_FLOAT32, {2, 3}};
  const uint32_t a = builder.Input(tensor);
  const uint32_t b = builder.Input(tensor);
  const uint32_t none = builder.Int32(0);
  const uint32_t out = builder.Output({OperandType::TENSOR_FLOAT32, std::move(output_dimensions)});
  builder.Operation(OperationType::ADD, {a, b, none}, {out});
  return builder.model();
}

const std::vector<std::vector<float>> kAddInputs = {{1, 2, 3, 4, 5, 6}, {10, 20, 30, 40, 50, 60}};

// An input chooses beta, so that requests can ask for one that the operation does not accept.
Model SoftmaxModel() {
  ModelBuilder builder;
  const uint32_t in = builder.Input({OperandType::TENSOR_FLOAT32, {1, 2}});
  const uint32_t beta = builder.Input({OperandType::FLOAT32});
  const uint32_t out = builder.Output({OperandType::TENSOR_FLOAT32, {1, 2}});
  builder.Operation(OperationType::SOFTMAX, {in, beta}, {out});
  return builder.model();
}

class ReferenceDriverTest : public ::testing::Test {
 protected:
  ErrorStatus Prepare(const Model& model) {
    callback_ = std::make_shared<PreparedModelCallback>();
    const ErrorStatus launch = driver_->prepareModel_1_2(
        model, ExecutionPreference::FAST_SINGLE_ANSWER, {}, {}, {}, callback_);
    callback_->ended.WaitForNotification();
    if (launch != ErrorStatus::NONE) {
      EXPECT_EQ(launch, callback_->result);
    }
    EXPECT_EQ(callback_->result == ErrorStatus::NONE, callback_->prepared_1_2 != nullptr);
    return callback_->result;
  }

  ExecuteSynchronouslyResult ExecuteSync(const FloatRequest& request,
                                         MeasureTiming measure = MeasureTiming::NO) {
    return callback_->prepared_1_2->executeSynchronously(request.request, measure);
  }

  ExecuteSynchronouslyResult ExecuteAsync(const FloatRequest& request,
                                          MeasureTiming measure = MeasureTiming::NO) {
    const auto callback = std::make_shared<ExecutionCallback>();
    const ErrorStatus launch =
        callback_->prepared_1_2->execute_1_2(request.request, measure, callback);
    callback->ended.WaitForNotification();
    if (launch != ErrorStatus::NONE) {
      EXPECT_EQ(launch, callback->result.status);
    }
    return callback->result;
  }

  const std::shared_ptr<hal::V1_2::IDevice> driver_ = MakeReferenceDriver();
  std::shared_ptr<PreparedModelCallback> callback_;
};

TEST_F(ReferenceDriverTest, IsAnAvailableCpuWithAVersion) {
  EXPECT_EQ(driver_->getStatus(), hal::V1_0::DeviceStatus::AVAILABLE);
  EXPECT_EQ(driver_->getType().status, ErrorStatus::NONE);
  EXPECT_EQ(driver_->getType().type, hal::V1_2::DeviceType::CPU);
  EXPECT_EQ(driver_->getVersionString().status, ErrorStatus::NONE);
  EXPECT_THAT(driver_->getVersionString().version, Not(IsEmpty()));
  EXPECT_THAT(driver_->getSupportedExtensions().extensions, IsEmpty());
}

TEST_F(ReferenceDriverTest, CapabilitiesAreSortedAndAboveZero) {
  const hal::V1_2::GetCapabilitiesResult result = driver_->getCapabilities_1_2();
  ASSERT_EQ(result.status, ErrorStatus::NONE);
  const hal::V1_2::Capabilities& capabilities = result.capabilities;
  const auto is_above_zero = [](const hal::V1_0::PerformanceInfo& info) {
    return info.execTime > 0 && info.powerUsage > 0;
  };
  EXPECT_TRUE(is_above_zero(capabilities.relaxedFloat32toFloat16PerformanceScalar));
  EXPECT_TRUE(is_above_zero(capabilities.relaxedFloat32toFloat16PerformanceTensor));
  EXPECT_THAT(capabilities.operandPerformance, Not(IsEmpty()));
  for (const auto& entry : capabilities.operandPerformance) EXPECT_TRUE(is_above_zero(entry.info));
  EXPECT_TRUE(std::is_sorted(capabilities.operandPerformance.begin(),
                             capabilities.operandPerformance.end(),
                             [](const auto& a, const auto& b) { return a.type < b.type; }));
}

TEST_F(ReferenceDriverTest, SupportsWhatTheCatalogueHas) {
  const auto result = driver_->getSupportedOperations_1_2(AddModel());
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  EXPECT_THAT(result.supportedOperations, ElementsAre(true));
}

TEST_F(ReferenceDriverTest, DoesNotSupportOperationsOfOthers) {
  Model model = AddModel();
  model.operations[0].type = OperationType::OEM_OPERATION;
  const auto result = driver_->getSupportedOperations_1_2(model);
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  EXPECT_THAT(result.supportedOperations, ElementsAre(false));
}

TEST_F(ReferenceDriverTest, RefusesInvalidModels) {
  Model structure = AddModel();
  structure.operations[0].inputs[0] = 1000;
  Model signature = AddModel();
  signature.operations[0].inputs.pop_back();
  signature.operands[2].numberOfConsumers = 0;
  Model constraint = AddModel();
  constraint.operands[1].dimensions = {4, 5};
  for (const Model& model : {structure, signature, constraint}) {
    EXPECT_EQ(driver_->getSupportedOperations_1_2(model).status, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_EQ(Prepare(model), ErrorStatus::INVALID_ARGUMENT);
  }
}

TEST_F(ReferenceDriverTest, ExecutesSynchronously) {
  ASSERT_EQ(Prepare(AddModel()), ErrorStatus::NONE);
  const FloatRequest request = RequestOf(kAddInputs, 24);
  const ExecuteSynchronouslyResult result = ExecuteSync(request);
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  EXPECT_THAT(result.outputShapes, ElementsAre(OutputShape{{2, 3}, true}));
  EXPECT_EQ(result.timing, (Timing{kNoTime, kNoTime}));
  EXPECT_THAT(request.Output(), ElementsAre(11, 22, 33, 44, 55, 66));
}

TEST_F(ReferenceDriverTest, ExecutesAsynchronously) {
  ASSERT_EQ(Prepare(AddModel()), ErrorStatus::NONE);
  const FloatRequest request = RequestOf(kAddInputs, 24);
  const ExecuteSynchronouslyResult result = ExecuteAsync(request);
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  EXPECT_THAT(result.outputShapes, ElementsAre(OutputShape{{2, 3}, true}));
  EXPECT_THAT(request.Output(), ElementsAre(11, 22, 33, 44, 55, 66));
}

TEST_F(ReferenceDriverTest, MeasuresTimeWhenAsked) {
  ASSERT_EQ(Prepare(AddModel()), ErrorStatus::NONE);
  for (const bool is_async : {false, true}) {
    const FloatRequest request = RequestOf(kAddInputs, 24);
    const ExecuteSynchronouslyResult result = is_async ? ExecuteAsync(request, MeasureTiming::YES)
                                                       : ExecuteSync(request, MeasureTiming::YES);
    EXPECT_EQ(result.status, ErrorStatus::NONE);
    EXPECT_LT(result.timing.timeInDriver, 60'000'000u);
    if (result.timing.timeOnDevice != kNoTime) {
      EXPECT_LE(result.timing.timeOnDevice, result.timing.timeInDriver);
    }
  }
}

TEST_F(ReferenceDriverTest, FindsTheDimensionsThatTheModelLeavesOpen) {
  ASSERT_EQ(Prepare(AddModel({0, 0})), ErrorStatus::NONE);
  const FloatRequest request = RequestOf(kAddInputs, 24);
  const ExecuteSynchronouslyResult result = ExecuteSync(request);
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  EXPECT_THAT(result.outputShapes, ElementsAre(OutputShape{{2, 3}, true}));
  EXPECT_THAT(request.Output(), ElementsAre(11, 22, 33, 44, 55, 66));
}

TEST_F(ReferenceDriverTest, SaysHowLargeAnOutputIsWhoseBufferIsTooSmall) {
  ASSERT_EQ(Prepare(AddModel({0, 0})), ErrorStatus::NONE);
  for (const bool is_async : {false, true}) {
    const FloatRequest request = RequestOf(kAddInputs, 23);
    const ExecuteSynchronouslyResult result =
        is_async ? ExecuteAsync(request) : ExecuteSync(request);
    EXPECT_EQ(result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_THAT(result.outputShapes, ElementsAre(OutputShape{{2, 3}, false}));
  }
}

TEST_F(ReferenceDriverTest, RefusesInvalidRequests) {
  ASSERT_EQ(Prepare(AddModel()), ErrorStatus::NONE);
  FloatRequest request = RequestOf(kAddInputs, 24);
  request.request.inputs.pop_back();
  for (const bool is_async : {false, true}) {
    const ExecuteSynchronouslyResult result = is_async ? ExecuteAsync(request, MeasureTiming::YES)
                                                       : ExecuteSync(request, MeasureTiming::YES);
    EXPECT_EQ(result.status, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_THAT(result.outputShapes, IsEmpty());
    EXPECT_EQ(result.timing, (Timing{kNoTime, kNoTime}));
  }
}

TEST_F(ReferenceDriverTest, OmittingAnInputThatAnOperationNeedsIsAnInvalidArgument) {
  ASSERT_EQ(Prepare(AddModel()), ErrorStatus::NONE);
  FloatRequest request = RequestOf(kAddInputs, 24);
  request.request.inputs[1] = {.hasNoValue = true, .location = {}, .dimensions = {}};
  const ExecuteSynchronouslyResult result = ExecuteSync(request);
  EXPECT_EQ(result.status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(result.outputShapes, IsEmpty());
}

TEST_F(ReferenceDriverTest, ValuesThatAnOperationDoesNotAcceptAreAGeneralFailure) {
  ASSERT_EQ(Prepare(SoftmaxModel()), ErrorStatus::NONE);
  EXPECT_EQ(ExecuteSync(RequestOf({{1, 2}, {1}}, 8)).status, ErrorStatus::NONE);
  const ExecuteSynchronouslyResult result = ExecuteSync(RequestOf({{1, 2}, {-1}}, 8));
  EXPECT_EQ(result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_THAT(result.outputShapes, IsEmpty());
}

TEST_F(ReferenceDriverTest, DimensionsOfTheRequestThatAreNotTheResultsAreAGeneralFailure) {
  ASSERT_EQ(Prepare(AddModel({0, 0})), ErrorStatus::NONE);
  FloatRequest request = RequestOf(kAddInputs, 24);
  request.request.outputs[0].dimensions = {3, 2};
  EXPECT_EQ(ExecuteSync(request).status, ErrorStatus::GENERAL_FAILURE);
}

TEST_F(ReferenceDriverTest, RunsModelsOfEarlierVersions) {
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(driver_->prepareModel(hal::convertToV1_0(AddModel()), callback), ErrorStatus::NONE);
  callback->ended.WaitForNotification();
  ASSERT_EQ(callback->result, ErrorStatus::NONE);
  const std::shared_ptr<hal::V1_0::IPreparedModel> prepared =
      callback->prepared_1_0 != nullptr ? callback->prepared_1_0 : callback->prepared_1_2;
  ASSERT_NE(prepared, nullptr);
  const FloatRequest request = RequestOf(kAddInputs, 24);
  const auto execution = std::make_shared<ExecutionCallback>();
  EXPECT_EQ(prepared->execute(request.request, execution), ErrorStatus::NONE);
  execution->ended.WaitForNotification();
  EXPECT_EQ(execution->result.status, ErrorStatus::NONE);
  EXPECT_THAT(request.Output(), ElementsAre(11, 22, 33, 44, 55, 66));
}

TEST_F(ReferenceDriverTest, AppliesTheRulesOfTheVersionThatAModelCameAs) {
  // Half precision is there since 1.2.
  ModelBuilder builder;
  const OperandSpec tensor = {OperandType::TENSOR_FLOAT16, {2}};
  const uint32_t a = builder.Input(tensor);
  const uint32_t none = builder.Int32(0);
  const uint32_t out = builder.Output(tensor);
  builder.Operation(OperationType::ADD, {a, a, none}, {out});
  EXPECT_EQ(driver_->getSupportedOperations_1_2(builder.model()).status, ErrorStatus::NONE);
  EXPECT_EQ(driver_->getSupportedOperations_1_1(hal::convertToV1_1(builder.model())).status,
            ErrorStatus::INVALID_ARGUMENT);
}

}  // namespace
}  // namespace nncert
