// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the processes of a driver went through.

#ifndef NNCERT_HARNESS_RECORDS_WORKER_REPORT_H_
#define NNCERT_HARNESS_RECORDS_WORKER_REPORT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"

namespace nncert {

/// What the process of a driver went through while a worker ran its cases.
struct WorkerReport {
  /// How often a process was lost: it ended, or had to be ended, before its work was done. A start
  /// that failed counts; a case that ends its process, and a new one when it is run again, counts
  /// once.
  int restarts = 0;
  /// CPU time of all processes.
  absl::Duration cpu_time;
  /// The most physical memory that one of them had at a time, in bytes.
  uint64_t peak_memory = 0;
  /// What went wrong in no case in particular: a sentence without a full stop each.
  std::vector<std::string> findings;
};

/// Adds what some processes went through to what others did. Counts that are too large stay at the
/// largest there is.
void Add(const WorkerReport& more, WorkerReport& sum);

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_WORKER_REPORT_H_
