// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/earlier_device.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace nncert::hal {
namespace {

using V1_0::ErrorStatus;

// A prepared model of which 1.0 calls can be made.
class EarlierPreparedModel : public V1_0::IPreparedModel {
 public:
  explicit EarlierPreparedModel(std::shared_ptr<V1_0::IPreparedModel> model)
      : model_(std::move(model)) {}

  ErrorStatus execute(const V1_0::Request& request,
                      const std::shared_ptr<V1_0::IExecutionCallback>& callback) override {
    return model_->execute(request, callback);
  }

 private:
  const std::shared_ptr<V1_0::IPreparedModel> model_;
};

// Hands on what a preparation comes to.
class EarlierPreparedModelCallback : public V1_0::IPreparedModelCallback {
 public:
  explicit EarlierPreparedModelCallback(std::shared_ptr<V1_0::IPreparedModelCallback> callback)
      : callback_(std::move(callback)) {}

  void notify(ErrorStatus status, const std::shared_ptr<V1_0::IPreparedModel>& model) override {
    callback_->notify(status,
                      model == nullptr ? nullptr : std::make_shared<EarlierPreparedModel>(model));
  }

 private:
  const std::shared_ptr<V1_0::IPreparedModelCallback> callback_;
};

// That the callback is null is for the driver to find.
std::shared_ptr<V1_0::IPreparedModelCallback> Earlier(
    const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) {
  if (callback == nullptr) return nullptr;
  return std::make_shared<EarlierPreparedModelCallback>(callback);
}

// The calls of 1.0, for a device of `Interface`.
template <class Interface>
class EarlierDevice : public Interface {
 public:
  explicit EarlierDevice(std::shared_ptr<V1_2::IDevice> device) : device_(std::move(device)) {}

  V1_0::GetCapabilitiesResult getCapabilities() override { return device_->getCapabilities(); }
  V1_0::GetSupportedOperationsResult getSupportedOperations(const V1_0::Model& model) override {
    return device_->getSupportedOperations(model);
  }
  ErrorStatus prepareModel(const V1_0::Model& model,
                           const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override {
    return device_->prepareModel(model, Earlier(callback));
  }
  V1_0::DeviceStatus getStatus() override { return device_->getStatus(); }

 protected:
  V1_2::IDevice& device() { return *device_; }

 private:
  const std::shared_ptr<V1_2::IDevice> device_;
};

class Device1_1 : public EarlierDevice<V1_1::IDevice> {
 public:
  using EarlierDevice<V1_1::IDevice>::EarlierDevice;

  V1_1::GetCapabilitiesResult getCapabilities_1_1() override {
    return device().getCapabilities_1_1();
  }
  V1_0::GetSupportedOperationsResult getSupportedOperations_1_1(const V1_1::Model& model) override {
    return device().getSupportedOperations_1_1(model);
  }
  ErrorStatus prepareModel_1_1(
      const V1_1::Model& model, V1_1::ExecutionPreference preference,
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override {
    return device().prepareModel_1_1(model, preference, Earlier(callback));
  }
};

}  // namespace

std::shared_ptr<V1_0::IDevice> deviceOfVersion(std::shared_ptr<V1_2::IDevice> device,
                                               HalVersion version) {
  switch (version) {
    case HalVersion::V1_0:
      return std::make_shared<EarlierDevice<V1_0::IDevice>>(std::move(device));
    case HalVersion::V1_1:
      return std::make_shared<Device1_1>(std::move(device));
    case HalVersion::V1_2:
      return device;
  }
  return device;
}

absl::StatusOr<std::shared_ptr<V1_0::IDevice>> deviceOfVersion(
    std::shared_ptr<V1_2::IDevice> device, std::string_view option) {
  if (option.empty()) return device;
  const std::optional<HalVersion> version = halVersionFromString(option);
  if (!version.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the option \"", std::string(option),
        "\" is no version of the HAL that the driver can be; expected 1.0, 1.1 or 1.2"));
  }
  return deviceOfVersion(std::move(device), *version);
}

}  // namespace nncert::hal
