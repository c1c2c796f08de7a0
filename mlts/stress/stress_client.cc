// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/stress_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <optional>
#include <thread>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "hal/deadline.h"
#include "hal/transport/socket.h"

namespace nncert {
namespace {

// What a client process writes, each on a line of its own.
constexpr char kReady[] = "first load";
constexpr char kLoads[] = "loads ";
constexpr char kProblem[] = "problem ";

// How often a process is looked at.
constexpr absl::Duration kInterval = absl::Milliseconds(2);

// Ends this process when nobody holds the other end of the socket any more.
void EndWithParent() {
  std::thread([] {
    pollfd hangup = {.fd = ChildProcess::kSocket, .events = 0, .revents = 0};
    while (poll(&hangup, 1, -1) < 0 && errno == EINTR) continue;
    _exit(EXIT_FAILURE);
  }).detach();
}

// Waits until the process that started this one lets it go on.
void AwaitGoOn() {
  char byte = 0;
  while (recv(ChildProcess::kSocket, &byte, 1, 0) < 0 && errno == EINTR) continue;
}

// What the client said at its end.
absl::StatusOr<uint64_t> ResultOf(const std::vector<std::string>& lines, const ProcessEnd& end) {
  for (absl::string_view line : lines) {
    if (absl::ConsumePrefix(&line, kLoads)) {
      uint64_t loads = 0;
      if (absl::SimpleAtoi(line, &loads)) return loads;
    } else if (absl::ConsumePrefix(&line, kProblem)) {
      const size_t space = line.find(' ');
      int code = 0;
      if (space != line.npos && absl::SimpleAtoi(line.substr(0, space), &code)) {
        return absl::Status(static_cast<absl::StatusCode>(code), line.substr(space + 1));
      }
    }
  }
  return absl::InternalError(absl::StrCat(
      "a client process ", DescribeEnd(end),
      lines.empty() ? "" : absl::StrCat("; the last line that it wrote: ", lines.back())));
}

}  // namespace

absl::Status RunClient(const NamedDriver& driver, absl::Span<const StressNetwork> networks,
                       const ClientWork& work, LoadCount& count,
                       const std::function<void()>& on_first_load) {
  std::mutex mutex;
  absl::Status first_problem;
  std::atomic<bool> is_over = false;
  bool is_first = true;
  hal::Deadline end = hal::Deadline::Never();
  const auto run = [&](size_t thread) {
    LoadCount own;
    absl::Status status;
    absl::StatusOr<OpenedDriver> opened = OpenDriver(driver, Isolation::kUnpinned, work.deadline);
    status = opened.status();
    // Known once the first load is done.
    hal::Deadline own_end = hal::Deadline::Never();
    for (size_t i = thread; status.ok() && !is_over && !own_end.HasPassed(); ++i) {
      status = LoadNetwork(opened->session(), networks[i % networks.size()],
                           {work.executions, own_end, work.deadline}, own);
      if (i != thread || !status.ok()) continue;
      const std::lock_guard<std::mutex> lock(mutex);
      if (std::exchange(is_first, false)) {
        if (on_first_load != nullptr) on_first_load();
        end = hal::Deadline(work.time);
      }
      own_end = end;
    }
    const std::lock_guard<std::mutex> lock(mutex);
    count.loads += own.loads;
    count.executions += own.executions;
    if (status.ok()) return;
    if (first_problem.ok()) first_problem = status;
    is_over = true;
  };
  std::vector<std::thread> threads;
  for (size_t i = 0; i < work.threads; ++i) threads.emplace_back(run, i);
  for (std::thread& thread : threads) thread.join();
  return first_problem;
}

BackgroundClient::BackgroundClient(const NamedDriver& driver,
                                   absl::Span<const StressNetwork> networks, uint64_t executions,
                                   absl::Duration deadline) {
  thread_ = std::thread([this, driver, networks, executions, deadline] {
    const auto begin = [this] {
      has_begun_ = true;
      has_begun_.notify_all();
    };
    absl::StatusOr<OpenedDriver> opened = OpenDriver(driver, Isolation::kUnpinned, deadline);
    status_ = opened.status();
    for (size_t i = 0; status_.ok() && !is_over_; ++i) {
      status_ = LoadNetwork(opened->session(), networks[i % networks.size()],
                            {executions, hal::Deadline::Never(), deadline}, count_);
      begin();
    }
    has_ended_ = true;
    begin();
  });
}

absl::Status BackgroundClient::End() {
  is_over_ = true;
  if (thread_.joinable()) thread_.join();
  return status_;
}

absl::StatusOr<std::unique_ptr<ClientProcess>> ClientProcess::Start(const ClientCommand& command,
                                                                    const NamedDriver& service,
                                                                    const ClientWork& work) {
  auto sockets = hal::transport::ConnectedSockets();
  if (!sockets.ok()) return sockets.status();
  std::vector<std::string> words = command.words;
  for (const std::string& word :
       {service.socket, command.networks, absl::StrCat(work.threads), absl::StrCat(work.executions),
        absl::FormatDuration(work.time), absl::FormatDuration(work.deadline)}) {
    words.push_back(word);
  }
  absl::StatusOr<std::unique_ptr<ChildProcess>> child =
      ChildProcess::Start(words, sockets->second.get());
  if (!child.ok()) return child.status();
  return std::unique_ptr<ClientProcess>(
      new ClientProcess(*std::move(child), std::move(sockets->first)));
}

absl::Status ClientProcess::AwaitFirstLoad(absl::Duration timeout) {
  const hal::Deadline end(timeout);
  while (child_->OutputSize() == 0) {
    if (child_->WaitFor(absl::ZeroDuration()).has_value()) return WaitFor(kInterval).status();
    if (end.HasPassed()) {
      return absl::DeadlineExceededError(absl::StrCat("a client process had nothing loaded after ",
                                                      absl::FormatDuration(timeout)));
    }
    absl::SleepFor(kInterval);
  }
  const std::vector<std::string> lines = child_->LastLines();
  return !lines.empty() && lines.front() == kReady ? absl::OkStatus() : WaitFor(timeout).status();
}

void ClientProcess::GoOn() {
  // A client that has ended meanwhile needs no telling: WaitFor says why.
  static_cast<void>(send(socket_.get(), "", 1, MSG_NOSIGNAL));
}

absl::StatusOr<uint64_t> ClientProcess::WaitFor(absl::Duration timeout) {
  const std::optional<ProcessEnd> end = child_->WaitFor(timeout);
  if (end.has_value()) return ResultOf(child_->LastLines(), *end);
  return absl::DeadlineExceededError(absl::StrCat("a client process had not come to its end ",
                                                  absl::FormatDuration(timeout), " later"));
}

absl::StatusOr<int> MainOfClient(absl::Span<const std::string> words) {
  NamedDriver driver;
  ClientWork work;
  if (words.size() != 6 || !absl::SimpleAtoi(words[2], &work.threads) ||
      !absl::SimpleAtoi(words[3], &work.executions) || !absl::ParseDuration(words[4], &work.time) ||
      !absl::ParseDuration(words[5], &work.deadline)) {
    return absl::InvalidArgumentError(
        "expected SOCKET NETWORKS THREADS EXECUTIONS TIME DEADLINE, as stress tests say it");
  }
  EndWithParent();
  driver.name = "the driver";
  driver.socket = words[0];
  LoadCount count;
  const absl::StatusOr<std::vector<StressNetwork>> networks = ReadStressNetworks(words[1]);
  absl::Status status = networks.status();
  if (status.ok()) {
    status = RunClient(driver, *networks, work, count, [] {
      std::cout << kReady << std::endl;
      AwaitGoOn();
    });
  }
  if (status.ok()) {
    std::cout << kLoads << count.loads << std::endl;
    return EXIT_SUCCESS;
  }
  std::cout << kProblem << static_cast<int>(status.code()) << ' ' << status.message() << std::endl;
  return EXIT_FAILURE;
}

}  // namespace nncert
