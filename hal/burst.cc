// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/burst.h"

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "hal/driver_base.h"
#include "hal/vlog.h"

namespace nncert::hal {
namespace {

using V1_2::ErrorStatus;
using V1_2::ExecuteSynchronouslyResult;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;

// A client may say that its channel has any number of elements, and that they are all full.
constexpr uint32_t kMostElements = uint32_t{1} << 20;

absl::Status CheckElementCount(const char* channel, uint32_t count) {
  if (count <= kMostElements) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("the ", channel, " channel has ", count,
                                                 " elements; expected at most ", kMostElements));
}

}  // namespace

absl::StatusOr<std::shared_ptr<BurstServer>> BurstServer::Start(
    std::shared_ptr<V1_2::IPreparedModel> preparedModel,
    std::shared_ptr<V1_2::IBurstCallback> callback,
    const MQDescriptorSync<FmqRequestDatum>& requestChannel,
    const MQDescriptorSync<FmqResultDatum>& resultChannel) {
  if (preparedModel == nullptr || callback == nullptr) {
    return absl::InvalidArgumentError("a burst needs a prepared model and a callback");
  }
  absl::Status status = CheckElementCount("request", requestChannel.elementCount);
  status.Update(CheckElementCount("result", resultChannel.elementCount));
  if (!status.ok()) return status;
  auto requests = MessageQueue<FmqRequestDatum>::Open(requestChannel);
  if (!requests.ok()) return absl::InvalidArgumentError(requests.status().message());
  auto results = MessageQueue<FmqResultDatum>::Open(resultChannel);
  if (!results.ok()) return absl::InvalidArgumentError(results.status().message());
  std::shared_ptr<BurstServer> server(new BurstServer(std::move(preparedModel), std::move(callback),
                                                      *std::move(requests), *std::move(results)));
  absl::Status started = server->thread_.Add([raw = server.get()] { raw->Serve(); });
  if (!started.ok()) return started;
  return server;
}

V1_2::ConfigureExecutionBurstResult BurstServer::Configure(
    std::shared_ptr<V1_2::IPreparedModel> preparedModel,
    std::shared_ptr<V1_2::IBurstCallback> callback,
    const MQDescriptorSync<FmqRequestDatum>& requestChannel,
    const MQDescriptorSync<FmqResultDatum>& resultChannel) {
  absl::StatusOr<std::shared_ptr<BurstServer>> server =
      Start(std::move(preparedModel), std::move(callback), requestChannel, resultChannel);
  if (!server.ok()) {
    NNVLOG(DRIVER) << "refused a burst: " << server.status();
    return {.status = errorStatusOf(server.status()), .context = nullptr};
  }
  return {.status = ErrorStatus::NONE, .context = *std::move(server)};
}

BurstServer::BurstServer(std::shared_ptr<V1_2::IPreparedModel> prepared_model,
                         std::shared_ptr<V1_2::IBurstCallback> callback,
                         MessageQueue<FmqRequestDatum> requests,
                         MessageQueue<FmqResultDatum> results)
    : prepared_model_(std::move(prepared_model)),
      callback_(std::move(callback)),
      requests_(std::move(requests)),
      results_(std::move(results)) {}

BurstServer::~BurstServer() { requests_.interrupt(); }

void BurstServer::freeMemory(int32_t slot) {
  const std::lock_guard<std::mutex> lock(mutex_);
  memories_.erase(slot);
}

void BurstServer::Serve() {
  while (true) {
    const absl::StatusOr<std::vector<FmqRequestDatum>> packet = ReadPacket();
    if (!packet.ok()) {
      NNVLOG(DRIVER) << "the burst ends: " << packet.status();
      return;
    }
    Answer(Execute(*packet));
  }
}

absl::StatusOr<std::vector<FmqRequestDatum>> BurstServer::ReadPacket() {
  // The client writes a packet at once and no second one before it has been answered, so whatever
  // is there belongs to it, even when its packet information says otherwise.
  return requests_.readAll(absl::InfiniteDuration(), kUsualBurstElements);
}

ExecuteSynchronouslyResult BurstServer::Execute(absl::Span<const FmqRequestDatum> packet) {
  absl::StatusOr<BurstRequest> request = deserializeBurstRequest(packet);
  if (request.ok()) {
    absl::StatusOr<std::vector<Memory>> memories = MemoriesOf(request->slots);
    if (memories.ok()) {
      request->request.pools = *std::move(memories);
      return prepared_model_->executeSynchronously(request->request, request->measure);
    }
    request = memories.status();
  }
  NNVLOG(DRIVER) << "refused a burst request: " << request.status();
  return {.status = ErrorStatus::INVALID_ARGUMENT, .outputShapes = {}, .timing = {}};
}

absl::StatusOr<std::vector<Memory>> BurstServer::MemoriesOf(const std::vector<int32_t>& slots) {
  std::vector<int32_t> unknown;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const int32_t slot : slots) {
      if (!memories_.contains(slot) &&
          std::find(unknown.begin(), unknown.end(), slot) == unknown.end()) {
        unknown.push_back(slot);
      }
    }
  }
  V1_2::GetMemoriesResult fetched;
  if (!unknown.empty()) {
    // Not under the lock, for the client may free memory while it answers.
    fetched = callback_->getMemories(unknown);
    if (fetched.status != ErrorStatus::NONE || fetched.buffers.size() != unknown.size()) {
      return absl::InvalidArgumentError("the client does not know the slots of its request");
    }
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  for (size_t i = 0; i < unknown.size(); ++i) memories_[unknown[i]] = fetched.buffers[i];
  std::vector<Memory> memories;
  memories.reserve(slots.size());
  for (const int32_t slot : slots) {
    const auto found = memories_.find(slot);
    if (found == memories_.end()) {
      return absl::InvalidArgumentError(absl::StrCat("slot ", slot, " was freed while in use"));
    }
    memories.push_back(found->second);
  }
  return memories;
}

void BurstServer::Answer(const ExecuteSynchronouslyResult& result) {
  if (results_.write(serializeBurstResult(result)).ok()) return;
  const absl::Status status = results_.write(serializeBurstResult(
      {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}}));
  if (!status.ok()) NNVLOG(DRIVER) << "cannot answer a burst request: " << status;
}

}  // namespace nncert::hal
