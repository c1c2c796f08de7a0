// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Proxies of devices.

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/conversion.h"
#include "hal/replay/call_sequence.h"
#include "hal/transport/client_callbacks.h"
#include "hal/transport/client_objects.h"
#include "hal/transport/sequence_wire.h"
#include "hal/transport/wire.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport {
namespace {

using V1_0::ErrorStatus;

// The answers of the three getSupportedOperations.
template <typename Response>
absl::Status ReadSupportedOperations(const Response& response,
                                     V1_0::GetSupportedOperationsResult& result) {
  for (const bool is_supported : response.getSupportedOperations()) {
    result.supportedOperations.push_back(is_supported);
  }
  return Take(ReadErrorStatus(response.getStatus()), result.status);
}

// The methods of HAL 1.0.
template <typename Interface>
class DeviceMethods1_0 : public Interface {
 public:
  DeviceMethods1_0(std::shared_ptr<Channel> channel, wire::Device::Client client)
      : remote_(std::move(channel), kj::mv(client)) {}

  V1_0::GetCapabilitiesResult getCapabilities() override {
    V1_0::GetCapabilitiesResult result;
    const absl::Status status = channel().Call("IDevice::getCapabilities", [&] {
      return remote_.client()
          .getCapabilitiesRequest(kSmallMessage)
          .send()
          .then([&](capnp::Response<wire::Device::GetCapabilitiesResults>&& response) {
            result.capabilities = {.float32Performance = Read(response.getFloat32()),
                                   .quantized8Performance = Read(response.getQuantized8())};
            return Take(ReadErrorStatus(response.getStatus()), result.status);
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE, .capabilities = {}};
  }

  V1_0::GetSupportedOperationsResult getSupportedOperations(const V1_0::Model& model) override {
    return GetSupportedOperations(
        "IDevice::getSupportedOperations", convertToV1_2(model),
        [](auto& client, auto size) { return client.getSupportedOperationsRequest(size); });
  }

  ErrorStatus prepareModel(const V1_0::Model& model,
                           const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override {
    const V1_2::Model in_1_2 = convertToV1_2(model);
    return Prepare(
        "IDevice::prepareModel", callback,
        [&](auto& client) { return client.prepareModelRequest(SizeHint(in_1_2)); },
        [&](auto& message, Writer& writer) { writer.Write(in_1_2, message.initModel()); });
  }

  V1_0::DeviceStatus getStatus() override {
    V1_0::DeviceStatus result = V1_0::DeviceStatus::UNKNOWN;
    const absl::Status status = channel().Call("IDevice::getStatus", [&] {
      return remote_.client()
          .getStatusRequest(kSmallMessage)
          .send()
          .then([&](capnp::Response<wire::Device::GetStatusResults>&& response) {
            return Take(ReadDeviceStatus(response.getStatus()), result);
          });
    });
    return status.ok() ? result : V1_0::DeviceStatus::UNKNOWN;
  }

 protected:
  Channel& channel() const { return remote_.channel(); }

  template <typename MakeRequest>
  V1_0::GetSupportedOperationsResult GetSupportedOperations(const char* name,
                                                            const V1_2::Model& model,
                                                            MakeRequest make_request) {
    V1_0::GetSupportedOperationsResult result;
    const absl::Status status = channel().Call(name, [&] {
      auto message = make_request(remote_.client(), SizeHint(model));
      Writer writer;
      writer.Write(model, message.initModel());
      writer.CheckDescriptors();
      return message.send().then(
          [&](auto&& response) { return ReadSupportedOperations(response, result); });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE, .supportedOperations = {}};
  }

  template <typename MakeRequest, typename Write>
  ErrorStatus Prepare(const char* name,
                      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback,
                      MakeRequest make_request, Write write) {
    ErrorStatus result = ErrorStatus::GENERAL_FAILURE;
    const absl::Status status = channel().Call(name, [&] {
      auto message = make_request(remote_.client());
      const auto is_sent = std::make_shared<bool>(false);
      WriteCallback(channel(), callback, is_sent, message.initCallback());
      Writer writer;
      write(message, writer);
      writer.CheckDescriptors();
      auto promise = message.send();
      *is_sent = true;
      return promise.then(
          [&](auto&& response) { return Take(ReadErrorStatus(response.getStatus()), result); });
    });
    return status.ok() ? result : ErrorStatus::GENERAL_FAILURE;
  }

  Remote<wire::Device> remote_;
};

// The methods of HAL 1.1.
template <typename Interface>
class DeviceMethods1_1 : public DeviceMethods1_0<Interface> {
 public:
  using DeviceMethods1_0<Interface>::DeviceMethods1_0;

  V1_1::GetCapabilitiesResult getCapabilities_1_1() override {
    V1_1::GetCapabilitiesResult result;
    const absl::Status status = this->channel().Call("IDevice::getCapabilities_1_1", [&] {
      return this->remote_.client()
          .getCapabilitiesV11Request(kSmallMessage)
          .send()
          .then([&](capnp::Response<wire::Device::GetCapabilitiesV11Results>&& response) {
            result.capabilities = {
                .float32Performance = Read(response.getFloat32()),
                .quantized8Performance = Read(response.getQuantized8()),
                .relaxedFloat32toFloat16Performance = Read(response.getRelaxedFloat32toFloat16())};
            return Take(ReadErrorStatus(response.getStatus()), result.status);
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE, .capabilities = {}};
  }

  V1_0::GetSupportedOperationsResult getSupportedOperations_1_1(const V1_1::Model& model) override {
    return this->GetSupportedOperations(
        "IDevice::getSupportedOperations_1_1", convertToV1_2(model),
        [](auto& client, auto size) { return client.getSupportedOperationsV11Request(size); });
  }

  ErrorStatus prepareModel_1_1(
      const V1_1::Model& model, V1_1::ExecutionPreference preference,
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override {
    const V1_2::Model in_1_2 = convertToV1_2(model);
    return this->Prepare(
        "IDevice::prepareModel_1_1", callback,
        [&](auto& client) { return client.prepareModelV11Request(SizeHint(in_1_2)); },
        [&](auto& message, Writer& writer) {
          writer.Write(in_1_2, message.initModel());
          message.setPreference(static_cast<int32_t>(preference));
        });
  }
};

// The methods of HAL 1.2.
class DeviceProxy1_2 : public DeviceMethods1_1<V1_2::IDevice> {
 public:
  using DeviceMethods1_1::DeviceMethods1_1;

  V1_2::GetVersionStringResult getVersionString() override {
    V1_2::GetVersionStringResult result;
    const absl::Status status = channel().Call("IDevice::getVersionString", [&] {
      return remote_.client()
          .getVersionStringRequest(kSmallMessage)
          .send()
          .then([&](capnp::Response<wire::Device::GetVersionStringResults>&& response) {
            result.version = Read(response.getVersion());
            return Take(ReadErrorStatus(response.getStatus()), result.status);
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE, .version = {}};
  }

  V1_2::GetTypeResult getType() override {
    V1_2::GetTypeResult result;
    const absl::Status status = channel().Call("IDevice::getType", [&] {
      return remote_.client()
          .getTypeRequest(kSmallMessage)
          .send()
          .then([&](capnp::Response<wire::Device::GetTypeResults>&& response) {
            absl::Status read = Take(ReadErrorStatus(response.getStatus()), result.status);
            if (!read.ok() || result.status != ErrorStatus::NONE) return read;
            return Take(ReadDeviceType(response.getType()), result.type);
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE};
  }

  V1_2::GetCapabilitiesResult getCapabilities_1_2() override {
    V1_2::GetCapabilitiesResult result;
    const absl::Status status = channel().Call("IDevice::getCapabilities_1_2", [&] {
      return remote_.client()
          .getCapabilitiesV12Request(kSmallMessage)
          .send()
          .then([&](capnp::Response<wire::Device::GetCapabilitiesV12Results>&& response) {
            V1_2::Capabilities& capabilities = result.capabilities;
            capabilities.relaxedFloat32toFloat16PerformanceScalar =
                Read(response.getRelaxedFloat32toFloat16Scalar());
            capabilities.relaxedFloat32toFloat16PerformanceTensor =
                Read(response.getRelaxedFloat32toFloat16Tensor());
            const auto performances = response.getOperandPerformance();
            absl::Status count = CheckCount("performances of operands", performances);
            if (!count.ok()) return count;
            for (const auto performance : performances) {
              capabilities.operandPerformance.push_back(
                  {.type = static_cast<V1_2::OperandType>(performance.getType()),
                   .info = Read(performance.getInfo())});
            }
            return Take(ReadErrorStatus(response.getStatus()), result.status);
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE, .capabilities = {}};
  }

  V1_2::GetSupportedExtensionsResult getSupportedExtensions() override {
    V1_2::GetSupportedExtensionsResult result;
    const absl::Status status = channel().Call("IDevice::getSupportedExtensions", [&] {
      return remote_.client()
          .getSupportedExtensionsRequest(kSmallMessage)
          .send()
          .then([&](capnp::Response<wire::Device::GetSupportedExtensionsResults>&& response) {
            absl::Status count = CheckCount("extensions", response.getExtensions());
            if (!count.ok()) return count;
            for (const auto from : response.getExtensions()) {
              count.Update(CheckCount("types of an extension", from.getOperandTypes()));
              if (!count.ok()) return count;
              V1_2::Extension extension = {.name = Read(from.getName()), .operandTypes = {}};
              for (const auto type : from.getOperandTypes()) {
                extension.operandTypes.push_back({.type = type.getType(),
                                                  .isTensor = type.getIsTensor(),
                                                  .byteSize = type.getByteSize()});
              }
              result.extensions.push_back(std::move(extension));
            }
            return Take(ReadErrorStatus(response.getStatus()), result.status);
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE, .extensions = {}};
  }

  V1_0::GetSupportedOperationsResult getSupportedOperations_1_2(const V1_2::Model& model) override {
    return GetSupportedOperations(
        "IDevice::getSupportedOperations_1_2", model,
        [](auto& client, auto size) { return client.getSupportedOperationsV12Request(size); });
  }

  V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    V1_2::GetNumberOfCacheFilesNeededResult result;
    const absl::Status status = channel().Call("IDevice::getNumberOfCacheFilesNeeded", [&] {
      return remote_.client()
          .getNumberOfCacheFilesNeededRequest(kSmallMessage)
          .send()
          .then([&](capnp::Response<wire::Device::GetNumberOfCacheFilesNeededResults>&& response) {
            result.numModelCache = response.getNumModelCache();
            result.numDataCache = response.getNumDataCache();
            return Take(ReadErrorStatus(response.getStatus()), result.status);
          });
    });
    if (status.ok()) return result;
    return {.status = ErrorStatus::GENERAL_FAILURE};
  }

  ErrorStatus prepareModel_1_2(
      const V1_2::Model& model, V1_2::ExecutionPreference preference,
      const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
      const V1_2::CacheToken& token,
      const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override {
    return Prepare(
        "IDevice::prepareModel_1_2", callback,
        [&](auto& client) { return client.prepareModelV12Request(SizeHint(model)); },
        [&](auto& message, Writer& writer) {
          writer.Write(model, message.initModel());
          message.setPreference(static_cast<int32_t>(preference));
          WriteCache(modelCache, dataCache, token, message, writer);
        });
  }

  ErrorStatus prepareModelFromCache(
      const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
      const V1_2::CacheToken& token,
      const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override {
    return Prepare(
        "IDevice::prepareModelFromCache", callback,
        [](auto& client) { return client.prepareModelFromCacheRequest(kSmallMessage); },
        [&](auto& message, Writer& writer) {
          WriteCache(modelCache, dataCache, token, message, writer);
        });
  }

 private:
  template <typename Message>
  static void WriteCache(const std::vector<Handle>& model_cache,
                         const std::vector<Handle>& data_cache, const V1_2::CacheToken& token,
                         Message& message, Writer& writer) {
    writer.Write(model_cache, message.initModelCache(static_cast<unsigned>(model_cache.size())));
    writer.Write(data_cache, message.initDataCache(static_cast<unsigned>(data_cache.size())));
    message.setToken(kj::arrayPtr(token.data(), token.size()));
  }
};

// One of a server that makes calls in sequence.
class SequenceDeviceProxy final : public DeviceProxy1_2, public replay::SequenceDevice {
 public:
  SequenceDeviceProxy(std::shared_ptr<Channel> channel, wire::Device::Client client,
                      bool takes_invalid_models)
      : DeviceProxy1_2(std::move(channel), kj::mv(client)),
        takes_invalid_models_(takes_invalid_models) {}

  bool TakesInvalidModels() const override { return takes_invalid_models_; }

  absl::StatusOr<replay::SequenceAnswers> MakeCalls(const replay::CallSequence& sequence) override {
    replay::SequenceAnswers answers;
    const absl::Status status = channel().Call("the calls of a sequence", [&] {
      auto message = remote_.client().makeCallsRequest(SizeHint(sequence));
      Writer writer;
      Write(sequence, writer, message);
      writer.CheckDescriptors();
      return message.send().then([&](capnp::Response<wire::Device::MakeCallsResults>&& response) {
        return Take(ReadAnswers(response, sequence), answers);
      });
    });
    if (!status.ok()) return status;
    return answers;
  }

 private:
  const bool takes_invalid_models_;
};

std::shared_ptr<V1_0::IDevice> MakeDevice(const std::shared_ptr<Channel>& channel,
                                          wire::ServedDevice::Served::Reader served,
                                          HalVersion version) {
  wire::Device::Client client = served.getDevice();
  switch (version) {
    case HalVersion::V1_0:
      return std::make_shared<DeviceMethods1_0<V1_0::IDevice>>(channel, kj::mv(client));
    case HalVersion::V1_1:
      return std::make_shared<DeviceMethods1_1<V1_1::IDevice>>(channel, kj::mv(client));
    case HalVersion::V1_2:
      break;
  }
  if (served.getMakesCalls()) {
    return std::make_shared<SequenceDeviceProxy>(channel, kj::mv(client),
                                                 served.getTakesInvalidModels());
  }
  return std::make_shared<DeviceProxy1_2>(channel, kj::mv(client));
}

// Reads a status that a server sends. Its code may be any number; that of a failure it must be.
absl::Status ReadFailure(wire::ServedDevice::Failure::Reader reader, absl::Status& failure) {
  const int32_t code = reader.getCode();
  if (code <= static_cast<int32_t>(absl::StatusCode::kOk) ||
      code > static_cast<int32_t>(absl::StatusCode::kUnauthenticated)) {
    return absl::InvalidArgumentError(absl::StrCat("there is no failure of code ", code));
  }
  failure = absl::Status(static_cast<absl::StatusCode>(code), Read(reader.getMessage()));
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RemoteDevice> Greet(const std::shared_ptr<Channel>& channel) {
  RemoteDevice device;
  absl::Status failure;
  const absl::Status status = channel->Call("the greeting", [&] {
    auto request = channel->Bootstrap().castAs<wire::Service>().greetRequest();
    request.setProtocolVersion(wire::PROTOCOL_VERSION);
    return request.send().then(
        [&](capnp::Response<wire::Service::GreetResults>&& response) -> absl::Status {
          if (response.getProtocolVersion() != wire::PROTOCOL_VERSION) {
            return absl::InvalidArgumentError(
                absl::StrCat("the server speaks version ", response.getProtocolVersion(),
                             " of the protocol; expected ", wire::PROTOCOL_VERSION));
          }
          const auto served = response.getDevice();
          if (served.isFailure()) return ReadFailure(served.getFailure(), failure);
          if (!served.isServed() || !served.getServed().hasDevice()) {
            return absl::InvalidArgumentError("there is neither a device nor a failure");
          }
          absl::Status read = Take(ReadVersion(served.getServed().getVersion()), device.version);
          if (read.ok()) {
            device.device = MakeDevice(channel, served.getServed(), device.version);
          }
          return read;
        });
  });
  if (!status.ok()) return status;
  if (!failure.ok()) return failure;
  return device;
}

}  // namespace nncert::hal::transport
