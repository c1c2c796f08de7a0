// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What certify does with failing cases when all suites have been run.

#ifndef NNCERT_TOOLS_COMMANDS_FAILING_CASES_H_
#define NNCERT_TOOLS_COMMANDS_FAILING_CASES_H_

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "certifying/case_run.h"
#include "certifying/driver_names.h"
#include "certifying/report.h"

namespace nncert {

/// What --rerun_time and --explain_time say, as they are written on a command line, each with a
/// space before it; nothing of one that says what is usual.
std::string FailingCasesWords();

/// Runs failing cases again as --rerun_time says, on a driver that is opened again, and has the
/// report say what came of it. What the driver does then is no longer part of the run, but for
/// those that turn out FLAKY. Fails when sequences of a run before cannot be removed from `out`.
absl::Status RerunFailingCases(const NamedDriver& driver, const std::filesystem::path& out,
                               absl::Duration deadline, CaseRun& run);

/// Looks into the failures of the report as --explain_time says, on a driver that is opened again.
/// What the driver does then is no longer part of the run.
void ExamineFailingCases(const NamedDriver& driver, const std::filesystem::path& out,
                         absl::Duration deadline, RunReport& report);

}  // namespace nncert

#endif  // NNCERT_TOOLS_COMMANDS_FAILING_CASES_H_
