// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what a driver can do to the client's side of a burst: any elements in the queue of
// results, before a request and after it, any bytes in the memory of the queues, any question for
// memory. What the client takes for a result is to be one whole packet.

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "fuzzing/fuzz_data.h"
#include "fuzzing/fuzz_target.h"
#include "glog/logging.h"
#include "hal/burst_controller.h"
#include "hal/burst_packet.h"
#include "hal/deadline.h"
#include "hal/memory.h"
#include "hal/message_queue.h"
#include "hal/testing/models.h"
#include "hal/v1_2/interfaces.h"

namespace nncert {
namespace {

using hal::BurstController;
using hal::Mapping;
using hal::Memory;
using hal::MessageQueue;
using hal::MQDescriptorSync;
using hal::V1_0::ErrorStatus;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using hal::V1_2::MeasureTiming;

constexpr uint32_t kElements = 64;

// What the driver or its client does next.
enum class Action : uint8_t {
  kSend,
  kReceive,
  kWrite,
  kReadRequest,
  kScribbleRequests,
  kScribbleResults,
  kAskForMemory,
  kFree,
};
constexpr uint8_t kActions = 8;

class Context : public hal::V1_2::IBurstContext {
 public:
  void freeMemory(int32_t) override {}
};

// Gives a burst, and does nothing else.
class Driver : public hal::V1_2::IPreparedModel {
 public:
  ErrorStatus execute(const hal::V1_0::Request&,
                      const std::shared_ptr<hal::V1_0::IExecutionCallback>&) override {
    return ErrorStatus::GENERAL_FAILURE;
  }
  ErrorStatus execute_1_2(const hal::V1_0::Request&, MeasureTiming,
                          const std::shared_ptr<hal::V1_2::IExecutionCallback>&) override {
    return ErrorStatus::GENERAL_FAILURE;
  }
  hal::V1_2::ExecuteSynchronouslyResult executeSynchronously(const hal::V1_0::Request&,
                                                             MeasureTiming) override {
    return {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}};
  }
  hal::V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<hal::V1_2::IBurstCallback>& given_callback,
      const MQDescriptorSync<FmqRequestDatum>& requestChannel,
      const MQDescriptorSync<FmqResultDatum>& resultChannel) override {
    callback = given_callback;
    requests = requestChannel;
    results = resultChannel;
    return {.status = ErrorStatus::NONE, .context = std::make_shared<Context>()};
  }

  std::shared_ptr<hal::V1_2::IBurstCallback> callback;
  MQDescriptorSync<FmqRequestDatum> requests;
  MQDescriptorSync<FmqResultDatum> results;
};

// Overwrites eight bytes somewhere.
void Scribble(const Memory& memory, FuzzData& data) {
  const Mapping mapping = memory.Map(hal::MemoryAccess::READ_WRITE).value();
  const size_t place = data.Take<uint16_t>() % (mapping.size() / 8) * 8;
  const auto value = data.Take<uint64_t>();
  std::memcpy(mapping.data() + place, &value, sizeof(value));
}

// Nobody else touches the queue meanwhile, so a result has all the elements that are there.
void Receive(BurstController& burst, const MessageQueue<FmqResultDatum>& results) {
  const absl::StatusOr<size_t> there = results.availableToRead();
  const auto result = burst.Receive(hal::Deadline(absl::ZeroDuration()));
  if (!result.ok()) return;
  CHECK(there.ok()) << there.status();
  CHECK_EQ(hal::serializeBurstResult(*result).size(), *there);
}

void Run(FuzzData data) {
  Driver driver;
  const auto burst =
      BurstController::Open(driver, {.request_elements = kElements, .result_elements = kElements})
          .value();
  auto requests = MessageQueue<FmqRequestDatum>::Open(driver.requests).value();
  auto results = MessageQueue<FmqResultDatum>::Open(driver.results).value();
  const hal::V1_0::Request request = hal::testing::TwoAdditionsRequest();
  while (!data.is_empty()) {
    switch (static_cast<Action>(data.Take<uint8_t>() % kActions)) {
      case Action::kSend:
        burst->Send(request, MeasureTiming::YES).IgnoreError();
        break;
      case Action::kReceive:
        Receive(*burst, results);
        break;
      case Action::kWrite: {
        const auto packet = data.TakeVector<FmqResultDatum>(data.Take<uint8_t>() % kElements);
        results.write(packet).IgnoreError();
        break;
      }
      case Action::kReadRequest: {
        std::vector<FmqRequestDatum> packet(requests.availableToRead().value_or(0));
        requests.read(absl::MakeSpan(packet)).IgnoreError();
        break;
      }
      case Action::kScribbleRequests:
        Scribble(driver.requests.memory, data);
        break;
      case Action::kScribbleResults:
        Scribble(driver.results.memory, data);
        break;
      case Action::kAskForMemory: {
        const auto slots = data.TakeVector<int32_t>(data.Take<uint8_t>() % 8);
        const auto memories = driver.callback->getMemories(slots);
        CHECK_EQ(memories.buffers.size(),
                 memories.status == ErrorStatus::NONE ? slots.size() : size_t{0});
        break;
      }
      case Action::kFree:
        burst->FreeMemory(data.Take<int32_t>());
        break;
    }
  }
  burst->Close();
  burst->CheckNoResult().IgnoreError();
}

}  // namespace
}  // namespace nncert

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FLAGS_minloglevel = google::GLOG_FATAL;
  nncert::Run(nncert::FuzzData(data, size));
  return 0;
}
