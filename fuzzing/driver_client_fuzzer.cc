// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what a process that serves a driver can answer to the harness's end of a connection, which
// always makes the same calls.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "fuzzing/fuzz_target.h"
#include "fuzzing/message_socket.h"
#include "glog/logging.h"
#include "hal/conversion.h"
#include "hal/memory.h"
#include "hal/message_queue.h"
#include "hal/testing/models.h"
#include "hal/transport/client.h"
#include "hal/transport/socket.h"
#include "hal/v1_2/interfaces.h"

namespace nncert {
namespace {

using hal::Memory;
using hal::MessageQueue;
using hal::V1_0::ErrorStatus;

// What a callback is given first. It may be called more often, or go without having been called.
template <typename Value>
class Slot {
 public:
  void Put(Value value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!is_closed_) value_ = std::move(value);
    is_closed_ = true;
    closed_.notify_all();
  }
  void Close() { Put({}); }

  // Waits until the callback has been called or has gone.
  Value Take() {
    std::unique_lock<std::mutex> lock(mutex_);
    closed_.wait(lock, [this] { return is_closed_; });
    return std::move(value_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable closed_;
  bool is_closed_ = false;
  Value value_ = {};
};

using PreparedModelSlot = Slot<std::shared_ptr<hal::V1_0::IPreparedModel>>;
using StatusSlot = Slot<ErrorStatus>;

class PreparedModelCallback final : public hal::V1_2::IPreparedModelCallback {
 public:
  explicit PreparedModelCallback(std::shared_ptr<PreparedModelSlot> slot)
      : slot_(std::move(slot)) {}
  PreparedModelCallback(const PreparedModelCallback&) = delete;
  PreparedModelCallback& operator=(const PreparedModelCallback&) = delete;
  ~PreparedModelCallback() override { slot_->Close(); }

  void notify(ErrorStatus, const std::shared_ptr<hal::V1_0::IPreparedModel>& prepared) override {
    slot_->Put(prepared);
  }
  void notify_1_2(ErrorStatus,
                  const std::shared_ptr<hal::V1_2::IPreparedModel>& prepared) override {
    slot_->Put(prepared);
  }

 private:
  const std::shared_ptr<PreparedModelSlot> slot_;
};

class ExecutionCallback final : public hal::V1_2::IExecutionCallback {
 public:
  explicit ExecutionCallback(std::shared_ptr<StatusSlot> slot) : slot_(std::move(slot)) {}
  ExecutionCallback(const ExecutionCallback&) = delete;
  ExecutionCallback& operator=(const ExecutionCallback&) = delete;
  ~ExecutionCallback() override { slot_->Close(); }

  void notify(ErrorStatus status) override { slot_->Put(status); }
  void notify_1_2(ErrorStatus status, const std::vector<hal::V1_2::OutputShape>&,
                  const hal::V1_2::Timing&) override {
    slot_->Put(status);
  }

 private:
  const std::shared_ptr<StatusSlot> slot_;
};

class Pools final : public hal::V1_2::IBurstCallback {
 public:
  explicit Pools(Memory pool) : pool_(std::move(pool)) {}

  hal::V1_2::GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    // As many as are asked for, within reason.
    if (slots.size() > 16) return {.status = ErrorStatus::INVALID_ARGUMENT, .buffers = {}};
    return {.status = ErrorStatus::NONE, .buffers = std::vector<Memory>(slots.size(), pool_)};
  }

 private:
  const Memory pool_;
};

void UseBurst(hal::V1_2::IPreparedModel& prepared, const Memory& pool) {
  const auto requests = MessageQueue<hal::V1_2::FmqRequestDatum>::Create(16);
  const auto results = MessageQueue<hal::V1_2::FmqResultDatum>::Create(16);
  CHECK(requests.ok() && results.ok());
  const auto burst = prepared.configureExecutionBurst(
      std::make_shared<Pools>(pool), requests->descriptor(), results->descriptor());
  if (burst.context != nullptr) burst.context->freeMemory(0);
}

void Execute(const std::shared_ptr<hal::V1_0::IPreparedModel>& prepared) {
  if (prepared == nullptr) return;
  const hal::V1_0::Request request = hal::testing::TwoAdditionsRequest();
  const auto execute = [](const auto& launch) {
    const auto slot = std::make_shared<StatusSlot>();
    if (launch(std::make_shared<ExecutionCallback>(slot)) == ErrorStatus::NONE) slot->Take();
  };
  execute([&](const auto& callback) { return prepared->execute(request, callback); });
  const auto prepared_1_2 = std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(prepared);
  if (prepared_1_2 == nullptr) return;
  execute([&](const auto& callback) {
    return prepared_1_2->execute_1_2(request, hal::V1_2::MeasureTiming::YES, callback);
  });
  prepared_1_2->executeSynchronously(request, hal::V1_2::MeasureTiming::NO);
  UseBurst(*prepared_1_2, request.pools[0]);
}

// Has a model prepared by `launch`, which is given the callback, and executes it.
template <typename Launch>
void Prepare(const Launch& launch) {
  const auto slot = std::make_shared<PreparedModelSlot>();
  if (launch(std::make_shared<PreparedModelCallback>(slot)) == ErrorStatus::NONE) {
    Execute(slot->Take());
  }
}

// Makes every call that there is for a device of this version.
void UseDevice(hal::V1_0::IDevice& device) {
  const hal::V1_2::Model model = hal::testing::TwoAdditions();
  if (auto* const latest = dynamic_cast<hal::V1_2::IDevice*>(&device); latest != nullptr) {
    latest->getVersionString();
    latest->getType();
    latest->getCapabilities_1_2();
    latest->getSupportedExtensions();
    latest->getSupportedOperations_1_2(model);
    latest->getNumberOfCacheFilesNeeded();
    Prepare([&](const auto& callback) {
      return latest->prepareModel_1_2(model, hal::V1_1::ExecutionPreference::LOW_POWER, {}, {}, {},
                                      callback);
    });
    Prepare(
        [&](const auto& callback) { return latest->prepareModelFromCache({}, {}, {}, callback); });
  } else if (auto* const later = dynamic_cast<hal::V1_1::IDevice*>(&device); later != nullptr) {
    const hal::V1_1::Model model_1_1 = hal::convertToV1_1(model);
    later->getCapabilities_1_1();
    later->getSupportedOperations_1_1(model_1_1);
    Prepare([&](const auto& callback) {
      return later->prepareModel_1_1(model_1_1, hal::V1_1::ExecutionPreference::LOW_POWER,
                                     callback);
    });
  } else {
    const hal::V1_0::Model model_1_0 = hal::convertToV1_0(model);
    device.getCapabilities();
    device.getSupportedOperations(model_1_0);
    Prepare([&](const auto& callback) { return device.prepareModel(model_1_0, callback); });
  }
  device.getStatus();
}

}  // namespace
}  // namespace nncert

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FLAGS_minloglevel = google::GLOG_FATAL;
  auto [ours, theirs] = nncert::hal::transport::ConnectedSockets().value();
  std::thread server(
      [socket = std::move(theirs), said = absl::MakeConstSpan(data, size)]() mutable {
        nncert::MessageSocket peer(std::exchange(socket, {}));
        peer.Say(said);
        peer.EndSaying();
        peer.ListenToTheEnd();
      });
  {
    auto connection = nncert::hal::transport::Connection::Open(std::exchange(ours, {}));
    if (connection.ok()) nncert::UseDevice(*(*connection)->device());
  }
  server.join();
  return 0;
}
