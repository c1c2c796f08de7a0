// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Capabilities for a driver's device.

#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "glog/logging.h"
#include "hal/conversion.h"
#include "hal/replay/call_sequence.h"
#include "hal/replay/spare_queues.h"
#include "hal/transport/sequence_wire.h"
#include "hal/transport/server_objects.h"
#include "hal/transport/wire.h"

namespace nncert::hal::transport {
namespace {

using V1_0::ErrorStatus;

int32_t Number(ErrorStatus status) { return static_cast<int32_t>(status); }

// The client is told what a driver would tell it.
ErrorStatus Refuse(const absl::Status& status) {
  LOG(WARNING) << "refused a request: " << status;
  return ErrorStatus::INVALID_ARGUMENT;
}

// Tells a callback of either version that there is no prepared model.
void NotifyFailure(const std::shared_ptr<V1_0::IPreparedModelCallback>& callback,
                   ErrorStatus status) {
  if (const auto callback_1_2 = std::dynamic_pointer_cast<V1_2::IPreparedModelCallback>(callback)) {
    callback_1_2->notify_1_2(status, nullptr);
  } else if (callback != nullptr) {
    callback->notify(status, nullptr);
  }
}

class DeviceServer final : public wire::Device::Server {
 public:
  DeviceServer(Channel& channel, std::shared_ptr<V1_0::IDevice> device)
      : channel_(channel), device_(channel, std::move(device)) {}

  // --- HAL 1.0 ---

  kj::Promise<void> getCapabilities(GetCapabilitiesContext context) override {
    return Ask(
        context, get_1_0(), [](V1_0::IDevice& device) { return device.getCapabilities(); },
        [](const V1_0::GetCapabilitiesResult& from, auto to) {
          to.setStatus(Number(from.status));
          Write(from.capabilities.float32Performance, to.initFloat32());
          Write(from.capabilities.quantized8Performance, to.initQuantized8());
        });
  }

  kj::Promise<void> getSupportedOperations(GetSupportedOperationsContext context) override {
    return AskAboutModel(context, get_1_0(), [](V1_0::IDevice& device, const V1_2::Model& model) {
      return device.getSupportedOperations(convertToV1_0(model));
    });
  }

  kj::Promise<void> prepareModel(PrepareModelContext context) override {
    auto model = Read(context.getParams().getModel());
    absl::Status wrong = model.status();
    return Prepare(context, get_1_0(), std::move(wrong),
                   [model = std::move(model)](V1_0::IDevice& device, const auto& callback) {
                     return device.prepareModel(convertToV1_0(*model), callback);
                   });
  }

  // So a client can find out what became of something that it has released.
  kj::Promise<void> getStatus(GetStatusContext context) override {
    return channel_.AfterReleases().then([this, context]() mutable {
      return Ask(
          context, get_1_0(), [](V1_0::IDevice& device) { return device.getStatus(); },
          [](V1_0::DeviceStatus status, auto to) { to.setStatus(static_cast<int32_t>(status)); });
    });
  }

  // --- HAL 1.1 ---

  kj::Promise<void> getCapabilitiesV11(GetCapabilitiesV11Context context) override {
    return Ask(
        context, As<V1_1::IDevice>(),
        [](V1_1::IDevice& device) { return device.getCapabilities_1_1(); },
        [](const V1_1::GetCapabilitiesResult& from, auto to) {
          to.setStatus(Number(from.status));
          Write(from.capabilities.float32Performance, to.initFloat32());
          Write(from.capabilities.quantized8Performance, to.initQuantized8());
          Write(from.capabilities.relaxedFloat32toFloat16Performance,
                to.initRelaxedFloat32toFloat16());
        });
  }

  kj::Promise<void> getSupportedOperationsV11(GetSupportedOperationsV11Context context) override {
    return AskAboutModel(context, As<V1_1::IDevice>(),
                         [](V1_1::IDevice& device, const V1_2::Model& model) {
                           return device.getSupportedOperations_1_1(convertToV1_1(model));
                         });
  }

  kj::Promise<void> prepareModelV11(PrepareModelV11Context context) override {
    auto model = Read(context.getParams().getModel());
    absl::Status wrong = model.status();
    const auto preference =
        static_cast<V1_1::ExecutionPreference>(context.getParams().getPreference());
    return Prepare(
        context, As<V1_1::IDevice>(), std::move(wrong),
        [model = std::move(model), preference](V1_1::IDevice& device, const auto& callback) {
          return device.prepareModel_1_1(convertToV1_1(*model), preference, callback);
        });
  }

  // --- HAL 1.2 ---

  kj::Promise<void> getVersionString(GetVersionStringContext context) override {
    return Ask(
        context, As<V1_2::IDevice>(),
        [](V1_2::IDevice& device) { return device.getVersionString(); },
        [](const V1_2::GetVersionStringResult& from, auto to) {
          to.setStatus(Number(from.status));
          to.setVersion(ToWire(from.version));
        });
  }

  kj::Promise<void> getType(GetTypeContext context) override {
    return Ask(
        context, As<V1_2::IDevice>(), [](V1_2::IDevice& device) { return device.getType(); },
        [](const V1_2::GetTypeResult& from, auto to) {
          to.setStatus(Number(from.status));
          to.setType(static_cast<int32_t>(from.type));
        });
  }

  kj::Promise<void> getCapabilitiesV12(GetCapabilitiesV12Context context) override {
    return Ask(
        context, As<V1_2::IDevice>(),
        [](V1_2::IDevice& device) { return device.getCapabilities_1_2(); },
        [](const V1_2::GetCapabilitiesResult& from, auto to) {
          to.setStatus(Number(from.status));
          const V1_2::Capabilities& capabilities = from.capabilities;
          Write(capabilities.relaxedFloat32toFloat16PerformanceScalar,
                to.initRelaxedFloat32toFloat16Scalar());
          Write(capabilities.relaxedFloat32toFloat16PerformanceTensor,
                to.initRelaxedFloat32toFloat16Tensor());
          auto list = to.initOperandPerformance(
              static_cast<unsigned>(capabilities.operandPerformance.size()));
          for (unsigned i = 0; i < list.size(); ++i) {
            list[i].setType(static_cast<int32_t>(capabilities.operandPerformance[i].type));
            Write(capabilities.operandPerformance[i].info, list[i].initInfo());
          }
        });
  }

  kj::Promise<void> getSupportedExtensions(GetSupportedExtensionsContext context) override {
    return Ask(
        context, As<V1_2::IDevice>(),
        [](V1_2::IDevice& device) { return device.getSupportedExtensions(); },
        [](const V1_2::GetSupportedExtensionsResult& from, auto to) {
          to.setStatus(Number(from.status));
          auto list = to.initExtensions(static_cast<unsigned>(from.extensions.size()));
          for (unsigned i = 0; i < list.size(); ++i) {
            const V1_2::Extension& extension = from.extensions[i];
            list[i].setName(ToWire(extension.name));
            auto types =
                list[i].initOperandTypes(static_cast<unsigned>(extension.operandTypes.size()));
            for (unsigned j = 0; j < types.size(); ++j) {
              types[j].setType(extension.operandTypes[j].type);
              types[j].setIsTensor(extension.operandTypes[j].isTensor);
              types[j].setByteSize(extension.operandTypes[j].byteSize);
            }
          }
        });
  }

  kj::Promise<void> getSupportedOperationsV12(GetSupportedOperationsV12Context context) override {
    return AskAboutModel(context, As<V1_2::IDevice>(),
                         [](V1_2::IDevice& device, const V1_2::Model& model) {
                           return device.getSupportedOperations_1_2(model);
                         });
  }

  kj::Promise<void> getNumberOfCacheFilesNeeded(
      GetNumberOfCacheFilesNeededContext context) override {
    return Ask(
        context, As<V1_2::IDevice>(),
        [](V1_2::IDevice& device) { return device.getNumberOfCacheFilesNeeded(); },
        [](const V1_2::GetNumberOfCacheFilesNeededResult& from, auto to) {
          to.setStatus(Number(from.status));
          to.setNumModelCache(from.numModelCache);
          to.setNumDataCache(from.numDataCache);
        });
  }

  kj::Promise<void> prepareModelV12(PrepareModelV12Context context) override {
    const auto params = context.getParams();
    auto model = Read(params.getModel());
    auto cache = ReadCache(params);
    absl::Status wrong = model.ok() ? cache.status() : model.status();
    const auto preference = static_cast<V1_2::ExecutionPreference>(params.getPreference());
    return Prepare(context, As<V1_2::IDevice>(), std::move(wrong),
                   [model = std::move(model), cache = std::move(cache), preference](
                       V1_2::IDevice& device, const auto& callback) {
                     return device.prepareModel_1_2(*model, preference, cache->model, cache->data,
                                                    cache->token, As1_2(callback));
                   });
  }

  kj::Promise<void> prepareModelFromCache(PrepareModelFromCacheContext context) override {
    auto cache = ReadCache(context.getParams());
    absl::Status wrong = cache.status();
    return Prepare(context, As<V1_2::IDevice>(), std::move(wrong),
                   [cache = std::move(cache)](V1_2::IDevice& device, const auto& callback) {
                     return device.prepareModelFromCache(cache->model, cache->data, cache->token,
                                                         As1_2(callback));
                   });
  }

  // --- Of no HAL ---

  kj::Promise<void> makeCalls(MakeCallsContext context) override {
    auto sequence = ReadSequence(context.getParams(), *pools_);
    context.releaseParams();
    return Ask(
        context, As<V1_2::IDevice>(),
        [sequence = std::move(sequence),
         spares = spare_queues_](V1_2::IDevice& device) -> replay::SequenceAnswers {
          if (sequence.ok()) return replay::MakeCalls(device, *sequence, *spares);
          // Call by call the client is told what is wrong.
          Refuse(sequence.status());
          return {};
        },
        [](const replay::SequenceAnswers& answers, auto to) { Write(answers, to); });
  }

 private:
  struct Cache {
    std::vector<Handle> model;
    std::vector<Handle> data;
    V1_2::CacheToken token = {};
  };

  template <typename Params>
  static absl::StatusOr<Cache> ReadCache(const Params& params) {
    Cache cache;
    auto model = Read(params.getModelCache());
    if (!model.ok()) return model.status();
    auto data = Read(params.getDataCache());
    if (!data.ok()) return data.status();
    const auto token = ReadToken(params.getToken());
    if (!token.ok()) return token.status();
    return Cache{*std::move(model), *std::move(data), *token};
  }

  static std::shared_ptr<V1_2::IPreparedModelCallback> As1_2(
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) {
    return std::dynamic_pointer_cast<V1_2::IPreparedModelCallback>(callback);
  }

  const std::shared_ptr<V1_0::IDevice>& get_1_0() const { return device_.get(); }

  // The device as one of a later version. Throws when it is none.
  template <typename Device>
  std::shared_ptr<Device> As() const {
    auto device = std::dynamic_pointer_cast<Device>(device_.get());
    KJ_REQUIRE(device != nullptr, "the device is one of an earlier version of the HAL");
    return device;
  }

  // Asks the device something in the background, and writes its answer.
  template <typename Context, typename Device, typename Question, typename WriteAnswer>
  kj::Promise<void> Ask(Context context, std::shared_ptr<Device> device, Question question,
                        WriteAnswer write_answer) {
    const auto answer = std::make_shared<decltype(question(*device))>();
    return channel_
        .Background([device = std::move(device), question = std::move(question),
                     answer]() mutable { *answer = question(*device); },
                    Channel::WhenLost::kSkip)
        .then([context, answer, write_answer]() mutable {
          write_answer(*answer, context.getResults(kSmallMessage));
        });
  }

  // Asks the device which operations of a model it supports.
  template <typename Context, typename Device, typename Question>
  kj::Promise<void> AskAboutModel(Context context, std::shared_ptr<Device> device,
                                  Question question) {
    auto model = Read(context.getParams().getModel());
    context.releaseParams();
    return Ask(
        context, std::move(device),
        [model = std::move(model), question](Device& asked) -> V1_0::GetSupportedOperationsResult {
          if (model.ok()) return question(asked, *model);
          return {.status = Refuse(model.status()), .supportedOperations = {}};
        },
        [](const V1_0::GetSupportedOperationsResult& from, auto to) {
          to.setStatus(Number(from.status));
          auto list =
              to.initSupportedOperations(static_cast<unsigned>(from.supportedOperations.size()));
          for (unsigned i = 0; i < list.size(); ++i) list.set(i, from.supportedOperations[i]);
        });
  }

  // Has the device prepare a model, unless the arguments are wrong.
  template <typename Context, typename Device, typename Launch>
  kj::Promise<void> Prepare(Context context, std::shared_ptr<Device> device, absl::Status wrong,
                            Launch launch) {
    auto callback = ReadCallback(channel_, pools_, context.getParams().getCallback());
    context.releaseParams();
    if constexpr (std::is_same_v<Device, V1_2::IDevice>) {
      if (callback != nullptr && As1_2(callback) == nullptr && wrong.ok()) {
        wrong = absl::InvalidArgumentError("the callback is one of HAL 1.0");
      }
    }
    return Ask(
        context, std::move(device),
        [wrong = std::move(wrong), launch = std::move(launch),
         callback = std::move(callback)](Device& asked) {
          if (wrong.ok()) return launch(asked, callback);
          const ErrorStatus status = Refuse(wrong);
          NotifyFailure(callback, status);
          return status;
        },
        [](ErrorStatus status, auto to) { to.setStatus(Number(status)); });
  }

  Channel& channel_;
  const Held<V1_0::IDevice> device_;
  const std::shared_ptr<PoolReader> pools_ = std::make_shared<PoolReader>();
  const std::shared_ptr<replay::SpareQueues> spare_queues_ =
      std::make_shared<replay::SpareQueues>();
};

class ServiceServer final : public wire::Service::Server {
 public:
  ServiceServer(Channel& channel, absl::StatusOr<std::shared_ptr<V1_0::IDevice>> device)
      : channel_(channel),
        failure_(device.status()),
        device_(channel, device.ok() ? *std::move(device) : nullptr) {}

  kj::Promise<void> greet(GreetContext context) override {
    auto results = context.getResults(kSmallMessage);
    results.setProtocolVersion(wire::PROTOCOL_VERSION);
    auto served = results.initDevice();
    if (!failure_.ok()) {
      auto failure = served.initFailure();
      failure.setCode(static_cast<int32_t>(failure_.code()));
      failure.setMessage(ToWire(std::string(failure_.message())));
      return kj::READY_NOW;
    }
    auto device = served.initServed();
    device.setDevice(MakeDevice(channel_, device_.get()));
    HalVersion version = HalVersion::V1_0;
    if (dynamic_cast<V1_1::IDevice*>(device_.get().get()) != nullptr) version = HalVersion::V1_1;
    if (dynamic_cast<V1_2::IDevice*>(device_.get().get()) != nullptr) version = HalVersion::V1_2;
    device.setVersion(ToWire(version));
    device.setMakesCalls(version >= HalVersion::V1_2);
    device.setTakesInvalidModels(version >= HalVersion::V1_2);
    return kj::READY_NOW;
  }

 private:
  Channel& channel_;
  const absl::Status failure_;
  const Held<V1_0::IDevice> device_;
};

}  // namespace

wire::Device::Client MakeDevice(Channel& channel, const std::shared_ptr<V1_0::IDevice>& device) {
  return kj::heap<DeviceServer>(channel, device);
}

wire::Service::Client MakeService(Channel& channel,
                                  absl::StatusOr<std::shared_ptr<V1_0::IDevice>> device) {
  return kj::heap<ServiceServer>(channel, std::move(device));
}

}  // namespace nncert::hal::transport
