// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Capabilities for a driver's prepared models and bursts.

#include <utility>

#include "absl/status/status.h"
#include "glog/logging.h"
#include "hal/transport/server_objects.h"
#include "hal/transport/wire.h"

namespace nncert::hal::transport {
namespace {

using V1_0::ErrorStatus;

int32_t Number(ErrorStatus status) { return static_cast<int32_t>(status); }

class BurstContextServer final : public wire::BurstContext::Server {
 public:
  BurstContextServer(Channel& channel, std::shared_ptr<V1_2::IBurstContext> burst)
      : channel_(channel), burst_(channel, std::move(burst)) {}

  kj::Promise<void> freeMemory(FreeMemoryContext context) override {
    return channel_.Background(
        [burst = burst_.get(), slot = context.getParams().getSlot()] { burst->freeMemory(slot); },
        Channel::WhenLost::kSkip);
  }

 private:
  Channel& channel_;
  const Held<V1_2::IBurstContext> burst_;
};

class PreparedModelServer final : public wire::PreparedModel::Server {
 public:
  PreparedModelServer(Channel& channel, std::shared_ptr<V1_0::IPreparedModel> prepared,
                      std::shared_ptr<PoolReader> pools)
      : channel_(channel), prepared_(channel, std::move(prepared)), pools_(std::move(pools)) {}

  kj::Promise<void> execute(ExecuteContext context) override {
    const auto params = context.getParams();
    auto request = pools_->Read(params.getRequest());
    auto callback = ReadCallback(channel_, params.getCallback());
    context.releaseParams();
    const auto status = std::make_shared<ErrorStatus>(ErrorStatus::GENERAL_FAILURE);
    return channel_
        .Background(
            [prepared = prepared_.get(), request = std::move(request),
             callback = std::move(callback), status] {
              if (request.ok()) {
                *status = prepared->execute(*request, callback);
              } else {
                *status = Refuse(request.status());
                if (callback != nullptr) callback->notify(*status);
              }
            },
            Channel::WhenLost::kSkip)
        .then([context, status]() mutable {
          context.getResults(kSmallMessage).setStatus(Number(*status));
        });
  }

  kj::Promise<void> executeV12(ExecuteV12Context context) override {
    const auto prepared = get_1_2();
    const auto params = context.getParams();
    auto request = pools_->Read(params.getRequest());
    auto callback = ReadCallback(channel_, params.getCallback());
    const auto measure = static_cast<V1_2::MeasureTiming>(params.getMeasure());
    context.releaseParams();
    const auto status = std::make_shared<ErrorStatus>(ErrorStatus::GENERAL_FAILURE);
    return channel_
        .Background(
            [prepared, request = std::move(request), callback = std::move(callback), measure,
             status] {
              const auto callback_1_2 =
                  std::dynamic_pointer_cast<V1_2::IExecutionCallback>(callback);
              absl::Status wrong = request.status();
              if (callback != nullptr && callback_1_2 == nullptr) {
                wrong = absl::InvalidArgumentError("the callback is one of HAL 1.0");
              }
              if (wrong.ok()) {
                *status = prepared->execute_1_2(*request, measure, callback_1_2);
                return;
              }
              *status = Refuse(wrong);
              if (callback_1_2 != nullptr) {
                callback_1_2->notify_1_2(*status, {}, V1_2::Timing());
              } else if (callback != nullptr) {
                callback->notify(*status);
              }
            },
            Channel::WhenLost::kSkip)
        .then([context, status]() mutable {
          context.getResults(kSmallMessage).setStatus(Number(*status));
        });
  }

  kj::Promise<void> executeSynchronously(ExecuteSynchronouslyContext context) override {
    const auto params = context.getParams();
    auto request = pools_->Read(params.getRequest());
    const auto measure = static_cast<V1_2::MeasureTiming>(params.getMeasure());
    context.releaseParams();
    const auto result = std::make_shared<V1_2::ExecuteSynchronouslyResult>();
    return channel_
        .Background(
            [prepared = get_1_2(), request = std::move(request), measure, result] {
              if (request.ok()) {
                *result = prepared->executeSynchronously(*request, measure);
              } else {
                result->status = Refuse(request.status());
              }
            },
            Channel::WhenLost::kSkip)
        .then([context, result]() mutable {
          Write(*result, context.getResults(kSmallMessage).initResult());
        });
  }

  kj::Promise<void> configureExecutionBurst(ConfigureExecutionBurstContext context) override {
    const auto prepared = get_1_2();
    const auto params = context.getParams();
    auto requests = ReadChannel<V1_2::FmqRequestDatum>(params.getRequestChannel());
    auto results = ReadChannel<V1_2::FmqResultDatum>(params.getResultChannel());
    std::shared_ptr<V1_2::IBurstCallback> callback;
    if (params.hasCallback())
      callback = MakeBurstCallbackProxy(channel_, pools_, params.getCallback());
    context.releaseParams();
    const auto result = std::make_shared<V1_2::ConfigureExecutionBurstResult>();
    return channel_
        .Background(
            [prepared, requests = std::move(requests), results = std::move(results),
             callback = std::move(callback), result] {
              if (!requests.ok() || !results.ok()) {
                result->status = Refuse(requests.ok() ? results.status() : requests.status());
                return;
              }
              *result = prepared->configureExecutionBurst(callback, *requests, *results);
            },
            Channel::WhenLost::kSkip)
        .then([this, context, result]() mutable {
          context.getResults(kSmallMessage).setStatus(Number(result->status));
          if (result->context == nullptr) return;
          // Moved, so that the work does not keep the burst alive.
          context.getResults(kSmallMessage)
              .setContext(kj::heap<BurstContextServer>(channel_, std::move(result->context)));
        });
  }

 private:
  // The client is told what a driver would tell it.
  static ErrorStatus Refuse(const absl::Status& status) {
    LOG(WARNING) << "refused a request: " << status;
    return ErrorStatus::INVALID_ARGUMENT;
  }

  // Throws when the prepared model is one of HAL 1.0.
  std::shared_ptr<V1_2::IPreparedModel> get_1_2() const {
    auto prepared = std::dynamic_pointer_cast<V1_2::IPreparedModel>(prepared_.get());
    KJ_REQUIRE(prepared != nullptr, "the prepared model is one of HAL 1.0");
    return prepared;
  }

  Channel& channel_;
  const Held<V1_0::IPreparedModel> prepared_;
  const std::shared_ptr<PoolReader> pools_;
};

}  // namespace

void WritePreparedModel(Channel& channel, const std::shared_ptr<V1_0::IPreparedModel>& prepared,
                        const std::shared_ptr<PoolReader>& pools,
                        wire::PreparedModelPointer::Builder builder) {
  if (prepared == nullptr) return;
  builder.setPreparedModel(kj::heap<PreparedModelServer>(channel, prepared, pools));
  builder.setIsV12(dynamic_cast<V1_2::IPreparedModel*>(prepared.get()) != nullptr);
}

}  // namespace nncert::hal::transport
