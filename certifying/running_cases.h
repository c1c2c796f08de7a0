// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What runs at the moment, as files: should everything go down, they say with what.

#ifndef NNCERT_CERTIFYING_RUNNING_CASES_H_
#define NNCERT_CERTIFYING_RUNNING_CASES_H_

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/handle.h"

namespace nncert {

/// Case files of the cases that run, "DIRECTORY/worker_0.case" and so on, one file for each worker:
/// written over rather than made anew, which would cost more than many a case. Files and directory
/// are removed at the end, unless that does not come.
class RunningCases {
 public:
  /// `directory` is made when it is not there; empty for no files.
  explicit RunningCases(std::string directory) : directory_(std::move(directory)) {}
  RunningCases(const RunningCases&) = delete;
  RunningCases& operator=(const RunningCases&) = delete;
  ~RunningCases();

  /// Makes the files of workers 0 to `workers` - 1. Fails when one cannot be made. To be called
  /// once.
  absl::Status Create(size_t workers);

  /// Worker number `worker` begins with some cases: its file has them, and no other ones, before
  /// this returns. Fails when it cannot be written. May be called by several threads, with
  /// different workers.
  absl::Status Begin(size_t worker, absl::Span<const TestCase> cases) const;

 private:
  std::string PathOf(size_t worker) const;

  const std::string directory_;
  std::vector<hal::FileDescriptor> files_;
};

/// Whether a file has the name of one that RunningCases makes: "worker_0.case".
bool IsRunningCase(const std::string& name);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_RUNNING_CASES_H_
