// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Failing cases of a run that become those of another.

#ifndef NNCERT_CERTIFYING_SUBMISSION_MOVED_FAILURES_H_
#define NNCERT_CERTIFYING_SUBMISSION_MOVED_FAILURES_H_

#include <filesystem>

#include "absl/status/status.h"
#include "harness/records/case_result.h"

namespace nncert {

/// Copies the files of a failing case from a report folder, which may be called otherwise than when
/// they were written, to the one of `out`, and says of the result where they are. Unavailable when
/// a file cannot be copied; InvalidArgument when its path leads elsewhere.
absl::Status MoveFailures(const std::filesystem::path& from, const std::filesystem::path& out,
                          CaseResult& result);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_MOVED_FAILURES_H_
