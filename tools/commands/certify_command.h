// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Certifications, as the commands that come to one run them.

#ifndef NNCERT_TOOLS_COMMANDS_CERTIFY_COMMAND_H_
#define NNCERT_TOOLS_COMMANDS_CERTIFY_COMMAND_H_

#include "absl/status/statusor.h"
#include "certifying/submission/bazel_results.h"
#include "tools/command_line.h"

namespace nncert {

/// Runs the suites that the flags of certify choose, and writes reports. Results that are `known`,
/// which may be null, are taken over, and what they are of is not run.
absl::StatusOr<ExitStatus> Certify(const BazelResults* known);

}  // namespace nncert

#endif  // NNCERT_TOOLS_COMMANDS_CERTIFY_COMMAND_H_
