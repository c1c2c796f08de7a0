// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_burst.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/burst.h"
#include "hal/burst_packet.h"

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
  // `results` is where answers go, beside those of the burst itself.
  BurstModel(ExecuteInBurst execute, const BurstConduct& conduct,
             hal::MessageQueue<FmqResultDatum> results)
      : execute_(std::move(execute)), conduct_(conduct), results_(std::move(results)) {}

  ExecuteSynchronouslyResult executeSynchronously(const Request& request,
                                                  MeasureTiming measure) override {
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
  std::optional<ExecuteSynchronouslyResult> last_;
};

class BurstCallback : public hal::V1_2::IBurstCallback {
 public:
  BurstCallback(std::shared_ptr<hal::V1_2::IBurstCallback> client, const BurstConduct& conduct)
      : client_(std::move(client)), conduct_(conduct) {}

  hal::V1_2::GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    hal::V1_2::GetMemoriesResult result = client_->getMemories(slots);
    if (conduct_.exchanges_memory && result.buffers.size() > 1) {
      std::swap(result.buffers.front(), result.buffers.back());
    }
    return result;
  }

 private:
  const std::shared_ptr<hal::V1_2::IBurstCallback> client_;
  const BurstConduct conduct_;
};

class BurstContext : public hal::V1_2::IBurstContext {
 public:
  BurstContext(std::shared_ptr<hal::V1_2::IBurstContext> honest, const BurstConduct& conduct)
      : honest_(std::move(honest)), conduct_(conduct) {}

  void freeMemory(int32_t slot) override {
    if (!conduct_.keeps_memory) honest_->freeMemory(slot);
  }

 private:
  const std::shared_ptr<hal::V1_2::IBurstContext> honest_;
  const BurstConduct conduct_;
};

}  // namespace

hal::V1_2::ConfigureExecutionBurstResult ConfigureFaultyBurst(
    ExecuteInBurst execute, const BurstConduct& conduct,
    const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
    const hal::MQDescriptorSync<FmqRequestDatum>& requestChannel,
    const hal::MQDescriptorSync<FmqResultDatum>& resultChannel) {
  if (conduct.is_refused) return {.status = ErrorStatus::GENERAL_FAILURE, .context = nullptr};
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
  hal::V1_2::ConfigureExecutionBurstResult result = hal::BurstServer::Configure(
      std::make_shared<BurstModel>(std::move(execute), conduct, *std::move(results)),
      std::make_shared<BurstCallback>(callback, conduct), requestChannel, answers);
  if (conduct.is_null) result.context = nullptr;
  if (result.context != nullptr) {
    result.context = std::make_shared<BurstContext>(std::move(result.context), conduct);
  }
  return result;
}

}  // namespace nncert::faulty
