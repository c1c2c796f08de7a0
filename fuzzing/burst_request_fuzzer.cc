// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what a client can do to the driver's side of a burst: any elements in the queue of
// requests, any bytes in the memory of the queues, any answer to the question for memory, and
// freeMemory. Every packet that comes through an intact queue is to be answered once; one that is
// not is waited for until libFuzzer's own timeout.

#include <memory>
#include <mutex>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "fuzzing/fuzz_data.h"
#include "fuzzing/fuzz_target.h"
#include "glog/logging.h"
#include "hal/burst_packet.h"
#include "hal/deadline.h"
#include "hal/memory.h"
#include "hal/message_queue.h"
#include "hal/replay/callbacks.h"
#include "hal/testing/models.h"
#include "hal/testing/toy_driver.h"
#include "hal/v1_2/interfaces.h"

namespace nncert {
namespace {

using hal::Mapping;
using hal::Memory;
using hal::MessageQueue;
using hal::V1_0::ErrorStatus;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;

constexpr uint32_t kElements = 64;

// What the client does next.
enum class Action : uint8_t { kPacket, kFree, kScribbleRequests, kScribbleResults, kMemories };
constexpr uint8_t kActions = 5;

hal::V1_2::IPreparedModel& Model() {
  static auto* const model = [] {
    const auto callback = std::make_shared<hal::replay::PrepareCallback>();
    static const auto device = std::make_shared<hal::testing::ToyDriver>();
    device->prepareModel_1_2(hal::testing::TwoAdditions(),
                             hal::V1_2::ExecutionPreference::LOW_POWER, {}, {}, {}, callback);
    const auto result = callback->result.Wait(hal::Deadline::Never());
    CHECK(result.has_value() && result->model != nullptr);
    return new std::shared_ptr<hal::V1_2::IPreparedModel>(
        std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(result->model));
  }();
  return **model;
}

// Answers with the pools of a request, or with what it is told.
class Memories : public hal::V1_2::IBurstCallback {
 public:
  explicit Memories(const std::vector<Memory>& pools) : pools_(pools) {}

  hal::V1_2::GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    const std::lock_guard<std::mutex> lock(mutex_);
    hal::V1_2::GetMemoriesResult result;
    result.status = status_;
    for (const int32_t slot : slots) {
      const auto index = static_cast<uint32_t>(slot);
      result.buffers.push_back(index < pools_.size() ? pools_[index] : Memory());
    }
    if (is_one_short_ && !result.buffers.empty()) result.buffers.pop_back();
    return result;
  }

  void Tell(ErrorStatus status, bool is_one_short) {
    const std::lock_guard<std::mutex> lock(mutex_);
    status_ = status;
    is_one_short_ = is_one_short;
  }

 private:
  const std::vector<Memory> pools_;
  std::mutex mutex_;  // of all that follows
  ErrorStatus status_ = ErrorStatus::NONE;
  bool is_one_short_ = false;
};

// Writes as another process does, which no sanitizer sees.
__attribute__((no_sanitize("thread"))) void WriteUnseen(uint64_t value, uint8_t* place) {
  *reinterpret_cast<volatile uint64_t*>(place) = value;
}

// Overwrites eight bytes somewhere.
void Scribble(const Memory& memory, FuzzData& data) {
  const Mapping mapping = memory.Map(hal::MemoryAccess::READ_WRITE).value();
  const size_t place = data.Take<uint16_t>() % (mapping.size() / 8) * 8;
  WriteUnseen(data.Take<uint64_t>(), mapping.data() + place);
}

void CheckAnswer(MessageQueue<FmqResultDatum>& results) {
  std::vector<FmqResultDatum> packet(1);
  const absl::Status status =
      results.readBlocking(absl::MakeSpan(packet), absl::InfiniteDuration());
  CHECK(status.ok()) << status;
  packet.resize(1 + results.availableToRead().value());
  CHECK(results.read(absl::MakeSpan(packet).subspan(1)).ok());
  for (const FmqResultDatum& datum : packet) CHECK(datum.paddingIsZero());
  const auto result = hal::deserializeBurstResult(packet);
  CHECK(result.ok()) << result.status();
}

void Run(FuzzData data) {
  auto requests = MessageQueue<FmqRequestDatum>::Create(kElements).value();
  auto results = MessageQueue<FmqResultDatum>::Create(kElements).value();
  const auto memories = std::make_shared<Memories>(hal::testing::TwoAdditionsRequest().pools);
  const auto burst =
      Model().configureExecutionBurst(memories, requests.descriptor(), results.descriptor());
  CHECK(burst.context != nullptr);
  bool is_intact = true;
  while (!data.is_empty()) {
    switch (static_cast<Action>(data.Take<uint8_t>() % kActions)) {
      case Action::kPacket: {
        const auto packet = data.TakeVector<FmqRequestDatum>(data.Take<uint8_t>() % kElements);
        if (packet.empty() || !requests.write(packet).ok()) break;
        if (is_intact) CheckAnswer(results);
        break;
      }
      case Action::kFree:
        burst.context->freeMemory(data.Take<int32_t>());
        break;
      case Action::kScribbleRequests:
        is_intact = false;
        Scribble(requests.descriptor().memory, data);
        break;
      case Action::kScribbleResults:
        is_intact = false;
        Scribble(results.descriptor().memory, data);
        break;
      case Action::kMemories: {
        const auto status = static_cast<ErrorStatus>(data.Take<uint8_t>() % 6);
        memories->Tell(status, data.Take<uint8_t>() % 2 == 1);
        break;
      }
    }
  }
}

}  // namespace
}  // namespace nncert

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FLAGS_minloglevel = google::GLOG_FATAL;
  nncert::Run(nncert::FuzzData(data, size));
  return 0;
}
