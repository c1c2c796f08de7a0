// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/process_run.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <utility>

#include "absl/status/statusor.h"

namespace nncert::faulty {
namespace {

// A process that runs a fault, and where it tells of it.
struct Running {
  std::string fault;
  pid_t process;
  int output;
};

// Has a copy of this process do `work`, which tells of it.
absl::StatusOr<Running> Start(const std::string& fault,
                              const std::function<void(const Tell& tell)>& work) {
  std::array<int, 2> ends;
  // Closed in the programs that a driver starts, which may go on for longer.
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe2");
  const pid_t process = fork();
  if (process < 0) return absl::ErrnoToStatus(errno, "fork");
  if (process == 0) {
    close(ends[0]);
    const Tell tell = [out = ends[1]](const std::string& line) {
      const std::string text = line + "\n";
      if (write(out, text.data(), text.size()) < 0) std::_Exit(1);
    };
    work(tell);
    // Threads of the driver may be stalled, so nothing is torn down.
    std::_Exit(0);
  }
  close(ends[1]);
  return Running{fault, process, ends[0]};
}

// What a process told, and its status, when it has ended.
std::pair<std::string, int> Finish(const Running& running) {
  std::string lines;
  std::array<char, 4096> buffer;
  ssize_t count = 0;
  while ((count = read(running.output, buffer.data(), buffer.size())) > 0 ||
         (count < 0 && errno == EINTR)) {
    if (count > 0) lines.append(buffer.data(), static_cast<size_t>(count));
  }
  close(running.output);
  int status = 0;
  while (waitpid(running.process, &status, 0) < 0 && errno == EINTR) {
  }
  return {lines, status};
}

}  // namespace

absl::Status RunApart(
    const std::vector<std::string>& faults, size_t jobs,
    const std::function<void(const std::string& fault, const Tell& tell)>& work,
    const std::function<absl::Status(const std::string& fault, const std::string& lines,
                                     int status)>& finish) {
  std::deque<Running> running;
  absl::Status result;
  for (size_t next = 0; (next < faults.size() && result.ok()) || !running.empty();) {
    if (next < faults.size() && running.size() < jobs && result.ok()) {
      const std::string& fault = faults[next++];
      absl::StatusOr<Running> started = Start(fault, [&](const Tell& tell) { work(fault, tell); });
      if (!started.ok()) {
        result = started.status();
      } else {
        running.push_back(*std::move(started));
      }
      continue;
    }
    const auto [lines, status] = Finish(running.front());
    if (result.ok()) result = finish(running.front().fault, lines, status);
    running.pop_front();
  }
  return result;
}

}  // namespace nncert::faulty
