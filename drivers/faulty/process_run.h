// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs of faults in copies of this process: what a fault does to its process ends there.

#ifndef NNCERT_DRIVERS_FAULTY_PROCESS_RUN_H_
#define NNCERT_DRIVERS_FAULTY_PROCESS_RUN_H_

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace nncert::faulty {

/// Tells a line from a copy of this process to this one.
using Tell = std::function<void(const std::string& line)>;

/// Has a copy of this process do `work` of each fault, `jobs` of them at a time. `finish` is given
/// the lines that each has told, and the status that its process ended with (see waitpid), in the
/// order of the faults; when it fails, no further ones are begun. Fails with that, or when there
/// cannot be another process. To be called while there is no other thread.
absl::Status RunApart(const std::vector<std::string>& faults, size_t jobs,
                      const std::function<void(const std::string& fault, const Tell& tell)>& work,
                      const std::function<absl::Status(
                          const std::string& fault, const std::string& lines, int status)>& finish);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_PROCESS_RUN_H_
