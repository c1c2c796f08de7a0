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
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "hal/deadline.h"
#include "hal/process_tree.h"
#include "hal/transport/process_guard.h"
#include "system/escape.h"

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
      hal::FileDescriptor::Adopt(fcntl(descriptor, F_DUPFD_CLOEXEC, ChildProcess::kReport + 1));
  if (!moved.valid()) return absl::ErrnoToStatus(errno, "fcntl");
  return moved;
}

absl::Duration ToDuration(const timeval& time) { return absl::DurationFromTimeval(time); }

// A line that a terminal shows as it is, cut when it is long.
std::string Printable(absl::string_view line) {
  std::string printable = EscapeForTerminal(line.substr(0, ChildProcess::kLongestLine));
  if (line.size() > ChildProcess::kLongestLine) printable += "...";
  return printable;
}

// How long a guard may take to end what it guards; it has a shorter time for that itself.
constexpr absl::Duration kLongestEnd = absl::Seconds(20);

// A pipe: it does not wait when it is read, and does when it is full and written, as programs are
// used to.
struct Pipe {
  hal::FileDescriptor reading;
  hal::FileDescriptor writing;
};

absl::StatusOr<Pipe> MakePipe() {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe2");
  Pipe pipe = {hal::FileDescriptor::Adopt(ends[0]), {}};
  const auto writing = hal::FileDescriptor::Adopt(ends[1]);
  fcntl(pipe.reading.get(), F_SETFL, O_NONBLOCK);
  absl::StatusOr<hal::FileDescriptor> moved = MoveUp(writing.get());
  if (!moved.ok()) return moved.status();
  pipe.writing = *std::move(moved);
  return pipe;
}

// What the child starts with: nothing to read, no signal blocked or ignored, a group of its own.
class SpawnSettings {
 public:
  SpawnSettings(int socket, int output, int report) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, ChildProcess::kSocket);
    posix_spawn_file_actions_adddup2(&actions_, report, ChildProcess::kReport);
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
  absl::StatusOr<Pipe> output = MakePipe();
  if (!output.ok()) return output.status();
  absl::StatusOr<Pipe> report = MakePipe();
  if (!report.ok()) return report.status();
  auto stop = hal::FileDescriptor::Adopt(eventfd(0, EFD_CLOEXEC));
  if (!stop.valid()) return absl::ErrnoToStatus(errno, "eventfd");
  const absl::StatusOr<hal::FileDescriptor> child_socket = MoveUp(socket);
  if (!child_socket.ok()) return child_socket.status();

  pid_t process = 0;
  const SpawnSettings settings(child_socket->get(), output->writing.get(), report->writing.get());
  if (const int error = settings.Spawn(arguments, process); error != 0) {
    return absl::ErrnoToStatus(error, absl::StrCat("cannot start ", arguments[0]));
  }
  rlimit core;
  if (prlimit(process, RLIMIT_CORE, nullptr, &core) == 0) {
    core.rlim_cur = 0;
    prlimit(process, RLIMIT_CORE, &core, nullptr);
  }
  return std::unique_ptr<ChildProcess>(new ChildProcess(
      process, {std::move(output->reading), std::move(report->reading), std::move(stop)}));
}

ChildProcess::ChildProcess(pid_t id, Pipes pipes)
    : id_(id), pipes_(std::move(pipes)), thread_([this] { Loop(); }) {}

ChildProcess::~ChildProcess() {
  Kill();
  if (!WaitFor(kLongestEnd).has_value()) Kill();
  const uint64_t one = 1;
  while (write(pipes_.stop.get(), &one, sizeof(one)) < 0 && errno == EINTR) {
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
      DrainReport();
      LookAtMemory();
      Drain();
      is_output_open = is_output_open_;
    }
    std::array<pollfd, 2> polled = {pollfd{pipes_.stop.get(), POLLIN, 0},
                                    pollfd{is_output_open ? pipes_.output.get() : -1, POLLIN, 0}};
    poll(polled.data(), polled.size(), kLookMilliseconds);
    if (polled[0].revents != 0) return;
  }
}

void ChildProcess::Drain() {
  std::array<char, 4096> buffer;
  while (is_output_open_) {
    const ssize_t count = read(pipes_.output.get(), buffer.data(), buffer.size());
    if (count > 0) {
      output_size_ += static_cast<uint64_t>(count);
      tail_.append(buffer.data(), static_cast<size_t>(count));
      if (tail_.size() > 2 * kMostTail) tail_.erase(0, tail_.size() - kMostTail);
    } else if (count == 0 || (errno != EINTR && errno != EAGAIN)) {
      is_output_open_ = false;
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

// Reads what the report says by now.
void ChildProcess::DrainReport() {
  std::array<char, 4096> buffer;
  ssize_t count = 0;
  while ((count = read(pipes_.report.get(), buffer.data(), buffer.size())) > 0) {
    unread_report_.append(buffer.data(), static_cast<size_t>(count));
  }
  for (size_t end = 0; (end = unread_report_.find('\n')) != std::string::npos;) {
    const std::pair<std::string, std::string> line =
        absl::StrSplit(unread_report_.substr(0, end), absl::MaxSplits(' ', 1));
    unread_report_.erase(0, end + 1);
    if (line.first == hal::transport::kGuardReady) {
      is_guard_ = true;
    } else if (line.first == hal::transport::kGuardProcess) {
      if (!absl::SimpleAtoi(line.second, &guarded_)) guarded_ = 0;
    } else if (line.first == hal::transport::kGuardForked) {
      has_forked_ = true;
    } else if (line.first == hal::transport::kGuardEnded ||
               line.first == hal::transport::kGuardBomb) {
      report_.is_bomb = line.first == hal::transport::kGuardBomb;
      report_.ended_for = line.second;
    } else if (line.first == hal::transport::kGuardFinding) {
      report_.findings.push_back(line.second);
    }
  }
}

void ChildProcess::LookAtMemory() {
  if (end_.has_value()) return;
  uint64_t memory = 0;
  for (const pid_t process : LivingProcesses()) memory += hal::StatusOf(process).peak_memory;
  peak_memory_ = std::max(peak_memory_, memory);
}

std::vector<pid_t> ChildProcess::LivingProcesses() {
  DrainReport();
  if (end_.has_value()) return {};
  if (!is_guard_) return {id_};
  if (has_forked_) return hal::DescendantsOf(id_);
  return guarded_ > 0 ? std::vector<pid_t>{guarded_} : std::vector<pid_t>();
}

pid_t ChildProcess::guarded() {
  const absl::MutexLock lock(&mutex_);
  DrainReport();
  return guarded_ > 0 ? guarded_ : id_;
}

std::vector<pid_t> ChildProcess::Processes() {
  const absl::MutexLock lock(&mutex_);
  Reap(WNOHANG);
  return LivingProcesses();
}

GuardReport ChildProcess::Report() {
  const absl::MutexLock lock(&mutex_);
  DrainReport();
  return report_;
}

uint64_t ChildProcess::OutputSize() {
  const absl::MutexLock lock(&mutex_);
  Drain();
  return output_size_;
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
  LookAtMemory();
  // Not waited for yet, so the number is still its own. A guard ends what it guards before itself.
  if (is_guard_ && !is_ending_) {
    is_ending_ = true;
    kill(id_, SIGTERM);
    return;
  }
  kill(-id_, SIGKILL);
  kill(id_, SIGKILL);
}

absl::Duration ChildProcess::CpuTime() {
  const absl::MutexLock lock(&mutex_);
  Reap(WNOHANG);
  if (end_.has_value()) return cpu_time_;
  absl::Duration sum;
  for (const pid_t process : LivingProcesses()) {
    sum += CpuTimeOf(process).value_or(absl::ZeroDuration());
  }
  // What has ended is missing from the sum, but time was used all the same.
  cpu_time_ = std::max(cpu_time_, sum);
  return cpu_time_;
}

uint64_t ChildProcess::PeakMemory() {
  const absl::MutexLock lock(&mutex_);
  LookAtMemory();
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
