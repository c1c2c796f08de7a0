// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A process that is started, watched and ended.

#ifndef NNCERT_SYSTEM_CHILD_PROCESS_H_
#define NNCERT_SYSTEM_CHILD_PROCESS_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "hal/handle.h"

namespace nncert {

/// How a process ended.
struct ProcessEnd {
  /// The signal that ended it; 0 when none did.
  int signal = 0;
  /// Its exit status, when no signal ended it.
  int exit_status = 0;
};

/// "was killed by SIGSEGV (Segmentation fault)", "exited with status 3".
std::string DescribeEnd(const ProcessEnd& end);

/// The CPU time that all threads of a process have used so far; nothing when it has ended, or is
/// none of this user's.
std::optional<absl::Duration> CpuTimeOf(pid_t process);

/// How many descriptors a process has open; 0 when it has ended, or is none of this user's.
uint64_t DescriptorsOf(pid_t process);

/// What guards of processes say; see hal/transport/process_guard.h.
struct GuardReport {
  /// Why the guard ended the processes; empty when it did not.
  std::string ended_for;
  /// Whether that was for too many processes or threads.
  bool is_bomb = false;
  /// What they did that no driver should: a sentence without a full stop each, in which "it" is the
  /// program.
  std::vector<std::string> findings;
};

/// A program that runs with one end of a socket as its descriptor kSocket. It belongs to a process
/// group of its own, so that Ctrl-C does not reach it; leaves no core file; reads nothing; and what
/// it writes to its standard output and error is kept, the last lines of it. It ends with this
/// object at the latest. So do the processes that it has started itself: those of its group, and
/// all of them when it says in its report, the descriptor kReport, that it is a guard. Thread-safe.
class ChildProcess {
 public:
  /// The descriptor that the program finds the socket as.
  static constexpr int kSocket = 3;
  /// The pipe that it writes its report to; see hal::transport::GuardOptions.
  static constexpr int kReport = 4;

  /// Starts a program with these arguments; the first is its path. `socket` stays the caller's.
  /// Fails when the program cannot be started.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const std::vector<std::string>& arguments, int socket);

  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  /// Kills the process if it still runs.
  ~ChildProcess();

  /// Its number, which nobody else gets before it is waited for.
  pid_t id() const { return id_; }

  /// The process that it guards, as far as it has said so by now; its own number when it is no
  /// guard.
  pid_t guarded();

  /// The process that it guards, if any, and all that this has started, without the guard; empty
  /// when it has ended.
  std::vector<pid_t> Processes();

  /// What it has said as a guard so far; all of it when it has ended.
  GuardReport Report();

  /// How many bytes it has written to its standard output and error.
  uint64_t OutputSize();

  /// How it ended; waits for that no longer than `timeout`, and gives nothing when it still runs.
  std::optional<ProcessEnd> WaitFor(absl::Duration timeout);

  /// Kills it and all of its process group; of a guard, all that it guards, wherever they are.
  /// Nothing when it has ended already.
  void Kill();

  /// The CPU time that it and all that it has started have used, until their end if it has ended.
  absl::Duration CpuTime();

  /// The most physical memory that it has had at a time, in bytes: when it has ended, as far as was
  /// seen in time.
  uint64_t PeakMemory();

  /// The last lines that it wrote, at most kMostLines of at most kLongestLine bytes each; without
  /// control characters.
  std::vector<std::string> LastLines();

  static constexpr size_t kMostLines = 24;
  static constexpr size_t kLongestLine = 200;

 private:
  // The ends of what it is connected to that are not its own.
  struct Pipes {
    hal::FileDescriptor output;
    hal::FileDescriptor report;
    hal::FileDescriptor stop;  // an eventfd that ends the thread
  };

  ChildProcess(pid_t id, Pipes pipes);
  void Loop();
  void Drain() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void DrainReport() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void LookAtMemory() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  std::vector<pid_t> LivingProcesses() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Reap(int options) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const pid_t id_;
  const Pipes pipes_;
  absl::Mutex mutex_;
  bool is_output_open_ ABSL_GUARDED_BY(mutex_) = true;
  std::string tail_ ABSL_GUARDED_BY(mutex_);
  uint64_t output_size_ ABSL_GUARDED_BY(mutex_) = 0;
  std::string unread_report_ ABSL_GUARDED_BY(mutex_);  // the beginning of a line
  bool is_guard_ ABSL_GUARDED_BY(mutex_) = false;
  pid_t guarded_ ABSL_GUARDED_BY(mutex_) = 0;        // 0 before it is known
  bool has_forked_ ABSL_GUARDED_BY(mutex_) = false;  // what a guard guards
  bool is_ending_ ABSL_GUARDED_BY(mutex_) = false;   // a guard that was told to end
  GuardReport report_ ABSL_GUARDED_BY(mutex_);
  std::optional<ProcessEnd> end_ ABSL_GUARDED_BY(mutex_);
  absl::Duration cpu_time_ ABSL_GUARDED_BY(mutex_);
  uint64_t peak_memory_ ABSL_GUARDED_BY(mutex_) = 0;
  std::thread thread_;
};

}  // namespace nncert

#endif  // NNCERT_SYSTEM_CHILD_PROCESS_H_
