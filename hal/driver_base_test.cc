// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/driver_base.h"

#include <cstring>
#include <thread>

#include "gtest/gtest.h"
#include "hal/burst.h"
#include "hal/conversion.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/testing/toy_driver.h"
#include "hal/to_string.h"

namespace nncert::hal {
namespace {

using testing::ExecutionCallback;
using testing::PreparedModelCallback;
using testing::ToyDriver;
using testing::TwoAdditions;
using testing::TwoAdditionsRequest;
using V1_2::ErrorStatus;
using V1_2::ExecutionPreference;
using V1_2::MeasureTiming;

const std::vector<float> kExpected = {111, 222};

std::vector<float> OutputOf(const V1_2::Request& request) {
  const absl::StatusOr<Mapping> mapping = request.pools[1].Map(MemoryAccess::READ_ONLY);
  EXPECT_TRUE(mapping.ok());
  std::vector<float> output(2);
  std::memcpy(output.data(), mapping->data(), 8);
  return output;
}

std::shared_ptr<V1_2::IPreparedModel> Prepare(V1_2::IDevice& device, const V1_2::Model& model) {
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(device.prepareModel_1_2(model, ExecutionPreference::LOW_POWER, {}, {}, {}, callback),
            ErrorStatus::NONE);
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::NONE);
  EXPECT_NE(callback->prepared, nullptr);
  return callback->prepared;
}

// What a burst's client knows: pools by slot.
class SlotTable : public V1_2::IBurstCallback {
 public:
  V1_2::GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    ++calls;
    V1_2::GetMemoriesResult result;
    for (const int32_t slot : slots) {
      if (slot < 0 || static_cast<size_t>(slot) >= pools.size()) {
        return {.status = ErrorStatus::INVALID_ARGUMENT, .buffers = {}};
      }
      result.buffers.push_back(pools[slot]);
    }
    return result;
  }
  std::vector<Memory> pools;
  std::atomic<int> calls = 0;
};

// The client's side of a burst.
struct Burst {
  explicit Burst(V1_2::IPreparedModel& model, uint32_t result_elements = 64)
      : requests(*MessageQueue<V1_2::FmqRequestDatum>::Create(64)),
        results(*MessageQueue<V1_2::FmqResultDatum>::Create(result_elements)),
        table(std::make_shared<SlotTable>()) {
    V1_2::ConfigureExecutionBurstResult result =
        model.configureExecutionBurst(table, requests.descriptor(), results.descriptor());
    EXPECT_EQ(result.status, ErrorStatus::NONE);
    context = result.context;
  }

  V1_2::ExecuteSynchronouslyResult Send(const std::vector<V1_2::FmqRequestDatum>& packet) {
    EXPECT_TRUE(requests.write(packet).ok());
    std::vector<V1_2::FmqResultDatum> first(1);
    EXPECT_TRUE(results.readBlocking(absl::MakeSpan(first), absl::Seconds(30)).ok());
    std::vector<V1_2::FmqResultDatum> answer(first[0].packetInformation()->packetSize);
    answer[0] = first[0];
    EXPECT_TRUE(results.read(absl::MakeSpan(answer).subspan(1)).ok());
    for (const V1_2::FmqResultDatum& datum : answer) EXPECT_TRUE(datum.paddingIsZero());
    const auto result = deserializeBurstResult(answer);
    EXPECT_TRUE(result.ok()) << result.status();
    return *result;
  }

  MessageQueue<V1_2::FmqRequestDatum> requests;
  MessageQueue<V1_2::FmqResultDatum> results;
  std::shared_ptr<SlotTable> table;
  std::shared_ptr<V1_2::IBurstContext> context;
};

std::vector<V1_2::FmqRequestDatum> PacketOf(V1_2::Request request) {
  request.pools.clear();
  return serializeBurstRequest(
      {.request = request, .slots = {0, 1}, .measure = MeasureTiming::YES});
}

void ExpectFailure(const V1_2::ExecuteSynchronouslyResult& result, ErrorStatus status) {
  EXPECT_EQ(result.status, status);
  EXPECT_TRUE(result.outputShapes.empty());
  EXPECT_EQ(result.timing, V1_2::Timing{});
}

// Looks at requests in its own way: it accepts what has no more than one input.
class PickyModel : public SimplePreparedModel {
 public:
  using SimplePreparedModel::SimplePreparedModel;

 protected:
  absl::Status run(Execution& execution) override {
    execution.writeOutput(0, {2}, kExpected);
    return absl::OkStatus();
  }
  absl::Status validate(const V1_2::Request& request, const V1_2::Model& model,
                        HalVersion version) const override {
    EXPECT_EQ(version, HalVersion::V1_2);
    EXPECT_EQ(model.inputIndexes.size(), 1U);
    return request.inputs.size() > 1 ? absl::InvalidArgumentError("too many inputs")
                                     : absl::OkStatus();
  }
};

TEST(SimplePreparedModelTest, a_driver_may_validate_requests_itself) {
  const auto model = std::make_shared<PickyModel>(TwoAdditions());
  V1_2::Request request = TwoAdditionsRequest();
  // Which validateRequest refuses: the model has an input.
  const V1_2::RequestArgument input = request.inputs[0];
  request.inputs.clear();
  EXPECT_EQ(model->executeSynchronously(request, MeasureTiming::NO).status, ErrorStatus::NONE);
  EXPECT_EQ(OutputOf(request), kExpected);
  request.inputs = {input, input};
  ExpectFailure(model->executeSynchronously(request, MeasureTiming::NO),
                ErrorStatus::INVALID_ARGUMENT);
  const auto callback = std::make_shared<ExecutionCallback>();
  EXPECT_EQ(model->execute_1_2(request, MeasureTiming::NO, callback),
            ErrorStatus::INVALID_ARGUMENT);
}

TEST(SimpleDriverTest, the_queries_answer_in_every_version) {
  const auto device = std::make_shared<ToyDriver>();
  EXPECT_EQ(device->getStatus(), V1_0::DeviceStatus::AVAILABLE);
  EXPECT_EQ(device->getVersionString().version, "toy 1.0");
  EXPECT_EQ(device->getType().type, V1_2::DeviceType::CPU);
  EXPECT_TRUE(device->getSupportedExtensions().extensions.empty());
  EXPECT_EQ(device->getNumberOfCacheFilesNeeded().numModelCache, 0);
  EXPECT_EQ(device->getNumberOfCacheFilesNeeded().numDataCache, 0);
  EXPECT_GT(device->getCapabilities().capabilities.float32Performance.execTime, 0);
  EXPECT_GT(device->getCapabilities_1_1().capabilities.quantized8Performance.powerUsage, 0);
  EXPECT_EQ(device->getCapabilities_1_2().capabilities.operandPerformance.size(), 16);
  EXPECT_TRUE(compliantWithV1_0(device->getCapabilities_1_2().capabilities));
}

TEST(SimpleDriverTest, supported_operations_are_told_for_models_of_every_version) {
  const auto device = std::make_shared<ToyDriver>();
  V1_2::Model model = TwoAdditions();
  model.operations[1].type = V1_2::OperationType::MUL;
  const std::vector<bool> expected = {true, false};
  EXPECT_EQ(device->getSupportedOperations(convertToV1_0(model)).supportedOperations, expected);
  EXPECT_EQ(device->getSupportedOperations_1_1(convertToV1_1(model)).supportedOperations, expected);
  const auto result = device->getSupportedOperations_1_2(model);
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  EXPECT_EQ(result.supportedOperations, expected);
}

TEST(SimpleDriverTest, an_invalid_model_is_refused_by_every_method_and_its_callback_called_once) {
  const auto device = std::make_shared<ToyDriver>();
  V1_2::Model model = TwoAdditions();
  model.operations[0].inputs[0] = 99;
  EXPECT_EQ(device->getSupportedOperations_1_2(model).status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(device->getSupportedOperations(convertToV1_0(model)).status,
            ErrorStatus::INVALID_ARGUMENT);
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(device->prepareModel_1_2(model, ExecutionPreference::LOW_POWER, {}, {}, {}, callback),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(callback->calls.count(), 1);
  EXPECT_EQ(callback->status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(callback->prepared, nullptr);
  EXPECT_EQ(device->prepareModel_1_1(convertToV1_1(model), ExecutionPreference::LOW_POWER,
                                     std::make_shared<PreparedModelCallback>()),
            ErrorStatus::INVALID_ARGUMENT);
}

TEST(SimpleDriverTest, a_preference_without_an_enumerator_is_refused) {
  const auto device = std::make_shared<ToyDriver>();
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(device->prepareModel_1_1(convertToV1_1(TwoAdditions()),
                                     static_cast<ExecutionPreference>(3), callback),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(callback->calls.count(), 1);
}

TEST(SimpleDriverTest, a_model_with_an_unsupported_operation_fails_in_the_callback) {
  const auto device = std::make_shared<ToyDriver>();
  V1_2::Model model = TwoAdditions();
  model.operations[0].type = V1_2::OperationType::MUL;
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(device->prepareModel_1_2(model, ExecutionPreference::LOW_POWER, {}, {}, {}, callback),
            ErrorStatus::NONE);
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(callback->prepared, nullptr);
}

TEST(SimpleDriverTest, a_null_callback_is_refused) {
  const auto device = std::make_shared<ToyDriver>();
  EXPECT_EQ(device->prepareModel(convertToV1_0(TwoAdditions()), nullptr),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(
      device->prepareModel_1_2(TwoAdditions(), ExecutionPreference::LOW_POWER, {}, {}, {}, nullptr),
      ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(device->prepareModelFromCache({}, {}, {}, nullptr), ErrorStatus::INVALID_ARGUMENT);
  const auto prepared = Prepare(*device, TwoAdditions());
  EXPECT_EQ(prepared->execute(TwoAdditionsRequest(), nullptr), ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(prepared->execute_1_2(TwoAdditionsRequest(), MeasureTiming::NO, nullptr),
            ErrorStatus::INVALID_ARGUMENT);
}

TEST(SimpleDriverTest, there_is_no_cache_to_prepare_from) {
  const auto device = std::make_shared<ToyDriver>();
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(device->prepareModelFromCache({}, {}, {}, callback), ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(callback->calls.count(), 1);
  EXPECT_EQ(callback->status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(callback->prepared, nullptr);
}

TEST(SimpleDriverTest, a_1_0_model_runs_through_the_1_0_methods) {
  const auto device = std::make_shared<ToyDriver>();
  const auto prepared = std::make_shared<PreparedModelCallback>();
  ASSERT_EQ(device->prepareModel(convertToV1_0(TwoAdditions()), prepared), ErrorStatus::NONE);
  prepared->calls.Wait();
  ASSERT_EQ(prepared->status, ErrorStatus::NONE);
  ASSERT_NE(prepared->prepared_1_0, nullptr);
  const V1_0::Request request = TwoAdditionsRequest();
  const auto executed = std::make_shared<ExecutionCallback>();
  ASSERT_EQ(prepared->prepared_1_0->execute(request, executed), ErrorStatus::NONE);
  executed->calls.Wait();
  EXPECT_EQ(executed->status, ErrorStatus::NONE);
  EXPECT_EQ(OutputOf(request), kExpected);
}

TEST(SimpleDriverTest, requests_are_judged_by_the_version_the_model_came_in) {
  const auto device = std::make_shared<ToyDriver>();
  V1_2::Model model = TwoAdditions();
  model.operands[5].dimensions = {0};
  const auto of_1_0 = std::make_shared<PreparedModelCallback>();
  ASSERT_EQ(device->prepareModel(convertToV1_0(model), of_1_0), ErrorStatus::NONE);
  of_1_0->calls.Wait();
  const auto executed = std::make_shared<ExecutionCallback>();
  EXPECT_EQ(of_1_0->prepared_1_0->execute(TwoAdditionsRequest(), executed),
            ErrorStatus::INVALID_ARGUMENT)
      << "1.0 wants the dimensions of outputs";
  EXPECT_EQ(executed->calls.count(), 1);
  EXPECT_EQ(Prepare(*device, model)
                ->executeSynchronously(TwoAdditionsRequest(), MeasureTiming::NO)
                .status,
            ErrorStatus::NONE);
}

TEST(SimplePreparedModelTest, synchronous_executions_give_shapes_and_time_if_asked) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  const V1_2::Request request = TwoAdditionsRequest();
  V1_2::ExecuteSynchronouslyResult result =
      prepared->executeSynchronously(request, MeasureTiming::NO);
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  ASSERT_EQ(result.outputShapes.size(), 1);
  EXPECT_EQ(result.outputShapes[0], (V1_2::OutputShape{.dimensions = {2}, .isSufficient = true}));
  EXPECT_EQ(result.timing, V1_2::Timing{});
  EXPECT_EQ(OutputOf(request), kExpected);

  result = prepared->executeSynchronously(request, MeasureTiming::YES);
  EXPECT_LT(result.timing.timeInDriver, 30'000'000);
  EXPECT_EQ(result.timing.timeOnDevice, V1_2::Timing{}.timeOnDevice) << "the toy has no device";
}

TEST(SimplePreparedModelTest, asynchronous_executions_call_back_once) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  const V1_2::Request request = TwoAdditionsRequest();
  const auto callback = std::make_shared<ExecutionCallback>();
  ASSERT_EQ(prepared->execute_1_2(request, MeasureTiming::YES, callback), ErrorStatus::NONE);
  callback->calls.Wait();
  EXPECT_EQ(callback->calls.count(), 1);
  EXPECT_EQ(callback->status, ErrorStatus::NONE);
  EXPECT_EQ(callback->outputShapes.size(), 1);
  EXPECT_NE(callback->timing.timeInDriver, V1_2::Timing{}.timeInDriver);
  EXPECT_EQ(OutputOf(request), kExpected);
}

TEST(SimplePreparedModelTest, an_invalid_request_is_refused_without_shapes_or_time) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  V1_2::Request request = TwoAdditionsRequest();
  request.inputs.clear();
  ExpectFailure(prepared->executeSynchronously(request, MeasureTiming::YES),
                ErrorStatus::INVALID_ARGUMENT);
  const auto callback = std::make_shared<ExecutionCallback>();
  EXPECT_EQ(prepared->execute_1_2(request, MeasureTiming::YES, callback),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(callback->calls.count(), 1);
  ExpectFailure({callback->status, callback->outputShapes, callback->timing},
                ErrorStatus::INVALID_ARGUMENT);
}

TEST(SimplePreparedModelTest, an_output_buffer_too_small_is_reported_with_its_shape_and_untouched) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  V1_2::Request request = TwoAdditionsRequest();
  request.outputs[0].location.length = 7;
  const auto result = prepared->executeSynchronously(request, MeasureTiming::YES);
  EXPECT_EQ(result.status, ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
  ASSERT_EQ(result.outputShapes.size(), 1);
  EXPECT_EQ(result.outputShapes[0], (V1_2::OutputShape{.dimensions = {2}, .isSufficient = false}));
  EXPECT_EQ(result.timing, V1_2::Timing{});
  EXPECT_EQ(OutputOf(request), (std::vector<float>{0, 0}));
}

TEST(SimplePreparedModelTest, a_failure_of_the_driver_becomes_an_error_status) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  V1_2::Request request = TwoAdditionsRequest();
  request.inputs[0] = {.hasNoValue = true, .location = {}, .dimensions = {}};
  ExpectFailure(prepared->executeSynchronously(request, MeasureTiming::YES),
                ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(errorStatusOf(absl::OkStatus()), ErrorStatus::NONE);
  EXPECT_EQ(errorStatusOf(absl::UnavailableError("")), ErrorStatus::DEVICE_UNAVAILABLE);
  EXPECT_EQ(errorStatusOf(absl::InternalError("")), ErrorStatus::GENERAL_FAILURE);
}

TEST(SimplePreparedModelTest, executions_outlive_the_clients_references) {
  const V1_2::Request request = TwoAdditionsRequest();
  std::vector<std::shared_ptr<ExecutionCallback>> callbacks;
  {
    auto device = std::make_shared<ToyDriver>();
    auto prepared = Prepare(*device, TwoAdditions());
    device.reset();
    for (int i = 0; i < 100; ++i) {
      callbacks.push_back(std::make_shared<ExecutionCallback>());
      ASSERT_EQ(prepared->execute_1_2(request, MeasureTiming::NO, callbacks.back()),
                ErrorStatus::NONE);
    }
  }
  for (const auto& callback : callbacks) {
    callback->calls.Wait();
    EXPECT_EQ(callback->status, ErrorStatus::NONE);
  }
}

TEST(SimplePreparedModelTest, threads_may_prepare_and_execute_at_the_same_time) {
  const auto device = std::make_shared<ToyDriver>();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&device] {
      const auto prepared = Prepare(*device, TwoAdditions());
      for (int i = 0; i < 50; ++i) {
        const V1_2::Request request = TwoAdditionsRequest();
        ASSERT_EQ(prepared->executeSynchronously(request, MeasureTiming::NO).status,
                  ErrorStatus::NONE);
        ASSERT_EQ(OutputOf(request), kExpected);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(BurstTest, requests_run_and_memory_is_fetched_once_until_it_is_freed) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  const V1_2::Request request = TwoAdditionsRequest();
  Burst burst(*prepared);
  burst.table->pools = request.pools;
  for (int i = 0; i < 3; ++i) {
    const auto result = burst.Send(PacketOf(request));
    EXPECT_EQ(result.status, ErrorStatus::NONE);
    EXPECT_EQ(result.outputShapes.size(), 1);
    EXPECT_NE(result.timing.timeInDriver, V1_2::Timing{}.timeInDriver);
  }
  EXPECT_EQ(OutputOf(request), kExpected);
  EXPECT_EQ(burst.table->calls, 1);
  burst.context->freeMemory(1);
  burst.context->freeMemory(1);
  burst.context->freeMemory(77);
  EXPECT_EQ(burst.Send(PacketOf(request)).status, ErrorStatus::NONE);
  EXPECT_EQ(burst.table->calls, 2);
}

TEST(BurstTest, malformed_packets_are_answered_and_the_burst_goes_on) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  const V1_2::Request request = TwoAdditionsRequest();
  Burst burst(*prepared);
  burst.table->pools = request.pools;
  const std::vector<V1_2::FmqRequestDatum> good = PacketOf(request);
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<V1_2::FmqRequestDatum> packet = good;
    packet.erase(packet.begin() + static_cast<std::ptrdiff_t>(i));
    ExpectFailure(burst.Send(packet), ErrorStatus::INVALID_ARGUMENT);
    packet = good;
    packet.insert(packet.begin() + static_cast<std::ptrdiff_t>(i), good[i]);
    ExpectFailure(burst.Send(packet), ErrorStatus::INVALID_ARGUMENT);
  }
  EXPECT_EQ(burst.Send(good).status, ErrorStatus::NONE);
}

TEST(BurstTest, an_unknown_slot_is_an_invalid_argument) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  Burst burst(*prepared);
  ExpectFailure(burst.Send(PacketOf(TwoAdditionsRequest())), ErrorStatus::INVALID_ARGUMENT);
}

TEST(BurstTest, a_result_that_does_not_fit_its_queue_is_a_clean_failure) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  const V1_2::Request request = TwoAdditionsRequest();
  Burst burst(*prepared, 3);
  burst.table->pools = request.pools;
  ExpectFailure(burst.Send(PacketOf(request)), ErrorStatus::GENERAL_FAILURE);
}

TEST(BurstTest, a_burst_cannot_be_opened_without_a_callback_or_on_bad_channels) {
  const auto prepared = Prepare(*std::make_shared<ToyDriver>(), TwoAdditions());
  const auto requests = MessageQueue<V1_2::FmqRequestDatum>::Create(8);
  const auto results = MessageQueue<V1_2::FmqResultDatum>::Create(8);
  ASSERT_TRUE(requests.ok() && results.ok());
  EXPECT_EQ(
      prepared->configureExecutionBurst(nullptr, requests->descriptor(), results->descriptor())
          .status,
      ErrorStatus::INVALID_ARGUMENT);
  const auto result =
      prepared->configureExecutionBurst(std::make_shared<SlotTable>(), {}, results->descriptor());
  EXPECT_EQ(result.status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_EQ(result.context, nullptr);
}

}  // namespace
}  // namespace nncert::hal
