// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The folder that a certification writes into.

#ifndef NNCERT_CERTIFYING_REPORT_FOLDER_H_
#define NNCERT_CERTIFYING_REPORT_FOLDER_H_

#include <filesystem>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace nncert {

/// What is in it, by name.
inline constexpr char kFailuresFolder[] = "failures";
inline constexpr char kSmallestFolder[] = "smallest";
inline constexpr char kSequencesFolder[] = "sequences";
inline constexpr char kRunningFolder[] = "running";
inline constexpr char kJournalFile[] = "journal";
inline constexpr char kAnswersFile[] = "answers";
inline constexpr char kSuiteJournalFile[] = "suites.journal";
inline constexpr char kGraphJournalFile[] = "graphs.journal";
inline constexpr char kJsonReportFile[] = "report.json";
inline constexpr char kJUnitReportFile[] = "junit.xml";
inline constexpr char kTimingFile[] = "timing.json";
inline constexpr char kMustPassFile[] = "must_pass.txt";
inline constexpr char kVerdictsFile[] = "verdicts.txt";
inline constexpr char kStatementFile[] = "statement.json";
inline constexpr char kWaiversFile[] = "waivers.toml";
inline constexpr char kPageFile[] = "report.html";

/// What the names of case files end with that have cases to be run one after the other.
inline constexpr char kSequenceSuffix[] = ".sequence.case";

/// Where the name of a failing case's file begins in its path, behind ".../failures/": the folder
/// before that may be called otherwise by now. Nothing where the path has no such part.
std::optional<size_t> NameInFailures(const std::string& path);

/// Makes the folder, or takes one that is there: whether it has what an earlier certification left.
/// AlreadyExists when something of one of the names above is there that no certification wrote:
/// nothing is changed then. Unavailable when nothing can be written into it.
absl::StatusOr<bool> TakeReportFolder(const std::filesystem::path& folder);

/// Removes what an earlier certification left in a folder, so that nobody takes it for a later
/// one's: reports, and models that failed, which are known by all their files (see DumpCase). What
/// else is there stays, whoever wrote it, and so does the journal, which a run replaces.
/// Unavailable when something cannot be removed.
absl::Status EmptyReportFolder(const std::filesystem::path& folder);

/// Removes the case files of sequences alone, before they are made anew. Unavailable as above.
absl::Status RemoveSequences(const std::filesystem::path& folder);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_REPORT_FOLDER_H_
