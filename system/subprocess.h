// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs programs.

#ifndef NNCERT_SYSTEM_SUBPROCESS_H_
#define NNCERT_SYSTEM_SUBPROCESS_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace nncert {

/// How a program ended, and what it wrote.
struct ProcessResult {
  /// The exit status, 0 to 255; 128 plus the signal's number when a signal ended it.
  int exit_status = 0;
  /// What it wrote to its standard output.
  std::string output;
  /// What it wrote to its standard error.
  std::string errors;
};

/// Runs a program with these arguments (the first one is the program, looked for in PATH unless it
/// has a slash), without a shell and with nothing to read, and waits for its end. Fails when it
/// cannot be started. Once `should_stop` says so, which is asked now and then, the program gets a
/// SIGINT, and its end is Cancelled; null for never. In its environment, `variables`, "NAME=VALUE"
/// each, stand for ours of the same names.
absl::StatusOr<ProcessResult> RunProcess(const std::vector<std::string>& arguments,
                                         const std::function<bool()>& should_stop = nullptr,
                                         const std::vector<std::string>& variables = {});

/// A folder for temporary files, which goes with everything in it.
class TemporaryFolder {
 public:
  /// Makes a folder of a new name in $TEST_TMPDIR, else $TMPDIR, else the system's place for
  /// temporary files.
  static absl::StatusOr<TemporaryFolder> Create();

  TemporaryFolder(TemporaryFolder&& other) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&& other) noexcept;
  ~TemporaryFolder();

  /// Where it is.
  const std::string& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;  // empty when moved from
};

}  // namespace nncert

#endif  // NNCERT_SYSTEM_SUBPROCESS_H_
