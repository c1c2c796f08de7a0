// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A process that watches over a driver's, and over all that it starts.

#ifndef NNCERT_HAL_TRANSPORT_PROCESS_GUARD_H_
#define NNCERT_HAL_TRANSPORT_PROCESS_GUARD_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace nncert::hal::transport {

/// What the first word of a line of a guard's report says. A line of the last three goes on with a
/// sentence without a full stop, in which "it" is the driver.
inline constexpr char kGuardReady[] = "ready";      ///< a guard is there; nothing more
inline constexpr char kGuardProcess[] = "process";  ///< the number of the process that it watches
inline constexpr char kGuardForked[] = "forked";    ///< that has started others; nothing more
inline constexpr char kGuardEnded[] = "ended";      ///< why the guard ended them all
inline constexpr char kGuardBomb[] = "bomb";        ///< the same, of too many processes or threads
inline constexpr char kGuardFinding[] = "finding";  ///< what they did that no driver should

/// How to guard.
struct GuardOptions {
  /// An open pipe that the guard writes its report to. When nobody reads it any more, the guard
  /// ends all processes.
  int report = -1;
  /// How much memory the processes may have at a time, in bytes; 0 for any amount.
  uint64_t memory = 0;
  /// Descriptors that the guard closes, for they are the driver's alone.
  std::vector<int> closed = {};
};

/// Divides this process: returns in a new one, whose parent, the guard, never returns. The guard
/// has all that the new one starts on a leash, whatever session or group it goes to, for orphans
/// come back to the guard (PR_SET_CHILD_SUBREAPER):
/// - it ends all of them with SIGTERM, and with the reader of its report;
/// - when the new process ends by itself, what it leaves behind has kFarewell to end, is then a
///   finding, and is ended; after a signal it is ended at once;
/// - more than kMostProcesses processes, kMostThreads threads, or the memory of the options end
/// all. Then it ends as the new process did: by the same signal, or with the same status; by
/// SIGKILL where it ended them.
///
/// Where the kernel has user notifications of seccomp (Linux 5.5), it is asked before a process is
/// started or killed: then no number of processes gets ahead of it, and a signal to the guard, to
/// its parent or to every process is refused, and a finding. Elsewhere it looks now and then.
///
/// To be called while there is no other thread. Fails, in a process that is not divided, when there
/// cannot be another.
absl::Status DivideIntoGuardAndGuarded(const GuardOptions& options);

/// How many processes and threads may run at a time.
inline constexpr uint64_t kMostProcesses = 200;
inline constexpr uint64_t kMostThreads = 4000;
/// How long processes may go on when the one that has started them has ended.
inline constexpr absl::Duration kFarewell = absl::Milliseconds(500);

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_PROCESS_GUARD_H_
