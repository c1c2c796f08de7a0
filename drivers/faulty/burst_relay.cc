// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/burst_relay.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/burst_packet.h"

namespace nncert::faulty {
namespace {

using hal::MessageQueue;
using hal::V1_0::ErrorStatus;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using hal::V1_2::IBurstContext;

// Answers of any length have room, those to packets that are mended as well.
constexpr uint32_t kInnerResults = 4096;
constexpr uint32_t kMostAdded = 1;

struct Queues {
  MessageQueue<FmqRequestDatum> requests;
  MessageQueue<FmqResultDatum> results;
};

class BurstRelay : public IBurstContext {
 public:
  BurstRelay(Queues client, Queues inner, std::shared_ptr<IBurstContext> burst,
             const BurstConduct& conduct)
      : client_(std::move(client)),
        inner_(std::move(inner)),
        conduct_(conduct),
        burst_(std::move(burst)),
        thread_([this] { Serve(); }) {}

  ~BurstRelay() override {
    client_.requests.interrupt();
    inner_.results.interrupt();
    thread_.join();
  }

  void freeMemory(int32_t slot) override { burst_->freeMemory(slot); }

 private:
  void Serve() {
    while (true) {
      auto packet = client_.requests.readAll(absl::InfiniteDuration(), hal::kUsualBurstElements);
      if (!packet.ok()) return;
      const bool is_malformed = !hal::deserializeBurstRequest(*packet).ok();
      std::vector<FmqRequestDatum> passed = *packet;
      if (is_malformed && conduct_.mends != nullptr) {
        conduct_.mends(passed, client_.requests.capacity());
        if (!hal::deserializeBurstRequest(passed).ok()) passed = *packet;
      }
      if (!inner_.requests.write(passed).ok()) return;
      auto answer = inner_.results.readAll(absl::InfiniteDuration(), hal::kUsualBurstElements);
      if (!answer.ok()) return;
      if (conduct_.changes_answer != nullptr) {
        BurstExchange exchange = {
            *packet, is_malformed, was_malformed_, malformed_, client_.results.capacity(), *answer};
        conduct_.changes_answer(exchange);
      }
      was_malformed_ = is_malformed;
      if (is_malformed) ++malformed_;
      if (client_.results.write(*answer).ok()) continue;
      client_.results
          .write(hal::serializeBurstResult(
              {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}}))
          .IgnoreError();
    }
  }

  Queues client_;
  Queues inner_;
  const BurstConduct conduct_;
  const std::shared_ptr<IBurstContext> burst_;
  bool was_malformed_ = false;
  uint64_t malformed_ = 0;
  std::thread thread_;
};

}  // namespace

hal::V1_2::ConfigureExecutionBurstResult ConfigureRelay(
    const OpenBurst& open, const BurstConduct& conduct,
    const hal::MQDescriptorSync<FmqRequestDatum>& requestChannel,
    const hal::MQDescriptorSync<FmqResultDatum>& resultChannel) {
  auto requests = MessageQueue<FmqRequestDatum>::Open(requestChannel);
  auto results = MessageQueue<FmqResultDatum>::Open(resultChannel);
  if (!requests.ok() || !results.ok()) {
    return {.status = ErrorStatus::INVALID_ARGUMENT, .context = nullptr};
  }
  auto inner_requests =
      MessageQueue<FmqRequestDatum>::Create(requestChannel.elementCount + kMostAdded);
  auto inner_results = MessageQueue<FmqResultDatum>::Create(kInnerResults);
  if (!inner_requests.ok() || !inner_results.ok()) {
    return {.status = ErrorStatus::GENERAL_FAILURE, .context = nullptr};
  }
  hal::V1_2::ConfigureExecutionBurstResult result =
      open(inner_requests->descriptor(), inner_results->descriptor());
  if (result.context == nullptr) return result;
  result.context =
      std::make_shared<BurstRelay>(Queues{*std::move(requests), *std::move(results)},
                                   Queues{*std::move(inner_requests), *std::move(inner_results)},
                                   std::move(result.context), conduct);
  return result;
}

}  // namespace nncert::faulty
