// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Lifetimes, threads, and what becomes of a connection that is lost.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/synchronization/notification.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/burst.h"
#include "hal/conversion.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/testing/toy_driver.h"
#include "hal/transport/client.h"
#include "hal/transport/testing/recording_device.h"
#include "hal/transport/testing/served.h"

namespace nncert::hal::transport {
namespace {

using ::nncert::hal::testing::ExecutionCallback;
using ::nncert::hal::testing::PreparedModelCallback;
using ::nncert::hal::testing::ToyDriver;
using ::nncert::hal::testing::TwoAdditions;
using ::nncert::hal::testing::TwoAdditionsRequest;
using ::nncert::hal::transport::testing::Record;
using ::nncert::hal::transport::testing::RecordingBurst;
using ::nncert::hal::transport::testing::RecordingDevice1_2;
using ::nncert::hal::transport::testing::RecordingPreparedModel1_2;
using ::nncert::hal::transport::testing::Served;
using ::nncert::hal::transport::testing::WaitUntil;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using V1_0::ErrorStatus;

class ConnectionTest : public ::testing::Test {
 protected:
  // Has the recording device prepare a model; `live` counts the prepared models there are.
  std::shared_ptr<V1_2::IPreparedModel> Prepare(V1_0::IDevice& device) {
    const auto callback = std::make_shared<PreparedModelCallback>();
    device.prepareModel(convertToV1_0(TwoAdditions()), callback);
    std::dynamic_pointer_cast<V1_2::IPreparedModelCallback>(record_->preparation_callback)
        ->notify_1_2(ErrorStatus::NONE,
                     std::make_shared<RecordingPreparedModel1_2>(record_, live_));
    record_->preparation_callback = nullptr;
    callback->calls.Wait();
    auto prepared = std::exchange(callback->prepared, nullptr);
    // The thread that has brought it holds it a moment longer.
    WaitUntil([&] { return prepared.use_count() == 1; });
    return prepared;
  }

  const std::shared_ptr<Record> record_ = std::make_shared<Record>();
  const std::shared_ptr<std::atomic<int>> live_ = std::make_shared<std::atomic<int>>(0);
};

// --- Lifetimes ---

TEST_F(ConnectionTest, TheLastReferenceToAPreparedModelDestroysIt) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  auto prepared = Prepare(*served.device());
  auto other = prepared;
  EXPECT_EQ(*live_, 1);
  prepared = nullptr;
  served.device()->getStatus();
  EXPECT_EQ(*live_, 1);
  other = nullptr;
  WaitUntil([&] { return *live_ == 0; });
}

TEST_F(ConnectionTest, TheStatusIsToldWhenWhatWasReleasedIsGone) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  for (int i = 0; i < 100; ++i) {
    auto prepared = Prepare(*served.device());
    prepared->executeSynchronously(TwoAdditionsRequest(), V1_2::MeasureTiming::NO);
    prepared = nullptr;
    EXPECT_EQ(served.device()->getStatus(), record_->device_status);
    ASSERT_EQ(*live_, 0) << "after " << i;
  }
}

TEST_F(ConnectionTest, TheLastReferenceToABurstEndsIt) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  const auto prepared = Prepare(*served.device());
  const auto live_bursts = std::make_shared<std::atomic<int>>(0);
  record_->burst = {.status = ErrorStatus::NONE,
                    .context = std::make_shared<RecordingBurst>(record_, live_bursts)};
  auto burst = prepared->configureExecutionBurst(nullptr, {}, {});
  EXPECT_EQ(*live_bursts, 1);
  burst.context = nullptr;
  WaitUntil([&] { return *live_bursts == 0; });
}

TEST_F(ConnectionTest, ACallbackLivesAsLongAsTheDriverHoldsIt) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  const auto prepared = Prepare(*served.device());
  auto callback = std::make_shared<ExecutionCallback>();
  const std::weak_ptr<ExecutionCallback> weak = callback;
  prepared->execute(TwoAdditionsRequest(), callback);
  callback = nullptr;
  served.device()->getStatus();
  EXPECT_FALSE(weak.expired());
  record_->execution_callback->notify(ErrorStatus::NONE);
  record_->execution_callback = nullptr;
  WaitUntil([&] { return weak.expired(); });
}

TEST_F(ConnectionTest, TheEndOfAConnectionReleasesEverything) {
  Served served(std::make_shared<RecordingDevice1_2>(record_));
  const auto prepared = Prepare(*served.device());
  const auto device = served.device<V1_2::IDevice>();
  EXPECT_TRUE(served.Close().ok());
  EXPECT_EQ(*live_, 0);
  // The proxies are still there, and fail.
  EXPECT_EQ(device->getStatus(), V1_0::DeviceStatus::UNKNOWN);
  EXPECT_EQ(device->getVersionString().status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(prepared->executeSynchronously({}, V1_2::MeasureTiming::NO).status,
            ErrorStatus::GENERAL_FAILURE);
  const auto callback = std::make_shared<PreparedModelCallback>();
  EXPECT_EQ(device->prepareModel(convertToV1_0(TwoAdditions()), callback),
            ErrorStatus::GENERAL_FAILURE);
}

// --- Losses ---

// A device whose status nobody ever learns, until it is let go.
class StuckDevice : public RecordingDevice1_2 {
 public:
  using RecordingDevice1_2::RecordingDevice1_2;

  V1_0::DeviceStatus getStatus() override {
    entered.Notify();
    let_go.WaitForNotification();
    return V1_0::DeviceStatus::AVAILABLE;
  }

  absl::Notification entered;
  absl::Notification let_go;
};

TEST_F(ConnectionTest, ACallThatTakesTooLong) {
  const auto device = std::make_shared<StuckDevice>(record_);
  Served served(device);
  served.connection().SetCallTimeout(absl::Milliseconds(50));
  EXPECT_EQ(served.device()->getStatus(), V1_0::DeviceStatus::UNKNOWN);
  const absl::Status status = served.connection().status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("during IDevice::getStatus"));
  device->let_go.Notify();
}

TEST_F(ConnectionTest, ClosingMakesEveryCallReturnAndTellsTheCallbacks) {
  const auto device = std::make_shared<StuckDevice>(record_);
  std::atomic<int> losses = 0;
  absl::Status lost;
  Served served(device, {.on_lost = [&](const absl::Status& status) {
                  lost = status;
                  ++losses;
                }});
  const auto prepared = Prepare(*served.device());
  const auto preparation = std::make_shared<PreparedModelCallback>();
  const auto execution = std::make_shared<ExecutionCallback>();
  const auto told = std::make_shared<ExecutionCallback>();
  served.device()->prepareModel(convertToV1_0(TwoAdditions()), preparation);
  prepared->execute(TwoAdditionsRequest(), told);
  record_->execution_callback->notify(ErrorStatus::NONE);
  prepared->execute(TwoAdditionsRequest(), execution);

  V1_0::DeviceStatus answer = V1_0::DeviceStatus::AVAILABLE;
  std::thread caller([&] { answer = served.device()->getStatus(); });
  device->entered.WaitForNotification();
  EXPECT_THAT(served.connection().calls_under_way(), ElementsAre("IDevice::getStatus"));
  // Other calls go on.
  EXPECT_EQ(served.device<V1_2::IDevice>()->getType().status, ErrorStatus::NONE);

  served.connection().Close(absl::AbortedError("had enough"));
  caller.join();
  EXPECT_EQ(answer, V1_0::DeviceStatus::UNKNOWN);
  preparation->calls.Wait();
  EXPECT_EQ(preparation->status, ErrorStatus::GENERAL_FAILURE);
  execution->calls.Wait();
  EXPECT_EQ(execution->status, ErrorStatus::GENERAL_FAILURE);
  told->calls.Wait();
  EXPECT_EQ(told->status, ErrorStatus::NONE);
  WaitUntil([&] { return losses == 1; });
  EXPECT_EQ(lost, absl::AbortedError("had enough, during IDevice::getStatus"));
  EXPECT_EQ(served.connection().status(), lost);
  served.connection().Close();
  EXPECT_EQ(served.connection().status(), lost);
  device->let_go.Notify();
}

// --- Threads ---

// Requests and results of the toy driver, whose answers depend on the inputs.
class ToyTest : public ::testing::Test {
 protected:
  ToyTest() : served_(std::make_shared<ToyDriver>()) {
    const auto callback = std::make_shared<PreparedModelCallback>();
    EXPECT_EQ(
        served_.device<V1_2::IDevice>()->prepareModel_1_2(
            TwoAdditions(), V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {}, {}, {}, callback),
        ErrorStatus::NONE);
    callback->calls.Wait();
    prepared_ = callback->prepared;
  }

  // The output of a request, which is the same in this process without any transport.
  static std::vector<uint8_t> OutputOf(const V1_0::Request& request) {
    const auto mapping = request.pools[1].Map(MemoryAccess::READ_ONLY);
    return {mapping->bytes().begin(), mapping->bytes().end()};
  }

  static std::vector<uint8_t> Expected() {
    const auto driver = std::make_shared<ToyDriver>();
    const auto callback = std::make_shared<PreparedModelCallback>();
    driver->prepareModel_1_2(TwoAdditions(), V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {}, {},
                             {}, callback);
    callback->calls.Wait();
    const V1_0::Request request = TwoAdditionsRequest();
    EXPECT_EQ(callback->prepared->executeSynchronously(request, V1_2::MeasureTiming::NO).status,
              ErrorStatus::NONE);
    return OutputOf(request);
  }

  Served served_;
  std::shared_ptr<V1_2::IPreparedModel> prepared_;
};

TEST_F(ToyTest, ManyThreadsExecuteInEveryWay) {
  const std::vector<uint8_t> expected = Expected();
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 50; ++j) {
        const V1_0::Request request = TwoAdditionsRequest();
        if ((i + j) % 2 == 0) {
          prepared_->executeSynchronously(request, V1_2::MeasureTiming::YES);
        } else {
          const auto callback = std::make_shared<ExecutionCallback>();
          prepared_->execute_1_2(request, V1_2::MeasureTiming::NO, callback);
          callback->calls.Wait();
        }
        if (OutputOf(request) == expected) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 200);
  EXPECT_TRUE(served_.connection().status().ok());
}

class PoolsOfRequest : public V1_2::IBurstCallback {
 public:
  explicit PoolsOfRequest(V1_0::Request request) : request_(std::move(request)) {}

  V1_2::GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    V1_2::GetMemoriesResult result;
    for (const int32_t slot : slots) {
      result.buffers.push_back(request_.pools.at(static_cast<size_t>(slot)));
    }
    return result;
  }

 private:
  const V1_0::Request request_;
};

TEST_F(ToyTest, ABurstExecutes) {
  auto requests = MessageQueue<V1_2::FmqRequestDatum>::Create(64);
  auto results = MessageQueue<V1_2::FmqResultDatum>::Create(64);
  ASSERT_TRUE(requests.ok() && results.ok());
  BurstRequest request = {.request = TwoAdditionsRequest(), .slots = {0, 1}};
  const auto burst =
      prepared_->configureExecutionBurst(std::make_shared<PoolsOfRequest>(request.request),
                                         requests->descriptor(), results->descriptor());
  ASSERT_EQ(burst.status, ErrorStatus::NONE);
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(requests->write(serializeBurstRequest(request)).ok());
    std::vector<V1_2::FmqResultDatum> packet(1);
    ASSERT_TRUE(results->readBlocking(absl::MakeSpan(packet), absl::Seconds(30)).ok());
    packet.resize(packet[0].packetInformation()->packetSize);
    ASSERT_TRUE(results->readBlocking(absl::MakeSpan(packet).subspan(1), absl::Seconds(30)).ok());
    const auto result = deserializeBurstResult(packet);
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->status, ErrorStatus::NONE);
    burst.context->freeMemory(0);
  }
  EXPECT_EQ(OutputOf(request.request), Expected());
}

}  // namespace
}  // namespace nncert::hal::transport
