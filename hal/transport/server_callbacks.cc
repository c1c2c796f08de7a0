// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Proxies of a client's callbacks.
//
// A notification is sent and not waited for, as it is one-way in the HAL.

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "hal/transport/server_objects.h"
#include "hal/transport/wire.h"

namespace nncert::hal::transport {
namespace {

using V1_0::ErrorStatus;

template <typename Interface>
class PreparedModelCallbackMethods : public Interface {
 public:
  PreparedModelCallbackMethods(std::shared_ptr<Channel> channel,
                               wire::PreparedModelCallback::Client client,
                               std::shared_ptr<PoolReader> pools)
      : remote_(std::move(channel), kj::mv(client)), pools_(std::move(pools)) {}

  void notify(ErrorStatus status,
              const std::shared_ptr<V1_0::IPreparedModel>& preparedModel) override {
    remote_.channel().Run([&] {
      auto request = remote_.client().notifyRequest(kSmallMessage);
      request.setStatus(static_cast<int32_t>(status));
      WritePreparedModel(remote_.channel(), preparedModel, pools_, request.initPreparedModel());
      remote_.channel().Track(request.send().ignoreResult());
    });
  }

 protected:
  Remote<wire::PreparedModelCallback> remote_;
  const std::shared_ptr<PoolReader> pools_;
};

class PreparedModelCallbackProxy1_2 final
    : public PreparedModelCallbackMethods<V1_2::IPreparedModelCallback> {
 public:
  using PreparedModelCallbackMethods::PreparedModelCallbackMethods;

  void notify_1_2(ErrorStatus status,
                  const std::shared_ptr<V1_2::IPreparedModel>& preparedModel) override {
    remote_.channel().Run([&] {
      auto request = remote_.client().notifyV12Request(kSmallMessage);
      request.setStatus(static_cast<int32_t>(status));
      WritePreparedModel(remote_.channel(), preparedModel, pools_, request.initPreparedModel());
      remote_.channel().Track(request.send().ignoreResult());
    });
  }
};

template <typename Interface>
class ExecutionCallbackMethods : public Interface {
 public:
  ExecutionCallbackMethods(std::shared_ptr<Channel> channel, wire::ExecutionCallback::Client client)
      : remote_(std::move(channel), kj::mv(client)) {}

  void notify(ErrorStatus status) override {
    remote_.channel().Run([&] {
      auto request = remote_.client().notifyRequest(kSmallMessage);
      request.setStatus(static_cast<int32_t>(status));
      remote_.channel().Track(request.send().ignoreResult());
    });
  }

 protected:
  Remote<wire::ExecutionCallback> remote_;
};

class ExecutionCallbackProxy1_2 final : public ExecutionCallbackMethods<V1_2::IExecutionCallback> {
 public:
  using ExecutionCallbackMethods::ExecutionCallbackMethods;

  void notify_1_2(ErrorStatus status, const std::vector<V1_2::OutputShape>& outputShapes,
                  const V1_2::Timing& timing) override {
    remote_.channel().Run([&] {
      auto request = remote_.client().notifyV12Request(kSmallMessage);
      Write({.status = status, .outputShapes = outputShapes, .timing = timing},
            request.initResult());
      remote_.channel().Track(request.send().ignoreResult());
    });
  }
};

class BurstCallbackProxy final : public V1_2::IBurstCallback {
 public:
  BurstCallbackProxy(std::shared_ptr<Channel> channel, wire::BurstCallback::Client client,
                     std::shared_ptr<PoolReader> pools)
      : remote_(std::move(channel), kj::mv(client)), pools_(std::move(pools)) {}

  V1_2::GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    V1_2::GetMemoriesResult result;
    const absl::Status status = remote_.channel().Call("IBurstCallback::getMemories", [&] {
      auto request = remote_.client().getMemoriesRequest(kSmallMessage);
      auto list = request.initSlots(static_cast<unsigned>(slots.size()));
      for (size_t i = 0; i < slots.size(); ++i) list.set(static_cast<unsigned>(i), slots[i]);
      return request.send().then(
          [&](capnp::Response<wire::BurstCallback::GetMemoriesResults>&& response) {
            const absl::StatusOr<ErrorStatus> error = ReadErrorStatus(response.getStatus());
            if (!error.ok()) return error.status();
            absl::StatusOr<std::vector<Memory>> buffers = pools_->Read(response.getBuffers());
            if (!buffers.ok()) return buffers.status();
            result = {.status = *error, .buffers = *std::move(buffers)};
            return absl::OkStatus();
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE, .buffers = {}};
  }

 private:
  Remote<wire::BurstCallback> remote_;
  const std::shared_ptr<PoolReader> pools_;
};

}  // namespace

std::shared_ptr<V1_0::IPreparedModelCallback> ReadCallback(
    Channel& channel, const std::shared_ptr<PoolReader>& pools,
    wire::PreparedModelCallbackPointer::Reader reader) {
  if (!reader.hasCallback()) return nullptr;
  if (reader.getIsV12()) {
    return std::make_shared<PreparedModelCallbackProxy1_2>(channel.shared_from_this(),
                                                           reader.getCallback(), pools);
  }
  return std::make_shared<PreparedModelCallbackMethods<V1_0::IPreparedModelCallback>>(
      channel.shared_from_this(), reader.getCallback(), pools);
}

std::shared_ptr<V1_0::IExecutionCallback> ReadCallback(
    Channel& channel, wire::ExecutionCallbackPointer::Reader reader) {
  if (!reader.hasCallback()) return nullptr;
  if (reader.getIsV12()) {
    return std::make_shared<ExecutionCallbackProxy1_2>(channel.shared_from_this(),
                                                       reader.getCallback());
  }
  return std::make_shared<ExecutionCallbackMethods<V1_0::IExecutionCallback>>(
      channel.shared_from_this(), reader.getCallback());
}

std::shared_ptr<V1_2::IBurstCallback> MakeBurstCallbackProxy(
    Channel& channel, const std::shared_ptr<PoolReader>& pools,
    wire::BurstCallback::Client client) {
  return std::make_shared<BurstCallbackProxy>(channel.shared_from_this(), kj::mv(client), pools);
}

}  // namespace nncert::hal::transport
