// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What was certified, by what, and where.

#ifndef NNCERT_CERTIFYING_SUBMISSION_STATEMENT_H_
#define NNCERT_CERTIFYING_SUBMISSION_STATEMENT_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "certifying/driver_names.h"

namespace nncert {

/// {"format", "nncert", "driver", "driverSha256", "driverVersion", "halVersion", "type",
/// "extensions", "strict", "capabilities": {NAME: {"execTime", "powerUsage"}}, "machine"},
/// indented: what the driver says of itself, asked once more, and the SHA-256 of its file, empty
/// for a service. "type" is not there before HAL 1.2. `machine` describes where this runs;
/// `is_strict` is RunReport::is_strict. Fails when the file cannot be read, or the driver does not
/// answer within `deadline`.
absl::StatusOr<std::string> StatementOf(OpenedDriver& driver, absl::Duration deadline,
                                        const std::string& machine, bool is_strict);

/// The version of what StatementOf writes.
inline constexpr int kStatementFormat = 2;

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_STATEMENT_H_
