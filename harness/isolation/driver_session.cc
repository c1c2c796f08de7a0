// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/driver_session.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hal/driver_loader.h"
#include "hal/extension.h"
#include "hal/replay/spare_queues.h"
#include "hal/to_string.h"
#include "system/escape.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;

constexpr char kSuffix[] = ".so";

// How much of a driver's version is told.
constexpr size_t kLongestVersion = 256;

// A driver's version on one line, whatever it has in it.
std::string Printable(absl::string_view version) {
  std::string text = EscapeForTerminal(version.substr(0, kLongestVersion));
  std::replace(text.begin(), text.end(), '\n', ' ');
  return absl::StrCat(text, version.size() > kLongestVersion ? "..." : "");
}

absl::Status Annotate(absl::string_view call, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(call, ": ", status.message()));
}

// Checks that a call which gives capabilities ended well.
template <typename Result>
absl::Status CheckCapabilities(absl::string_view call, const absl::StatusOr<Result>& result) {
  if (!result.ok()) return Annotate(call, result.status());
  if (result->status == ErrorStatus::NONE) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat(call, " ended with ", toString(result->status), "; expected NONE"));
}

}  // namespace

bool IsDriverPath(absl::string_view driver) {
  return absl::StrContains(driver, '/') || absl::EndsWith(driver, kSuffix);
}

DriverAndOption SplitDriverAndOption(const std::string& text) {
  if (absl::StartsWith(text, kSocketPrefix)) return {text, ""};
  std::error_code error;
  if (IsDriverPath(text) && std::filesystem::is_regular_file(text, error)) return {text, ""};
  // A path may have colons of its own.
  size_t colon = text.find(absl::StrCat(kSuffix, ":"));
  if (colon != text.npos) {
    colon += sizeof(kSuffix) - 1;
  } else {
    colon = text.find(':');
    if (colon == text.npos || IsDriverPath(text.substr(0, colon))) return {text, ""};
  }
  return {text.substr(0, colon), text.substr(colon + 1)};
}

absl::StatusOr<std::unique_ptr<DriverSession>> DriverSession::Open(const std::string& driver,
                                                                   absl::Duration deadline,
                                                                   const std::string& option) {
  // Loading runs code of the driver, and so does creating the device.
  CallThread calls;
  absl::StatusOr<absl::StatusOr<std::shared_ptr<hal::V1_0::IDevice>>> device =
      calls.Run(deadline, [driver, option] { return hal::LoadDriver(driver, option); });
  if (!device.ok()) return Annotate(absl::StrCat("loading driver ", driver), device.status());
  if (!device->ok()) return device->status();
  absl::StatusOr<std::unique_ptr<DriverSession>> session = FromDevice(
      **std::move(device), option.empty() ? driver : absl::StrCat(driver, ":", option), deadline);
  if (session.ok()) {
    (*session)->SetOpener([driver, deadline, option] { return Open(driver, deadline, option); });
  }
  return session;
}

DriverSession::DriverSession(std::string name, CallWatch* watch, const hal::SteadyClock& clock)
    : name_(std::move(name)),
      calls_(watch, clock),
      spare_queues_(std::make_shared<hal::replay::SpareQueues>()) {}

absl::StatusOr<std::unique_ptr<DriverSession>> DriverSession::FromDevice(
    std::shared_ptr<hal::V1_0::IDevice> device, std::string name, absl::Duration deadline,
    CallWatch* watch, const hal::SteadyClock& clock) {
  std::unique_ptr<DriverSession> session(new DriverSession(std::move(name), watch, clock));
  if (absl::Status status = session->Start(std::move(device), deadline); !status.ok()) {
    return Annotate(absl::StrCat("driver ", session->name_), status);
  }
  return session;
}

absl::Status DriverSession::Start(std::shared_ptr<hal::V1_0::IDevice> device,
                                  absl::Duration deadline) {
  if (device == nullptr) return absl::FailedPreconditionError("the driver gave a null device");
  device_ = std::move(device);
  device_1_1_ = std::dynamic_pointer_cast<hal::V1_1::IDevice>(device_);
  device_1_2_ = std::dynamic_pointer_cast<hal::V1_2::IDevice>(device_);
  const absl::StatusOr<hal::V1_0::DeviceStatus> status =
      calls_.Run(deadline, [target = device_] { return target->getStatus(); });
  if (!status.ok()) return Annotate("getStatus", status.status());
  if (*status != hal::V1_0::DeviceStatus::AVAILABLE) {
    return absl::FailedPreconditionError(
        absl::StrCat("getStatus gave ", toString(*status), "; expected AVAILABLE"));
  }
  if (device_1_2_ != nullptr) {
    hal_version_ = hal::HalVersion::V1_2;
    if (absl::Status capabilities = CheckCapabilities(
            "getCapabilities_1_2",
            calls_.Run(deadline, [target = device_1_2_] { return target->getCapabilities_1_2(); }));
        !capabilities.ok()) {
      return capabilities;
    }
    const absl::StatusOr<hal::V1_2::GetVersionStringResult> version =
        calls_.Run(deadline, [target = device_1_2_] { return target->getVersionString(); });
    if (!version.ok()) return Annotate("getVersionString", version.status());
    if (version->status == ErrorStatus::NONE) version_string_ = Printable(version->version);
    return ReadExtensions(deadline);
  }
  if (device_1_1_ != nullptr) {
    hal_version_ = hal::HalVersion::V1_1;
    return CheckCapabilities("getCapabilities_1_1", calls_.Run(deadline, [target = device_1_1_] {
      return target->getCapabilities_1_1();
    }));
  }
  return CheckCapabilities("getCapabilities", calls_.Run(deadline, [target = device_] {
    return target->getCapabilities();
  }));
}

absl::Status DriverSession::ReadExtensions(absl::Duration deadline) {
  absl::StatusOr<hal::V1_2::GetSupportedExtensionsResult> result =
      calls_.Run(deadline, [target = device_1_2_] { return target->getSupportedExtensions(); });
  if (!result.ok()) return Annotate("getSupportedExtensions", result.status());
  const auto add_finding = [&](absl::string_view finding) {
    findings_.push_back(absl::StrCat("getSupportedExtensions: ", EscapeForTerminal(finding)));
  };
  if (result->status != ErrorStatus::NONE) {
    add_finding(absl::StrCat("the call ended with ", toString(result->status), "; expected NONE"));
    return absl::OkStatus();
  }
  extensions_ = std::move(result->extensions);
  for (const std::string& problem : hal::problemsOfExtensions(extensions_)) add_finding(problem);
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<DriverSession>> DriverSession::OpenAnother() const {
  if (opener_ == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("driver ", name_, ": there is no other process or device of it to be had"));
  }
  return opener_();
}

bool DriverSession::HasExtension(std::string_view name) const {
  return std::any_of(extensions_.begin(), extensions_.end(),
                     [&](const hal::V1_2::Extension& extension) { return extension.name == name; });
}

DriverSession::~DriverSession() {
  struct Devices {
    std::shared_ptr<hal::V1_0::IDevice> device;
    std::shared_ptr<hal::V1_1::IDevice> device_1_1;
    std::shared_ptr<hal::V1_2::IDevice> device_1_2;
  };
  auto devices = std::make_shared<Devices>(
      Devices{std::move(device_), std::move(device_1_1_), std::move(device_1_2_)});
  // The end of a device is a call like any other: it may hang. A call that was left behind keeps
  // its device until it returns.
  calls_
      .Run(kDefaultDeadline,
           [devices = std::move(devices)]() mutable {
             devices = nullptr;
             return true;
           })
      .IgnoreError();
}

}  // namespace nncert
