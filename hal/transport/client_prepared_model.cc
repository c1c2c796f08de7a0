// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Proxies of prepared models and bursts.

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/transport/channel.h"
#include "hal/transport/client_callbacks.h"
#include "hal/transport/client_objects.h"
#include "hal/transport/driver.capnp.h"
#include "hal/transport/wire.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport {
namespace {

using V1_0::ErrorStatus;

absl::Status OwnObject() {
  return absl::InvalidArgumentError("it gives an object of the client's own");
}

class BurstContextProxy final : public V1_2::IBurstContext {
 public:
  BurstContextProxy(std::shared_ptr<Channel> channel, wire::BurstContext::Client client)
      : remote_(std::move(channel), kj::mv(client)) {}

  void freeMemory(int32_t slot) override {
    // There is nothing that the interface could say about a failure.
    remote_.channel()
        .Call("IBurstContext::freeMemory",
              [&] {
                auto request = remote_.client().freeMemoryRequest(kSmallMessage);
                request.setSlot(slot);
                return request.send().then(
                    [](capnp::Response<wire::BurstContext::FreeMemoryResults>&&) {
                      return absl::OkStatus();
                    });
              })
        .IgnoreError();
  }

 private:
  Remote<wire::BurstContext> remote_;
};

// The methods of HAL 1.0.
template <typename Interface>
class PreparedModelMethods1_0 : public Interface {
 public:
  PreparedModelMethods1_0(std::shared_ptr<Channel> channel, wire::PreparedModel::Client client)
      : remote_(std::move(channel), kj::mv(client)) {}

  ErrorStatus execute(const V1_0::Request& request,
                      const std::shared_ptr<V1_0::IExecutionCallback>& callback) override {
    ErrorStatus result = ErrorStatus::GENERAL_FAILURE;
    const absl::Status status = remote_.channel().Call("IPreparedModel::execute", [&] {
      auto message = remote_.client().executeRequest(SizeHint(request));
      const auto is_sent = std::make_shared<bool>(false);
      WriteCallback(remote_.channel(), callback, is_sent, message.initCallback());
      Writer writer;
      writer.Write(request, message.initRequest());
      writer.CheckDescriptors();
      auto promise = message.send();
      *is_sent = true;
      return promise.then([&](capnp::Response<wire::PreparedModel::ExecuteResults>&& response) {
        return Take(ReadErrorStatus(response.getStatus()), result);
      });
    });
    return status.ok() ? result : ErrorStatus::GENERAL_FAILURE;
  }

 protected:
  Remote<wire::PreparedModel> remote_;
};

// The methods of HAL 1.2.
class PreparedModelProxy1_2 final : public PreparedModelMethods1_0<V1_2::IPreparedModel> {
 public:
  using PreparedModelMethods1_0::PreparedModelMethods1_0;

  ErrorStatus execute_1_2(const V1_2::Request& request, V1_2::MeasureTiming measure,
                          const std::shared_ptr<V1_2::IExecutionCallback>& callback) override {
    ErrorStatus result = ErrorStatus::GENERAL_FAILURE;
    const absl::Status status = remote_.channel().Call("IPreparedModel::execute_1_2", [&] {
      auto message = remote_.client().executeV12Request(SizeHint(request));
      const auto is_sent = std::make_shared<bool>(false);
      WriteCallback(remote_.channel(), callback, is_sent, message.initCallback());
      Writer writer;
      writer.Write(request, message.initRequest());
      writer.CheckDescriptors();
      message.setMeasure(static_cast<int32_t>(measure));
      auto promise = message.send();
      *is_sent = true;
      return promise.then([&](capnp::Response<wire::PreparedModel::ExecuteV12Results>&& response) {
        return Take(ReadErrorStatus(response.getStatus()), result);
      });
    });
    return status.ok() ? result : ErrorStatus::GENERAL_FAILURE;
  }

  V1_2::ExecuteSynchronouslyResult executeSynchronously(const V1_2::Request& request,
                                                        V1_2::MeasureTiming measure) override {
    V1_2::ExecuteSynchronouslyResult result;
    const absl::Status status = remote_.channel().Call("IPreparedModel::executeSynchronously", [&] {
      auto message = remote_.client().executeSynchronouslyRequest(SizeHint(request));
      Writer writer;
      writer.Write(request, message.initRequest());
      writer.CheckDescriptors();
      message.setMeasure(static_cast<int32_t>(measure));
      return message.send().then(
          [&](capnp::Response<wire::PreparedModel::ExecuteSynchronouslyResults>&& response) {
            return Take(Read(response.getResult()), result);
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}};
  }

  V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<V1_2::IBurstCallback>& callback,
      const MQDescriptorSync<V1_2::FmqRequestDatum>& requestChannel,
      const MQDescriptorSync<V1_2::FmqResultDatum>& resultChannel) override {
    ErrorStatus result = ErrorStatus::GENERAL_FAILURE;
    std::shared_ptr<V1_2::IBurstContext> burst;
    const absl::Status status =
        remote_.channel().Call("IPreparedModel::configureExecutionBurst", [&] {
          auto message = remote_.client().configureExecutionBurstRequest(kSmallMessage);
          if (callback != nullptr) {
            message.setCallback(MakeBurstCallback(remote_.channel(), callback));
          }
          Writer writer;
          writer.Write(requestChannel, message.initRequestChannel());
          writer.Write(resultChannel, message.initResultChannel());
          return message.send().then(
              [&](capnp::Response<wire::PreparedModel::ConfigureExecutionBurstResults>&& response) {
                if (response.hasContext()) {
                  if (!remote_.channel().IsOfPeer(response.getContext())) return OwnObject();
                  burst = std::make_shared<BurstContextProxy>(remote_.shared_channel(),
                                                              response.getContext());
                }
                return Take(ReadErrorStatus(response.getStatus()), result);
              });
        });
    if (status.ok()) return {.status = result, .context = std::move(burst)};
    return {.status = ErrorStatus::GENERAL_FAILURE, .context = nullptr};
  }
};

}  // namespace

absl::StatusOr<std::shared_ptr<V1_0::IPreparedModel>> ReadPreparedModel(
    Channel& channel, wire::PreparedModelPointer::Reader reader) {
  if (!reader.hasPreparedModel()) return nullptr;
  // An object that held the callback it came to would never go.
  if (!channel.IsOfPeer(reader.getPreparedModel())) return OwnObject();
  if (reader.getIsV12()) {
    return std::make_shared<PreparedModelProxy1_2>(channel.shared_from_this(),
                                                   reader.getPreparedModel());
  }
  return std::make_shared<PreparedModelMethods1_0<V1_0::IPreparedModel>>(channel.shared_from_this(),
                                                                         reader.getPreparedModel());
}

}  // namespace nncert::hal::transport
