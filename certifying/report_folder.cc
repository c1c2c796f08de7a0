// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/report_folder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "certifying/report.h"
#include "certifying/running_cases.h"
#include "harness/records/failure_dump.h"
#include "harness/records/journal.h"

namespace nncert {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNames[] = {
    kFailuresFolder, kSmallestFolder,  kSequencesFolder,  kRunningFolder,
    kJournalFile,    kAnswersFile,     kSuiteJournalFile, kGraphJournalFile,
    kJsonReportFile, kJUnitReportFile, kTimingFile,       kMustPassFile,
    kVerdictsFile,   kStatementFile,   kWaiversFile,      kPageFile};
// Folders of models that failed, each with all its files (see DumpCase).
constexpr const char* kDumpFolders[] = {kFailuresFolder, kSmallestFolder};

absl::Status CannotWrite(const fs::path& folder, const std::error_code& error) {
  return absl::UnavailableError(
      absl::StrCat("cannot write reports into ", folder.string(), ": ", error.message()));
}

// Whether a file is the journal of a run, or of one that was killed before it wrote anything.
bool IsJournal(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) &&
         (fs::file_size(path, error) == 0 || Journal::Read(path.string()).ok());
}

// Whether a file begins as ReportToJson does.
bool IsReport(const fs::path& path) {
  const std::string beginning = ReportToJson({}).substr(0, absl::string_view("{\n  \"h").size());
  std::string text(beginning.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  return file.good() && text == beginning;
}

// The files below a folder; none when there is no such folder.
std::vector<fs::path> FilesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_directory(error)) files.push_back(entry->path());
  }
  return files;
}

// Removes folders without anything in them, a folder itself at last.
void RemoveEmptyFolders(const fs::path& folder) {
  std::vector<fs::path> folders = {folder};
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_directory(error) && !entry->is_symlink(error)) folders.push_back(entry->path());
  }
  // What is in a folder comes after it.
  std::reverse(folders.begin(), folders.end());
  for (const fs::path& path : folders) fs::remove(path, error);
}

}  // namespace

std::optional<size_t> NameInFailures(const std::string& path) {
  const std::string part = absl::StrCat("/", kFailuresFolder, "/");
  const size_t place = path.rfind(part);
  if (place == std::string::npos) return std::nullopt;
  return place + part.size();
}

absl::StatusOr<bool> TakeReportFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && access(folder.c_str(), W_OK) != 0) error = {errno, std::generic_category()};
  if (error) return CannotWrite(folder, error);
  if (IsJournal(folder / kJournalFile) || IsReport(folder / kJsonReportFile)) return true;
  for (const char* const name : kNames) {
    if (!fs::exists(fs::symlink_status(folder / name, error))) continue;
    return absl::AlreadyExistsError(
        absl::StrCat((folder / name).string(),
                     " is there, and no certification wrote it; expected a folder of its own for "
                     "the reports: --out=DIR"));
  }
  return false;
}

absl::Status EmptyReportFolder(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> written;
  if (IsReport(folder / kJsonReportFile)) {
    for (const char* const name : {kJsonReportFile, kJUnitReportFile, kTimingFile, kMustPassFile,
                                   kVerdictsFile, kStatementFile, kWaiversFile, kPageFile}) {
      written.push_back(folder / name);
    }
  }
  // TakeReportFolder lets in none but a certification's.
  written.push_back(folder / kAnswersFile);
  written.push_back(folder / kGraphJournalFile);
  written.push_back(folder / kSuiteJournalFile);
  for (const char* const name : kDumpFolders) {
    for (const fs::path& path : FilesBelow(folder / name)) {
      if (IsOfDump(path.string())) written.push_back(path);
    }
  }
  for (const fs::path& path : FilesBelow(folder / kRunningFolder)) {
    if (IsRunningCase(path.filename().string())) written.push_back(path);
  }
  for (const fs::path& path : written) {
    fs::remove(path, error);
    if (error) return CannotWrite(folder, error);
  }
  for (const char* const name : {kFailuresFolder, kSmallestFolder, kRunningFolder}) {
    RemoveEmptyFolders(folder / name);
  }
  return RemoveSequences(folder);
}

absl::Status RemoveSequences(const fs::path& folder) {
  std::error_code error;
  for (const fs::path& path : FilesBelow(folder / kSequencesFolder)) {
    // One that was not written to its end has more behind that.
    if (!absl::StrContains(path.filename().string(), kSequenceSuffix)) continue;
    fs::remove(path, error);
    if (error) return CannotWrite(folder, error);
  }
  RemoveEmptyFolders(folder / kSequencesFolder);
  return absl::OkStatus();
}

}  // namespace nncert
