// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The files that Bazel puts beside a program.

#ifndef NNCERT_SYSTEM_RUNFILES_H_
#define NNCERT_SYSTEM_RUNFILES_H_

#include <string>

#include "absl/status/statusor.h"

namespace nncert {

/// The absolute path of a file or folder of this workspace that the program depends on as data;
/// `path` is relative to the top of the workspace, "drivers". Looked for where Bazel says
/// (RUNFILES_DIR, TEST_SRCDIR) and next to the program. NotFound when it is in none of them.
absl::StatusOr<std::string> FindRunfile(const std::string& path);

}  // namespace nncert

#endif  // NNCERT_SYSTEM_RUNFILES_H_
