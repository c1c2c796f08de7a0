// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/client_callbacks.h"

#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/transport/message_stream.h"
#include "hal/transport/wire.h"

namespace nncert::hal::transport {
namespace {

using V1_0::ErrorStatus;

// A callback, and whether it must still be called.
template <typename Callback1_0, typename Callback1_2>
class PendingCallback {
 public:
  PendingCallback(Channel& channel, std::shared_ptr<Callback1_0> callback, SentFlag is_sent)
      : channel_(channel), callback_(channel, std::move(callback)), is_sent_(std::move(is_sent)) {}

  // When the driver cannot call it any more: has `fail` done unless it was called, or was dropped
  // by a driver that is still there. That is known only when the loop has run.
  void FailIfForsaken(kj::Function<void()> fail) {
    if (is_called_) return;
    channel_.Post([&channel = channel_, is_sent = *is_sent_, fail = kj::mv(fail)]() mutable {
      if (channel.is_lost() || !is_sent) fail();
    });
  }

  void SetCalled() { is_called_ = true; }
  Channel& channel() const { return channel_; }
  const std::shared_ptr<Callback1_0>& get() const { return callback_.get(); }
  std::shared_ptr<Callback1_2> get_1_2() const {
    return std::dynamic_pointer_cast<Callback1_2>(callback_.get());
  }

 private:
  Channel& channel_;
  Held<Callback1_0> callback_;
  const SentFlag is_sent_;
  bool is_called_ = false;
};

// What is wrong with a call of the driver, which then loses the channel.
kj::Promise<void> Refuse(Channel& channel, const char* call, const absl::Status& status) {
  channel.Break(absl::StrCat("the call of ", call, " is wrong: ", status.message()));
  return KJ_EXCEPTION(FAILED, "the call breaks the protocol");
}

class PreparedModelCallbackServer final : public wire::PreparedModelCallback::Server {
 public:
  PreparedModelCallbackServer(Channel& channel,
                              std::shared_ptr<V1_0::IPreparedModelCallback> callback,
                              SentFlag is_sent)
      : callback_(channel, std::move(callback), std::move(is_sent)) {}

  ~PreparedModelCallbackServer() {
    callback_.FailIfForsaken([callback = callback_.get(), callback_1_2 = callback_.get_1_2()] {
      if (callback_1_2 != nullptr) {
        callback_1_2->notify_1_2(ErrorStatus::GENERAL_FAILURE, nullptr);
      } else {
        callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
      }
    });
  }

  kj::Promise<void> notify(NotifyContext context) override {
    static constexpr char kCall[] = "IPreparedModelCallback::notify";
    const auto params = context.getParams();
    const absl::StatusOr<ErrorStatus> status = ReadErrorStatus(params.getStatus());
    if (!status.ok()) return Refuse(callback_.channel(), kCall, status.status());
    auto prepared = ReadPreparedModel(callback_.channel(), params.getPreparedModel());
    if (!prepared.ok()) return Refuse(callback_.channel(), kCall, prepared.status());
    callback_.SetCalled();
    return callback_.channel().Background(
        [callback = callback_.get(), value = *status, prepared = *std::move(prepared)] {
          callback->notify(value, prepared);
        },
        Channel::WhenLost::kDoItStill);
  }

  kj::Promise<void> notifyV12(NotifyV12Context context) override {
    static constexpr char kCall[] = "IPreparedModelCallback::notify_1_2";
    const auto params = context.getParams();
    const absl::StatusOr<ErrorStatus> status = ReadErrorStatus(params.getStatus());
    if (!status.ok()) return Refuse(callback_.channel(), kCall, status.status());
    const auto callback_1_2 = callback_.get_1_2();
    if (callback_1_2 == nullptr) {
      return Refuse(callback_.channel(), kCall,
                    absl::InvalidArgumentError("the callback is one of HAL 1.0"));
    }
    const auto pointer = params.getPreparedModel();
    if (pointer.hasPreparedModel() && !pointer.getIsV12()) {
      return Refuse(callback_.channel(), kCall,
                    absl::InvalidArgumentError("the prepared model is one of HAL 1.0"));
    }
    const auto prepared = ReadPreparedModel(callback_.channel(), pointer);
    if (!prepared.ok()) return Refuse(callback_.channel(), kCall, prepared.status());
    callback_.SetCalled();
    return callback_.channel().Background(
        [callback_1_2, value = *status,
         prepared = std::dynamic_pointer_cast<V1_2::IPreparedModel>(*prepared)] {
          callback_1_2->notify_1_2(value, prepared);
        },
        Channel::WhenLost::kDoItStill);
  }

 private:
  PendingCallback<V1_0::IPreparedModelCallback, V1_2::IPreparedModelCallback> callback_;
};

class ExecutionCallbackServer final : public wire::ExecutionCallback::Server {
 public:
  ExecutionCallbackServer(Channel& channel, std::shared_ptr<V1_0::IExecutionCallback> callback,
                          SentFlag is_sent)
      : callback_(channel, std::move(callback), std::move(is_sent)) {}

  ~ExecutionCallbackServer() {
    callback_.FailIfForsaken([callback = callback_.get(), callback_1_2 = callback_.get_1_2()] {
      if (callback_1_2 != nullptr) {
        callback_1_2->notify_1_2(ErrorStatus::GENERAL_FAILURE, {}, V1_2::Timing());
      } else {
        callback->notify(ErrorStatus::GENERAL_FAILURE);
      }
    });
  }

  kj::Promise<void> notify(NotifyContext context) override {
    const absl::StatusOr<ErrorStatus> status = ReadErrorStatus(context.getParams().getStatus());
    if (!status.ok()) {
      return Refuse(callback_.channel(), "IExecutionCallback::notify", status.status());
    }
    callback_.SetCalled();
    return callback_.channel().Background(
        [callback = callback_.get(), value = *status] { callback->notify(value); },
        Channel::WhenLost::kDoItStill);
  }

  kj::Promise<void> notifyV12(NotifyV12Context context) override {
    static constexpr char kCall[] = "IExecutionCallback::notify_1_2";
    absl::StatusOr<V1_2::ExecuteSynchronouslyResult> result = Read(context.getParams().getResult());
    if (!result.ok()) return Refuse(callback_.channel(), kCall, result.status());
    const auto callback_1_2 = callback_.get_1_2();
    if (callback_1_2 == nullptr) {
      return Refuse(callback_.channel(), kCall,
                    absl::InvalidArgumentError("the callback is one of HAL 1.0"));
    }
    callback_.SetCalled();
    return callback_.channel().Background(
        [callback_1_2, value = *std::move(result)] {
          callback_1_2->notify_1_2(value.status, value.outputShapes, value.timing);
        },
        Channel::WhenLost::kDoItStill);
  }

 private:
  PendingCallback<V1_0::IExecutionCallback, V1_2::IExecutionCallback> callback_;
};

class BurstCallbackServer final : public wire::BurstCallback::Server {
 public:
  BurstCallbackServer(Channel& channel, std::shared_ptr<V1_2::IBurstCallback> callback)
      : channel_(channel), callback_(channel, std::move(callback)) {}

  kj::Promise<void> getMemories(GetMemoriesContext context) override {
    std::vector<int32_t> slots;
    for (const int32_t slot : context.getParams().getSlots()) slots.push_back(slot);
    const auto result = std::make_shared<V1_2::GetMemoriesResult>();
    return channel_
        .Background([callback = callback_.get(), slots = std::move(slots),
                     result] { *result = callback->getMemories(slots); },
                    Channel::WhenLost::kSkip)
        .then([context, result]() mutable {
          auto results = context.getResults(kSmallMessage);
          if (result->buffers.size() > kMaxDescriptorsOfMessage) {
            results.setStatus(static_cast<int32_t>(ErrorStatus::GENERAL_FAILURE));
            return;
          }
          results.setStatus(static_cast<int32_t>(result->status));
          Writer writer;
          writer.Write(result->buffers,
                       results.initBuffers(static_cast<unsigned>(result->buffers.size())));
        });
  }

 private:
  Channel& channel_;
  const Held<V1_2::IBurstCallback> callback_;
};

}  // namespace

void WriteCallback(Channel& channel, const std::shared_ptr<V1_0::IPreparedModelCallback>& callback,
                   const SentFlag& is_sent, wire::PreparedModelCallbackPointer::Builder builder) {
  if (callback == nullptr) return;
  builder.setCallback(kj::heap<PreparedModelCallbackServer>(channel, callback, is_sent));
  builder.setIsV12(dynamic_cast<V1_2::IPreparedModelCallback*>(callback.get()) != nullptr);
}

void WriteCallback(Channel& channel, const std::shared_ptr<V1_0::IExecutionCallback>& callback,
                   const SentFlag& is_sent, wire::ExecutionCallbackPointer::Builder builder) {
  if (callback == nullptr) return;
  builder.setCallback(kj::heap<ExecutionCallbackServer>(channel, callback, is_sent));
  builder.setIsV12(dynamic_cast<V1_2::IExecutionCallback*>(callback.get()) != nullptr);
}

wire::BurstCallback::Client MakeBurstCallback(
    Channel& channel, const std::shared_ptr<V1_2::IBurstCallback>& callback) {
  return kj::heap<BurstCallbackServer>(channel, callback);
}

}  // namespace nncert::hal::transport
