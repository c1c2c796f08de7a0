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

/// The most physical memory that a process has had at a time, in bytes; 0 when it has ended.
uint64_t PeakMemoryOf(pid_t process);

/// The physical memory that a process has of its own, mapped files and shared memory left out, in
/// bytes; 0 when it has ended.
uint64_t OwnMemoryOf(pid_t process);

/// How many descriptors a process has open; 0 when it has ended, or is none of this user's.
uint64_t DescriptorsOf(pid_t process);

/// How many threads a process has; 0 when it has ended.
uint64_t ThreadsOf(pid_t process);

/// A program that runs with one end of a socket as its descriptor kSocket. It belongs to a process
/// group of its own, so that Ctrl-C does not reach it; leaves no core file; reads nothing; and what
/// it writes to its standard output and error is kept, the last lines of it. It ends with this
/// object at the latest. The processes that it has started itself end with it, unless they have
/// left its group. Thread-safe.
class ChildProcess {
 public:
  /// The descriptor that the program finds the socket as.
  static constexpr int kSocket = 3;

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

  /// How it ended; waits for that no longer than `timeout`, and gives nothing when it still runs.
  std::optional<ProcessEnd> WaitFor(absl::Duration timeout);

  /// Kills it and all of its process group. Nothing when it has ended already.
  void Kill();

  /// The CPU time that it has used, until its end if it has ended.
  absl::Duration CpuTime();

  /// The most physical memory that it has had at a time, in bytes: when it has ended, as far as was
  /// seen in time.
  uint64_t PeakMemory();

  /// The last lines that it wrote, at most kMostLines of at most kLongestLine bytes each; without
  /// control characters.
  std::vector<std::string> LastLines();

  static constexpr size_t kMostLines = 8;
  static constexpr size_t kLongestLine = 200;

 private:
  ChildProcess(pid_t id, hal::FileDescriptor output, hal::FileDescriptor stop);
  void Loop();
  void Drain() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Reap(int options) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const pid_t id_;
  const hal::FileDescriptor output_;
  const hal::FileDescriptor stop_;  // an eventfd that ends the thread
  absl::Mutex mutex_;
  bool is_output_open_ ABSL_GUARDED_BY(mutex_) = true;
  std::string tail_ ABSL_GUARDED_BY(mutex_);
  std::optional<ProcessEnd> end_ ABSL_GUARDED_BY(mutex_);
  absl::Duration cpu_time_ ABSL_GUARDED_BY(mutex_);
  uint64_t peak_memory_ ABSL_GUARDED_BY(mutex_) = 0;
  std::thread thread_;
};

}  // namespace nncert

#endif  // NNCERT_SYSTEM_CHILD_PROCESS_H_
