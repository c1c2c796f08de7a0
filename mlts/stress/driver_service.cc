// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/driver_service.h"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "hal/deadline.h"
#include "hal/transport/socket.h"
#include "system/runfiles.h"

namespace nncert {
namespace {

// How often a process that is to come to something is looked at.
constexpr absl::Duration kInterval = absl::Milliseconds(5);

// How long what a process has must be the same, and how long that is waited for.
constexpr absl::Duration kStill = absl::Milliseconds(20);
constexpr absl::Duration kLongestStir = absl::Seconds(1);

// How long a process that closed a connection may take to end.
constexpr absl::Duration kLastGasp = absl::Seconds(2);

}  // namespace

absl::StatusOr<std::unique_ptr<DriverService>> DriverService::Start(const NamedDriver& driver,
                                                                    uint64_t memory,
                                                                    absl::Duration deadline) {
  std::unique_ptr<DriverService> service(new DriverService(driver, deadline));
  if (driver.socket.empty()) {
    if (absl::Status status = service->Launch(driver, memory); !status.ok()) return status;
  }
  if (absl::Status status = service->AwaitClients(); !status.ok()) return status;
  return service;
}

DriverService::~DriverService() = default;

absl::Status DriverService::Launch(const NamedDriver& driver, uint64_t memory) {
  absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
  if (!folder.ok()) return folder.status();
  folder_.emplace(*std::move(folder));
  served_.path.clear();
  served_.option.clear();
  served_.socket = absl::StrCat(folder_->path(), "/driver");
  const absl::StatusOr<std::string> program = FindRunfile("hal/transport/driver_host");
  if (!program.ok()) return program.status();
  auto sockets = hal::transport::ConnectedSockets();
  if (!sockets.ok()) return sockets.status();
  hang_up_ = std::move(sockets->first);
  absl::StatusOr<std::unique_ptr<ChildProcess>> child = ChildProcess::Start(
      {*program, absl::StrCat("--driver=", driver.path), absl::StrCat("--option=", driver.option),
       absl::StrCat("--listen=", served_.socket), absl::StrCat("--guard=", ChildProcess::kReport),
       absl::StrCat("--memory=", memory)},
      sockets->second.get());
  if (!child.ok()) return child.status();
  child_ = *std::move(child);
  return absl::OkStatus();
}

absl::Status DriverService::AwaitClients() {
  const hal::Deadline end(deadline_);
  while (child_ != nullptr) {
    std::error_code error;
    if (std::filesystem::exists(served_.socket, error)) break;
    if (absl::Status status = Health(); !status.ok()) {
      return absl::Status(
          status.code(), absl::StrCat("driver ", served_.name, ": loading it: ", status.message()));
    }
    if (end.HasPassed()) {
      return absl::DeadlineExceededError(absl::StrCat(
          "driver ", served_.name, ": it was not loaded within ", absl::FormatDuration(deadline_)));
    }
    absl::SleepFor(kInterval);
  }
  absl::StatusOr<OpenedDriver> first = Connect();
  if (!first.ok()) return Explained(first.status());
  if (child_ == nullptr) process_ = first->process()->process();
  return absl::OkStatus();
}

absl::StatusOr<OpenedDriver> DriverService::Connect() const {
  return OpenDriver(served_, Isolation::kUnpinned, deadline_);
}

absl::Status DriverService::Health() {
  if (child_ == nullptr) return absl::OkStatus();
  const std::optional<ProcessEnd> end = child_->WaitFor(absl::ZeroDuration());
  if (!end.has_value()) return absl::OkStatus();
  const std::string ended_for = child_->Report().ended_for;
  std::string what =
      ended_for.empty() ? DescribeEnd(*end) : absl::StrCat("was ended, for ", ended_for);
  const std::vector<std::string> lines = child_->LastLines();
  if (!lines.empty()) absl::StrAppend(&what, "; the last line that it wrote: ", lines.back());
  return absl::UnavailableError(absl::StrCat("the driver's process ", what));
}

absl::Status DriverService::Explained(const absl::Status& status) {
  if (child_ == nullptr || !absl::IsUnavailable(status)) return status;
  child_->WaitFor(kLastGasp);
  const absl::Status health = Health();
  return health.ok() ? status : health;
}

ResourceUse DriverService::Resources() {
  return ResourcesOf(child_ != nullptr ? child_->Processes() : std::vector<pid_t>{process_});
}

ResourceUse DriverService::SettledResources() {
  const hal::Deadline end(kLongestStir);
  ResourceUse use = Resources();
  while (!end.HasPassed()) {
    absl::SleepFor(kStill);
    const ResourceUse later = Resources();
    if (later == use) break;
    use = later;
  }
  return use;
}

std::vector<std::string> DriverService::Findings() {
  return child_ != nullptr ? child_->Report().findings : std::vector<std::string>();
}

}  // namespace nncert
