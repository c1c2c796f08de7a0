// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Processes as /proc shows them: what they have, and which others they have started.

#ifndef NNCERT_HAL_PROCESS_TREE_H_
#define NNCERT_HAL_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace nncert::hal {

/// What a process has at a time.
struct ProcessStatus {
  /// Threads; 0 when there is no such process, or it has ended.
  uint64_t threads = 0;
  /// Bytes of physical memory and swap of its own: mapped files and shared memory left out. Pages
  /// that it still shares with the process that started it count for both.
  uint64_t own_memory = 0;
  /// Bytes of shared memory that it has touched.
  uint64_t shared_memory = 0;
  /// The most physical memory of all kinds that it has had at a time, in bytes.
  uint64_t peak_memory = 0;
  /// Whether it stands still, for SIGSTOP or a debugger.
  bool is_stopped = false;
};

/// What a process has now; see proc(5), /proc/PID/status.
ProcessStatus StatusOf(pid_t process);

/// Whether a thread of a process runs, or would if a processor were free.
bool IsReadyToRun(pid_t process);

/// The memory of a process in bytes, in which a page that several share is divided among them; 0
/// where the system does not tell. Takes long, for it looks at every page.
uint64_t ProportionalMemoryOf(pid_t process);

/// Bytes in mebibytes, as messages tell of them.
inline double Mebibytes(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

/// The name of a process, 15 bytes of it at most; empty when there is none.
std::string NameOf(pid_t process);

/// The processes that a process has started and that have not ended, those that these have started
/// and so on; without itself. Takes a look at every process of the system. What starts meanwhile
/// may be missing.
std::vector<pid_t> DescendantsOf(pid_t process);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_PROCESS_TREE_H_
