// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_burst.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "drivers/faulty/burst_relay.h"
#include "hal/burst.h"
#include "hal/burst_packet.h"
#include "hal/memory.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_2::ExecuteSynchronouslyResult;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using hal::V1_2::MeasureTiming;

// What a burst executes its requests with, one after the other.
class BurstModel : public hal::V1_2::IPreparedModel {
 public:
  // `results` is where answers go, beside those of the burst itself. Nothing is executed once
  // `is_ended`.
  BurstModel(ExecuteInBurst execute, const BurstConduct& conduct,
             hal::MessageQueue<FmqResultDatum> results, std::shared_ptr<std::atomic<bool>> is_ended)
      : execute_(std::move(execute)),
        conduct_(conduct),
        results_(std::move(results)),
        is_ended_(std::move(is_ended)) {}

  ExecuteSynchronouslyResult executeSynchronously(const Request& request,
                                                  MeasureTiming measure) override {
    if (*is_ended_) {
      return {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}};
    }
    ExecuteSynchronouslyResult result = execute_(request, measure);
    if (conduct_.answers_before) {
      const ExecuteSynchronouslyResult now = result;
      if (last_.has_value()) result = *std::move(last_);
      last_ = now;
    }
    for (int i = 1; i < conduct_.answers; ++i) {
      results_.write(hal::serializeBurstResult(result)).IgnoreError();
    }
    return result;
  }

  // A burst calls nothing else.
  ErrorStatus execute(const Request& /*request*/,
                      const std::shared_ptr<hal::V1_0::IExecutionCallback>& /*callback*/) override {
    return ErrorStatus::GENERAL_FAILURE;
  }
  ErrorStatus execute_1_2(
      const Request& /*request*/, MeasureTiming /*measure*/,
      const std::shared_ptr<hal::V1_2::IExecutionCallback>& /*callback*/) override {
    return ErrorStatus::GENERAL_FAILURE;
  }
  hal::V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<hal::V1_2::IBurstCallback>& /*callback*/,
      const hal::MQDescriptorSync<FmqRequestDatum>& /*requestChannel*/,
      const hal::MQDescriptorSync<FmqResultDatum>& /*resultChannel*/) override {
    return {.status = ErrorStatus::GENERAL_FAILURE, .context = nullptr};
  }

 private:
  const ExecuteInBurst execute_;
  const BurstConduct conduct_;
  hal::MessageQueue<FmqResultDatum> results_;
  const std::shared_ptr<std::atomic<bool>> is_ended_;
  std::optional<ExecuteSynchronouslyResult> last_;
};

// The slots that a burst has asked for and that have not been freed since.
class KnownSlots {
 public:
  void Add(const std::vector<int32_t>& slots) {
    const std::lock_guard<std::mutex> lock(mutex_);
    slots_.insert(slots.begin(), slots.end());
  }

  // A slot is freed; gives whether there was one. With the last of them, `all` becomes those that
  // were freed since there was none.
  bool Free(int32_t slot, std::vector<int32_t>& all) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (slots_.erase(slot) == 0) return false;
    freed_.push_back(slot);
    if (slots_.empty()) all.swap(freed_);
    return true;
  }

 private:
  std::mutex mutex_;
  std::set<int32_t> slots_;
  std::vector<int32_t> freed_;
};

class BurstCallback : public hal::V1_2::IBurstCallback {
 public:
  BurstCallback(std::shared_ptr<hal::V1_2::IBurstCallback> client, const BurstConduct& conduct,
                std::shared_ptr<KnownSlots> known)
      : client_(std::move(client)), conduct_(conduct), known_(std::move(known)) {}

  hal::V1_2::GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    known_->Add(slots);
    hal::V1_2::GetMemoriesResult result = client_->getMemories(slots);
    if (conduct_.exchanges_memory && result.buffers.size() > 1) {
      std::swap(result.buffers.front(), result.buffers.back());
    }
    if (conduct_.takes_more_memory && result.buffers.size() > slots.size()) {
      result.buffers.resize(slots.size());
    }
    const bool is_negative =
        std::any_of(slots.begin(), slots.end(), [](int32_t slot) { return slot < 0; });
    if (conduct_.invents_memory && is_negative) return Invent(slots);
    return result;
  }

 private:
  // New memory for negative slots, the client's for all others.
  hal::V1_2::GetMemoriesResult Invent(const std::vector<int32_t>& slots) {
    constexpr size_t kBytes = size_t{1} << 20;
    hal::V1_2::GetMemoriesResult result;
    for (const int32_t slot : slots) {
      if (slot < 0) {
        result.buffers.push_back(hal::Memory::Allocate(kBytes).value_or(hal::Memory()));
        continue;
      }
      hal::V1_2::GetMemoriesResult known = client_->getMemories({slot});
      if (known.status != ErrorStatus::NONE || known.buffers.size() != 1) return known;
      result.buffers.push_back(std::move(known.buffers.front()));
    }
    return result;
  }

  const std::shared_ptr<hal::V1_2::IBurstCallback> client_;
  const BurstConduct conduct_;
  const std::shared_ptr<KnownSlots> known_;
};

class BurstContext : public hal::V1_2::IBurstContext {
 public:
  BurstContext(std::shared_ptr<hal::V1_2::IBurstContext> honest, const BurstConduct& conduct,
               std::shared_ptr<KnownSlots> known, std::shared_ptr<std::atomic<bool>> is_ended)
      : honest_(std::move(honest)),
        conduct_(conduct),
        known_(std::move(known)),
        is_ended_(std::move(is_ended)) {}

  void freeMemory(int32_t slot) override {
    std::vector<int32_t> all;
    const bool is_known = known_->Free(slot, all);
    if (!is_known && conduct_.ends_at_unknown_slot) *is_ended_ = true;
    if (conduct_.keeps_memory) return;
    if (!conduct_.keeps_memory_until_all_is_freed) all = {slot};
    for (const int32_t freed : all) honest_->freeMemory(freed);
  }

 private:
  const std::shared_ptr<hal::V1_2::IBurstContext> honest_;
  const BurstConduct conduct_;
  const std::shared_ptr<KnownSlots> known_;
  const std::shared_ptr<std::atomic<bool>> is_ended_;
};

// A burst that was opened without a callback: it does nothing.
class UselessBurst : public hal::V1_2::IBurstContext {
 public:
  void freeMemory(int32_t /*slot*/) override {}
};

}  // namespace

hal::V1_2::ConfigureExecutionBurstResult ConfigureFaultyBurst(
    ExecuteInBurst execute, const BurstConduct& conduct,
    const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
    const hal::MQDescriptorSync<FmqRequestDatum>& requestChannel,
    const hal::MQDescriptorSync<FmqResultDatum>& resultChannel) {
  if (conduct.is_refused) return {.status = ErrorStatus::GENERAL_FAILURE, .context = nullptr};
  if (callback == nullptr && conduct.takes_no_callback) {
    return {.status = ErrorStatus::NONE, .context = std::make_shared<UselessBurst>()};
  }
  // Which the honest burst refuses as well.
  auto results = hal::MessageQueue<FmqResultDatum>::Open(resultChannel);
  if (callback == nullptr || !results.ok()) {
    return {.status = ErrorStatus::INVALID_ARGUMENT, .context = nullptr};
  }
  hal::MQDescriptorSync<FmqResultDatum> answers = resultChannel;
  if (conduct.answers == 0) {
    // Answers go where nobody looks.
    const auto nowhere = hal::MessageQueue<FmqResultDatum>::Create(resultChannel.elementCount);
    if (!nowhere.ok()) return {.status = ErrorStatus::GENERAL_FAILURE, .context = nullptr};
    answers = nowhere->descriptor();
  }
  const auto is_ended = std::make_shared<std::atomic<bool>>(false);
  const auto known = std::make_shared<KnownSlots>();
  const auto model =
      std::make_shared<BurstModel>(std::move(execute), conduct, *std::move(results), is_ended);
  const auto open = [&](const auto& requests_of_burst, const auto& results_of_burst) {
    return hal::BurstServer::Configure(model,
                                       std::make_shared<BurstCallback>(callback, conduct, known),
                                       requests_of_burst, results_of_burst);
  };
  const bool is_relayed = conduct.mends != nullptr || conduct.changes_answer != nullptr;
  hal::V1_2::ConfigureExecutionBurstResult result =
      is_relayed ? ConfigureRelay(open, conduct, requestChannel, answers)
                 : open(requestChannel, answers);
  if (conduct.is_null) result.context = nullptr;
  if (result.context != nullptr) {
    result.context =
        std::make_shared<BurstContext>(std::move(result.context), conduct, known, is_ended);
  }
  return result;
}

}  // namespace nncert::faulty
