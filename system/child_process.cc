// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "hal/deadline.h"

namespace nncert {
namespace {

// How often memory is looked at.
constexpr int kLookMilliseconds = 100;

// How much of the output is kept.
constexpr size_t kMostTail = size_t{4} * ChildProcess::kMostLines * ChildProcess::kLongestLine;

// A descriptor that is none of those that the child gets, so that giving them out does not close
// it.
absl::StatusOr<hal::FileDescriptor> MoveUp(int descriptor) {
  auto moved =
      hal::FileDescriptor::Adopt(fcntl(descriptor, F_DUPFD_CLOEXEC, ChildProcess::kSocket + 1));
  if (!moved.valid()) return absl::ErrnoToStatus(errno, "fcntl");
  return moved;
}

absl::Duration ToDuration(const timeval& time) { return absl::DurationFromTimeval(time); }

// A figure of /proc/PID/status; 0 when the process has ended.
uint64_t FigureInStatus(pid_t process, absl::string_view name) {
  std::ifstream status(absl::StrCat("/proc/", process, "/status"));
  std::string line;
  while (std::getline(status, line)) {
    if (!absl::StartsWith(line, name)) continue;
    const std::vector<std::string> words =
        absl::StrSplit(line, absl::ByAnyChar(" \t"), absl::SkipEmpty());
    uint64_t figure = 0;
    return words.size() > 1 && absl::SimpleAtoi(words[1], &figure) ? figure : 0;
  }
  return 0;
}

// One of those that are in kilobytes, in bytes.
uint64_t BytesInStatus(pid_t process, absl::string_view name) {
  return FigureInStatus(process, name) * 1024;
}

// A line without its control characters, cut when it is long.
std::string Printable(absl::string_view line) {
  std::string printable(line.substr(0, ChildProcess::kLongestLine));
  for (char& character : printable) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte == '\t') character = ' ';
    if (byte != '\t' && (byte < 0x20 || byte == 0x7F)) character = '?';
  }
  if (line.size() > ChildProcess::kLongestLine) printable += "...";
  return printable;
}

// What the child starts with: nothing to read, no signal blocked or ignored, a group of its own.
class SpawnSettings {
 public:
  SpawnSettings(int socket, int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, ChildProcess::kSocket);
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(
        &attributes_,
        static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  // 0 and the process, or the error.
  int Spawn(std::vector<std::string> arguments, pid_t& process) const {
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    return posix_spawn(&process, pointers[0], &actions_, &attributes_, pointers.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

}  // namespace

std::string DescribeEnd(const ProcessEnd& end) {
  if (end.signal == 0) return absl::StrCat("exited with status ", end.exit_status);
  const char* const name = sigabbrev_np(end.signal);
  const char* const words = sigdescr_np(end.signal);
  if (name == nullptr || words == nullptr) {
    return absl::StrCat("was killed by signal ", end.signal);
  }
  return absl::StrCat("was killed by SIG", name, " (", words, ")");
}

std::optional<absl::Duration> CpuTimeOf(pid_t process) {
  clockid_t clock;
  timespec time;
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) {
    return std::nullopt;
  }
  return absl::DurationFromTimespec(time);
}

uint64_t PeakMemoryOf(pid_t process) { return BytesInStatus(process, "VmHWM:"); }

uint64_t OwnMemoryOf(pid_t process) { return BytesInStatus(process, "RssAnon:"); }

uint64_t ThreadsOf(pid_t process) { return FigureInStatus(process, "Threads:"); }

uint64_t DescriptorsOf(pid_t process) {
  std::error_code error;
  uint64_t count = 0;
  for (std::filesystem::directory_iterator entry(absl::StrCat("/proc/", process, "/fd"), error),
       end;
       !error && entry != end; entry.increment(error)) {
    ++count;
  }
  return count;
}

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const std::vector<std::string>& arguments, int socket) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) return absl::ErrnoToStatus(errno, "pipe2");
  auto reading = hal::FileDescriptor::Adopt(ends[0]);
  const auto writing = hal::FileDescriptor::Adopt(ends[1]);
  // The program writes as it is used to: it waits while the pipe is full.
  fcntl(writing.get(), F_SETFL, 0);
  auto stop = hal::FileDescriptor::Adopt(eventfd(0, EFD_CLOEXEC));
  if (!stop.valid()) return absl::ErrnoToStatus(errno, "eventfd");
  const absl::StatusOr<hal::FileDescriptor> child_output = MoveUp(writing.get());
  if (!child_output.ok()) return child_output.status();
  const absl::StatusOr<hal::FileDescriptor> child_socket = MoveUp(socket);
  if (!child_socket.ok()) return child_socket.status();

  pid_t process = 0;
  const SpawnSettings settings(child_socket->get(), child_output->get());
  if (const int error = settings.Spawn(arguments, process); error != 0) {
    return absl::ErrnoToStatus(error, absl::StrCat("cannot start ", arguments[0]));
  }
  rlimit core;
  if (prlimit(process, RLIMIT_CORE, nullptr, &core) == 0) {
    core.rlim_cur = 0;
    prlimit(process, RLIMIT_CORE, &core, nullptr);
  }
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(process, std::move(reading), std::move(stop)));
}

ChildProcess::ChildProcess(pid_t id, hal::FileDescriptor output, hal::FileDescriptor stop)
    : id_(id), output_(std::move(output)), stop_(std::move(stop)), thread_([this] { Loop(); }) {}

ChildProcess::~ChildProcess() {
  Kill();
  const uint64_t one = 1;
  while (write(stop_.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
  }
  thread_.join();
  const absl::MutexLock lock(&mutex_);
  Reap(0);
}

// Keeps the pipe from filling up, and looks at the memory.
void ChildProcess::Loop() {
  while (true) {
    bool is_output_open;
    {
      const absl::MutexLock lock(&mutex_);
      if (!end_.has_value()) peak_memory_ = std::max(peak_memory_, PeakMemoryOf(id_));
      Drain();
      is_output_open = is_output_open_;
    }
    std::array<pollfd, 2> polled = {pollfd{stop_.get(), POLLIN, 0},
                                    pollfd{is_output_open ? output_.get() : -1, POLLIN, 0}};
    poll(polled.data(), polled.size(), kLookMilliseconds);
    if (polled[0].revents != 0) return;
  }
}

void ChildProcess::Drain() {
  std::array<char, 4096> buffer;
  while (is_output_open_) {
    const ssize_t count = read(output_.get(), buffer.data(), buffer.size());
    if (count > 0) {
      tail_.append(buffer.data(), static_cast<size_t>(count));
      if (tail_.size() > 2 * kMostTail) tail_.erase(0, tail_.size() - kMostTail);
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      is_output_open_ = false;
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

void ChildProcess::Reap(int options) {
  if (end_.has_value()) return;
  siginfo_t info = {};
  int waited = 0;
  do {
    waited = waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT | options);
  } while (waited < 0 && errno == EINTR);
  if (waited == 0 && info.si_pid == 0) return;
  // It has ended, and is not waited for yet: the group is still its own.
  kill(-id_, SIGKILL);
  int status = 0;
  rusage usage = {};
  pid_t reaped = 0;
  do {
    reaped = wait4(id_, &status, 0, &usage);
  } while (reaped < 0 && errno == EINTR);
  end_.emplace();
  if (reaped < 0) return;
  if (WIFSIGNALED(status)) {
    end_->signal = WTERMSIG(status);
  } else {
    end_->exit_status = WEXITSTATUS(status);
  }
  cpu_time_ = ToDuration(usage.ru_utime) + ToDuration(usage.ru_stime);
}

std::optional<ProcessEnd> ChildProcess::WaitFor(absl::Duration timeout) {
  const hal::Deadline deadline(timeout);
  absl::Duration pause = absl::Microseconds(100);
  while (true) {
    {
      const absl::MutexLock lock(&mutex_);
      Reap(WNOHANG);
      if (end_.has_value()) return end_;
    }
    if (deadline.HasPassed()) return std::nullopt;
    absl::SleepFor(std::min(pause, deadline.Sleep()));
    pause = std::min(2 * pause, absl::Milliseconds(5));
  }
}

void ChildProcess::Kill() {
  const absl::MutexLock lock(&mutex_);
  if (end_.has_value()) return;
  peak_memory_ = std::max(peak_memory_, PeakMemoryOf(id_));
  // Not waited for yet, so the number is still its own.
  kill(-id_, SIGKILL);
  kill(id_, SIGKILL);
}

absl::Duration ChildProcess::CpuTime() {
  const absl::MutexLock lock(&mutex_);
  Reap(WNOHANG);
  if (end_.has_value()) return cpu_time_;
  return CpuTimeOf(id_).value_or(absl::ZeroDuration());
}

uint64_t ChildProcess::PeakMemory() {
  const absl::MutexLock lock(&mutex_);
  if (!end_.has_value()) peak_memory_ = std::max(peak_memory_, PeakMemoryOf(id_));
  return peak_memory_;
}

std::vector<std::string> ChildProcess::LastLines() {
  const absl::MutexLock lock(&mutex_);
  Drain();
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(tail_, '\n', absl::SkipWhitespace())) {
    lines.push_back(Printable(line));
  }
  if (lines.size() > kMostLines) lines.erase(lines.begin(), lines.end() - kMostLines);
  return lines;
}

}  // namespace nncert
