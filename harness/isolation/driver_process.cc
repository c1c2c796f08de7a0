// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/driver_process.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "hal/handle.h"
#include "hal/process_tree.h"
#include "hal/transport/process_guard.h"
#include "hal/transport/socket.h"
#include "system/escape.h"
#include "system/processor.h"

namespace nncert {
namespace {

using hal::transport::Connection;

// How long a process that closed its socket may take to end, when it does not compute.
constexpr absl::Duration kLastGasp = absl::Seconds(2);

// How long a process may take to end on a machine that does not let it.
constexpr absl::Duration kLongestEnd = absl::Seconds(20);

// How long a process may take to end by itself when it is needed no more.
constexpr absl::Duration kGoodbye = absl::Seconds(1);

// How often a call that is under way is looked at, at the most and at the least.
constexpr absl::Duration kShortestLook = absl::Milliseconds(1);
constexpr absl::Duration kLongestLook = absl::Milliseconds(100);

// How long is looked at a driver whose callback does not come.
constexpr absl::Duration kActivityWindow = absl::Milliseconds(100);

// A driver that uses less than this share of one processor's time is stalled.
constexpr double kStalledShare = 0.01;

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

constexpr uint64_t kGibibyte = uint64_t{1} << 30;

// The number in a file, or behind a word in it; nothing when there is none.
std::optional<uint64_t> NumberInFile(const char* path, absl::string_view name = "") {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    uint64_t number = 0;
    if (name.empty()) return absl::SimpleAtoi(word, &number) ? std::optional(number) : std::nullopt;
    if (word == name && file >> number) return number;
  }
  return std::nullopt;
}

// How many processes the system has killed for want of memory since it was started.
uint64_t KillsForWantOfMemory() { return NumberInFile("/proc/vmstat", "oom_kill").value_or(0); }

}  // namespace

uint64_t DefaultDriverMemory() {
  const uint64_t of_machine = static_cast<uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L)) *
                              static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  // Of control groups of either version (cgroups(7)), when this process sees its own as the root.
  const uint64_t of_group =
      std::min(NumberInFile("/sys/fs/cgroup/memory.max").value_or(of_machine),
               NumberInFile("/sys/fs/cgroup/memory/memory.limit_in_bytes").value_or(of_machine));
  const uint64_t half = std::min(of_machine, of_group) / 2;
  const uint64_t processors = std::max(std::thread::hardware_concurrency(), 1U);
  return std::max(half / processors, std::min(half, 4 * kGibibyte));
}

ResourceUse ResourcesOf(absl::Span<const pid_t> processes) {
  ResourceUse use;
  use.processes = processes.size();
  for (const pid_t process : processes) {
    const hal::ProcessStatus status = hal::StatusOf(process);
    use.descriptors += DescriptorsOf(process);
    use.memory += status.own_memory;
    use.threads += status.threads;
  }
  return use;
}

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
  const std::vector<std::string> arguments = {options_.program,
                                              absl::StrCat("--driver=", options_.driver),
                                              absl::StrCat("--option=", options_.option),
                                              absl::StrCat("--fd=", ChildProcess::kSocket),
                                              absl::StrCat("--guard=", ChildProcess::kReport),
                                              absl::StrCat("--memory=", options_.memory)};
  kills_for_want_of_memory_ = KillsForWantOfMemory();
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
  // What the driver said of itself is in it.
  std::string what = EscapeForTerminal(status.message());
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
  } else if (child_ != nullptr) {
    absl::StrAppend(&what, LastLines());
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
  return child_ != nullptr ? child_->guarded() : connection_->peer_process();
}

GuardReport DriverProcess::Report() { return child_ != nullptr ? child_->Report() : GuardReport(); }

void DriverProcess::HangUp() {
  connection_->Close();
  if (child_ != nullptr) AwaitEnd();
}

std::optional<ProcessEnd> DriverProcess::AwaitEnd() {
  const hal::Deadline longest(kLongestEnd);
  bool has_ended = false;
  while (true) {
    // A guard waits for what is left behind.
    const auto end = child_->WaitFor(hal::transport::kFarewell + kLastGasp);
    if (end.has_value() || longest.HasPassed()) return end;
    // Whoever would go on if there were a processor free has not had that time; nor has the guard,
    // where what it guards has ended meanwhile.
    const bool had_ended = std::exchange(has_ended, hal::StatusOf(process()).threads == 0);
    const bool is_under_way =
        hal::IsReadyToRun(process()) || hal::IsReadyToRun(child_->id()) || has_ended != had_ended;
    if (!is_under_way) return std::nullopt;
  }
}

uint64_t DriverProcess::OutputSize() { return child_ != nullptr ? child_->OutputSize() : 0; }

DriverProcess::Look DriverProcess::LookNow() const {
  const absl::Duration cpu_time =
      child_ != nullptr ? child_->CpuTime()
                        : CpuTimeOf(connection_->peer_process()).value_or(absl::ZeroDuration());
  return {options_.clock->Now(), cpu_time, IsReadyToRun()};
}

bool DriverProcess::IsReadyToRun() const { return absl::c_any_of(Processes(), &hal::IsReadyToRun); }

// Whether the driver is at work, in words.
std::string DriverProcess::DescribeActivity(const Look& before, const Look& after) const {
  const double seconds = absl::ToDoubleSeconds(after.time - before.time);
  const double used = absl::ToDoubleSeconds(after.cpu_time - before.cpu_time);
  if (hal::StatusOf(process()).is_stopped) {
    return "the driver's process was stopped by a signal (SIGSTOP, or one like it), and nobody "
           "lets it go on";
  }
  const bool is_idle = used < kStalledShare * seconds;
  // On a busy machine one that computes may have to wait all that time.
  const bool has_waited = is_idle && before.is_ready && after.is_ready;
  if (is_idle && !has_waited) {
    return absl::StrFormat("the driver is stalled: its process used no CPU time in the last %.3g s",
                           seconds);
  }
  return absl::StrFormat(
      "the driver is slow, not stalled: its process used %.3g s of CPU time in the last %.3g s%s",
      used, seconds, has_waited ? ", in which it waited for a processor" : "");
}

std::optional<ProcessEnd> DriverProcess::EndOfProcess() {
  return child_ != nullptr ? child_->WaitFor(absl::ZeroDuration()) : std::nullopt;
}

ProcessUsage DriverProcess::Usage() {
  return {LookNow().cpu_time, child_ != nullptr
                                  ? child_->PeakMemory()
                                  : hal::StatusOf(connection_->peer_process()).peak_memory};
}

ResourceUse DriverProcess::Resources() const { return ResourcesOf(Processes()); }

std::vector<pid_t> DriverProcess::Processes() const {
  return child_ != nullptr ? child_->Processes() : std::vector<pid_t>{connection_->peer_process()};
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
  return DescribeActivity(before, LookNow());
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
  } else {
    look_.is_ready = look_.is_ready && IsReadyToRun();
  }
  if (!call_deadline_.HasPassed() || !window_end_.HasPassed()) return;
  overdue_ = absl::StrCat("did not return within ", absl::FormatDuration(call_timeout_), ": ",
                          DescribeActivity(look_, LookNow()));
  connection_->Close(absl::DeadlineExceededError(overdue_));
  is_calling_ = false;
}

std::string DriverProcess::LastLines() const {
  if (child_ == nullptr) return "";
  std::string text;
  for (const std::string& line : child_->LastLines()) absl::StrAppend(&text, "\n    ", line);
  return text.empty() ? "" : absl::StrCat("\n  the last lines that it wrote:", text);
}

// What there is to say of a process that was killed: nobody sees who did it.
std::string DriverProcess::DescribeKill() const {
  return absl::StrFormat(", when it had %.0f MiB of memory%s", hal::Mebibytes(child_->PeakMemory()),
                         KillsForWantOfMemory() > kills_for_want_of_memory_
                             ? "; the system has killed a process for want of memory meanwhile"
                             : "");
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
  const auto end = AwaitEnd();
  const std::string last_lines = LastLines();
  if (const std::string ended_for = child_->Report().ended_for; !ended_for.empty()) {
    return absl::UnavailableError(
        absl::StrCat("the driver's process was ended, for ", ended_for, last_lines));
  }
  const bool broke_protocol = absl::IsDataLoss(reason);
  if (end.has_value() && (end->signal != 0 || !broke_protocol)) {
    const std::string exception =
        end->signal == SIGABRT ? EscapedException(child_->LastLines()) : "";
    return absl::UnavailableError(absl::StrCat(
        "the driver's process ", DescribeEnd(*end), end->signal == SIGKILL ? DescribeKill() : "",
        exception.empty() ? "" : ", for an exception that nobody caught: ", exception, last_lines));
  }
  if (broke_protocol) {
    return absl::DataLossError(absl::StrCat("the driver's process broke the protocol: ",
                                            EscapeForTerminal(reason.message()), last_lines));
  }
  return absl::UnavailableError(
      absl::StrCat("the driver's process closed its socket, and did not end", last_lines));
}

}  // namespace nncert
