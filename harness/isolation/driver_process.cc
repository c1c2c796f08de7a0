// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/driver_process.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "hal/handle.h"
#include "hal/transport/socket.h"
#include "system/processor.h"

namespace nncert {
namespace {

using hal::transport::Connection;

// How long a process that closed its socket may take to end.
constexpr absl::Duration kLastGasp = absl::Seconds(2);

// How long a process may take to end by itself when it is needed no more.
constexpr absl::Duration kGoodbye = absl::Seconds(1);

// How often a call that is under way is looked at, at the most and at the least.
constexpr absl::Duration kShortestLook = absl::Milliseconds(1);
constexpr absl::Duration kLongestLook = absl::Milliseconds(100);

// How long is looked at a driver whose callback does not come.
constexpr absl::Duration kActivityWindow = absl::Milliseconds(100);

// A driver that uses less than this share of one processor's time is stalled.
constexpr double kStalledShare = 0.01;

// Whether a process that used `cpu_time` during `window` is at work, in words.
std::string DescribeActivity(absl::Duration window, absl::Duration cpu_time) {
  const double seconds = absl::ToDoubleSeconds(window);
  const double used = absl::ToDoubleSeconds(cpu_time);
  if (used < kStalledShare * seconds) {
    return absl::StrFormat("the driver is stalled: its process used no CPU time in the last %.3g s",
                           seconds);
  }
  return absl::StrFormat(
      "the driver is slow, not stalled: its process used %.3g s of CPU time in the last %.3g s",
      used, seconds);
}

// The exception that nobody caught, by what the C++ library wrote of it; empty when there was none.
std::string EscapedException(const std::vector<std::string>& lines) {
  constexpr char kType[] = "terminate called after throwing an instance of '";
  constexpr char kWhat[] = "  what():  ";
  std::string exception;
  for (absl::string_view line : lines) {
    if (absl::ConsumePrefix(&line, kType)) exception = std::string(absl::StripSuffix(line, "'"));
    if (!exception.empty() && absl::ConsumePrefix(&line, kWhat)) {
      absl::StrAppend(&exception, ": ", line);
    }
  }
  return exception;
}

}  // namespace

absl::StatusOr<std::unique_ptr<DriverProcess>> DriverProcess::Start(
    const DriverProcessOptions& options) {
  const OnProcessor scope(options.processor);
  std::unique_ptr<DriverProcess> host(new DriverProcess(options));
  const absl::Status connected = options.socket.empty() ? host->Launch() : host->Connect();
  if (!connected.ok()) return host->DescribeFailure(connected);
  if (absl::Status status = host->OpenSession(); !status.ok()) return status;
  return host;
}

absl::Status DriverProcess::Launch() {
  auto sockets = hal::transport::ConnectedSockets();
  if (!sockets.ok()) return sockets.status();
  auto [ours, theirs] = *std::move(sockets);
  const std::vector<std::string> arguments = {
      options_.program, absl::StrCat("--driver=", options_.driver),
      absl::StrCat("--option=", options_.option), absl::StrCat("--fd=", ChildProcess::kSocket)};
  absl::StatusOr<std::unique_ptr<ChildProcess>> child =
      ChildProcess::Start(arguments, theirs.get());
  if (!child.ok()) return child.status();
  child_ = *std::move(child);
  // So that the end of the process closes the socket.
  theirs = {};
  absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connection::Open(std::move(ours), {.call_timeout = options_.deadline, .on_lost = nullptr});
  if (!connection.ok()) return connection.status();
  connection_ = *std::move(connection);
  return absl::OkStatus();
}

absl::Status DriverProcess::Connect() {
  absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connection::Connect(options_.socket, {.call_timeout = options_.deadline, .on_lost = nullptr});
  if (!connection.ok()) return connection.status();
  connection_ = *std::move(connection);
  return absl::OkStatus();
}

absl::Status DriverProcess::DescribeFailure(const absl::Status& status) {
  const std::string who = absl::StrCat("driver ", options_.name, ": ");
  std::string what(status.message());
  if (absl::IsDeadlineExceeded(status)) {
    const std::string within = absl::StrCat(" within ", absl::FormatDuration(options_.deadline));
    what = child_ != nullptr
               ? absl::StrCat("it was not loaded", within, ": ", Activity(), LastLines())
               : absl::StrCat("the service did not answer", within);
  } else if (child_ != nullptr && absl::IsUnavailable(status)) {
    // The process says why it does not load the driver, unless it ended before.
    const std::lock_guard<std::mutex> lock(loss_mutex_);
    loss_ = DescribeLoss(status);
    what = absl::StrCat("loading it: ", loss_.message());
  }
  return absl::Status(status.code(), absl::StrCat(who, what));
}

absl::Status DriverProcess::OpenSession() {
  // The watch comes first; the connection's own clock is for a watch that does not come to look.
  connection_->SetCallTimeout(absl::InfiniteDuration());
  watch_ = std::thread([this] { Watch(); });
  absl::StatusOr<std::unique_ptr<DriverSession>> session = DriverSession::FromDevice(
      connection_->device(), options_.name, options_.deadline, this, *options_.clock);
  if (!session.ok()) return session.status();
  session_ = *std::move(session);
  // Whoever connects to a service once more gets the same process.
  if (!options_.socket.empty()) return absl::OkStatus();
  session_->SetOpener([options = options_]() -> absl::StatusOr<std::shared_ptr<DriverSession>> {
    absl::StatusOr<std::shared_ptr<DriverProcess>> another = Start(options);
    if (!another.ok()) return another.status();
    return std::shared_ptr<DriverSession>(*another, &(*another)->session());
  });
  return absl::OkStatus();
}

DriverProcess::~DriverProcess() {
  const bool is_well = connection_ != nullptr && Health().ok();
  session_ = nullptr;
  if (connection_ != nullptr) connection_->Close();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_ending_ = true;
    changed_.notify_one();
  }
  if (watch_.joinable()) watch_.join();
  connection_ = nullptr;
  if (child_ != nullptr && is_well) child_->WaitFor(kGoodbye);
}

pid_t DriverProcess::process() const {
  return child_ != nullptr ? child_->id() : connection_->peer_process();
}

DriverProcess::Look DriverProcess::LookNow() const {
  const absl::Duration cpu_time =
      child_ != nullptr ? child_->CpuTime()
                        : CpuTimeOf(connection_->peer_process()).value_or(absl::ZeroDuration());
  return {options_.clock->Now(), cpu_time};
}

std::optional<ProcessEnd> DriverProcess::EndOfProcess() {
  return child_ != nullptr ? child_->WaitFor(absl::ZeroDuration()) : std::nullopt;
}

ProcessUsage DriverProcess::Usage() {
  return {LookNow().cpu_time,
          child_ != nullptr ? child_->PeakMemory() : PeakMemoryOf(connection_->peer_process())};
}

ResourceUse DriverProcess::Resources() const {
  return {DescriptorsOf(process()), OwnMemoryOf(process()), ThreadsOf(process())};
}

void DriverProcess::Begin(absl::Duration deadline) {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_calling_ = true;
  has_looked_ = false;
  call_timeout_ = deadline;
  half_time_ = hal::Deadline(deadline / 2, *options_.clock);
  call_deadline_ = hal::Deadline(deadline, *options_.clock);
}

absl::Status DriverProcess::End() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    is_calling_ = false;
  }
  return Health();
}

absl::Status DriverProcess::Health() {
  const std::lock_guard<std::mutex> lock(loss_mutex_);
  if (!loss_.ok()) return loss_;
  const absl::Status status = connection_->status();
  if (!status.ok()) loss_ = DescribeLoss(status);
  return loss_;
}

std::string DriverProcess::Activity() {
  const Look before = LookNow();
  absl::SleepFor(kActivityWindow);
  const Look after = LookNow();
  return DescribeActivity(after.time - before.time, after.cpu_time - before.cpu_time);
}

void DriverProcess::Watch() {
  const auto interval =
      absl::ToChronoNanoseconds(std::clamp(options_.deadline / 16, kShortestLook, kLongestLook));
  std::unique_lock<std::mutex> lock(mutex_);
  while (!is_ending_) {
    changed_.wait_for(lock, interval);
    if (is_calling_ && !is_ending_) LookAtCall();
  }
}

void DriverProcess::LookAtCall() {
  if (!has_looked_) {
    if (!half_time_.HasPassed()) return;
    has_looked_ = true;
    look_ = LookNow();
    // When the whole machine has stood still, this comes late, and there is nothing to be seen yet.
    window_end_ = hal::Deadline(std::min(kActivityWindow, call_timeout_ / 2), *options_.clock);
  }
  if (!call_deadline_.HasPassed() || !window_end_.HasPassed()) return;
  const Look end = LookNow();
  overdue_ = absl::StrCat("did not return within ", absl::FormatDuration(call_timeout_), ": ",
                          DescribeActivity(end.time - look_.time, end.cpu_time - look_.cpu_time));
  connection_->Close(absl::DeadlineExceededError(overdue_));
  is_calling_ = false;
}

std::string DriverProcess::LastLines() const {
  if (child_ == nullptr) return "";
  std::string text;
  for (const std::string& line : child_->LastLines()) absl::StrAppend(&text, "\n    ", line);
  return text.empty() ? "" : absl::StrCat("\n  the last lines that it wrote:", text);
}

absl::Status DriverProcess::DescribeLoss(const absl::Status& reason) {
  if (absl::IsDeadlineExceeded(reason)) {
    // Whoever waits for the call knows its name, which the connection would add.
    const std::lock_guard<std::mutex> lock(mutex_);
    return absl::DeadlineExceededError(
        absl::StrCat(overdue_.empty() ? std::string(reason.message()) : overdue_, LastLines()));
  }
  if (child_ == nullptr) {
    if (absl::IsUnavailable(reason)) {
      return absl::UnavailableError("the service closed the connection; it most likely ended");
    }
    return reason;
  }
  const auto end = child_->WaitFor(kLastGasp);
  const std::string last_lines = LastLines();
  const bool broke_protocol = absl::IsDataLoss(reason);
  if (end.has_value() && (end->signal != 0 || !broke_protocol)) {
    const std::string exception =
        end->signal == SIGABRT ? EscapedException(child_->LastLines()) : "";
    return absl::UnavailableError(absl::StrCat(
        "the driver's process ", DescribeEnd(*end),
        exception.empty() ? "" : ", for an exception that nobody caught: ", exception, last_lines));
  }
  if (broke_protocol) {
    return absl::DataLossError(absl::StrCat(
        "the driver's process broke the protocol: ", std::string(reason.message()), last_lines));
  }
  return absl::UnavailableError(
      absl::StrCat("the driver's process closed its socket, and did not end", last_lines));
}

}  // namespace nncert
