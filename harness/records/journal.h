// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Keeps the results of a run as they come, so that a run that was interrupted can go on.

#ifndef NNCERT_HARNESS_RECORDS_JOURNAL_H_
#define NNCERT_HARNESS_RECORDS_JOURNAL_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "harness/records/case_result.h"
#include "harness/records/record_file.h"
#include "harness/records/worker_report.h"

namespace nncert {

/// What a run is of. The results of two runs belong together when these are equal.
struct RunIdentity {
  /// The version of nncert.
  std::string version;
  /// The driver as it was asked for.
  std::string driver;
  /// What IDevice::getVersionString says; may be empty.
  std::string driver_version;
  /// The digest of the driver's file; 0 when there is none.
  uint64_t driver_digest = 0;
  /// How the cases were chosen and are run, as flags: "--modes=static".
  std::string selection;
  /// How many cases there are; one in two modes is two.
  uint64_t case_count = 0;
  /// The digest of every case and its mode, in their order.
  uint64_t cases_digest = 0;

  bool operator==(const RunIdentity&) const = default;
};

/// What tells two runs apart, as one clause: "it is of the driver a, and this is b"; empty when
/// they are the same.
std::string DifferenceOf(const RunIdentity& of_journal, const RunIdentity& of_this);

/// A result in a journal.
struct JournalEntry {
  /// The place of the case among those of the run.
  size_t index = 0;
  CaseResult result;
};

/// What cases came to that come one after the other, and of most of which there is nothing to say.
struct CaseSpan {
  /// The place of the first among those of the run, and how many there are.
  uint64_t first = 0;
  uint64_t count = 0;
  /// How many came to which verdict; and how many of those whose elements are hostile.
  std::map<Verdict, uint64_t> counts = {};
  std::map<Verdict, uint64_t> hostile_counts = {};
  /// The results of those of which there is something to say.
  std::vector<JournalEntry> results = {};
  /// What the elements of all of them are like, the hostile ones left out.
  std::vector<OperationAccuracy> accuracy = {};
};

/// How often a test that is no case made one of its checks, and to what it came.
struct JournalCheck {
  std::string name;
  uint64_t passed = 0;
  uint64_t failed = 0;
  uint64_t skipped = 0;
  uint64_t unsupported = 0;

  bool operator==(const JournalCheck&) const = default;
};

/// A check of such a test that failed.
struct JournalFailure {
  std::string check;
  Verdict verdict = Verdict::FAIL;
  std::string detail;

  bool operator==(const JournalFailure&) const = default;
};

/// What such a test came to.
struct JournalTest {
  /// The place of the test among those of the run.
  uint64_t index = 0;
  std::vector<JournalCheck> checks = {};
  std::vector<JournalFailure> failures = {};
  /// How many of its steps were left out.
  uint64_t left_out = 0;

  bool operator==(const JournalTest&) const = default;
};

/// What a run has come to so far.
struct JournalContent {
  /// The results; of each case at most one.
  std::vector<JournalEntry> results;
  /// The spans, in the order in which they came.
  std::vector<CaseSpan> spans;
  /// What tests came to that are no cases; of each at most once.
  std::vector<JournalTest> tests;
  /// What the driver's processes went through, all taken together.
  WorkerReport processes;
};

/// The file that the results of a run are appended to as they come. A result that was appended is
/// in the file whatever becomes of this process; what was being appended when the process died is
/// left out by Resume. (A failure of the whole machine may cost results that the system has not
/// written yet.) While one of these is open no other can be, in any process. Thread-safe.
class Journal {
 public:
  /// Begins the journal of a run, in place of any that is at `path`. Fails when the file cannot be
  /// written, or with FailedPrecondition when a run that is under way has it. Errors name the file.
  static absl::StatusOr<std::unique_ptr<Journal>> Create(const std::string& path,
                                                         const RunIdentity& run);

  /// Opens the journal at `path` to go on with the run, and gives what is in it. Fails as Create
  /// does; with NotFound when there is no journal; InvalidArgument when the file is not one;
  /// FailedPrecondition when it is of another run, saying what is different, or of another version
  /// of the journal's format.
  static absl::StatusOr<std::unique_ptr<Journal>> Resume(const std::string& path,
                                                         const RunIdentity& run,
                                                         JournalContent& content);

  /// What is in the journal at `path` of whatever run, which may be under way. Fails when the file
  /// cannot be read or is no journal. Errors name the file.
  static absl::StatusOr<JournalContent> Read(const std::string& path);

  /// The same, and in `run` what it is of.
  static absl::StatusOr<JournalContent> Read(const std::string& path, RunIdentity& run);

  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Appends the result of the case at this place of the run, and in the same record what the
  /// driver's processes went through since the last record of that. The error names the file.
  absl::Status Append(size_t index, const CaseResult& result, const WorkerReport& processes = {});

  /// The same of a span of cases.
  absl::Status Append(const CaseSpan& span, const WorkerReport& processes = {});

  /// The same of a test that is no case.
  absl::Status Append(const JournalTest& test, const WorkerReport& processes = {});

  /// Appends what the driver's processes went through, as far as no record has it. Nothing when
  /// nothing is to be told. The error names the file.
  absl::Status Append(const WorkerReport& processes);

  /// Where the file is.
  const std::string& path() const { return file_->path(); }

  /// What it is of.
  const RunIdentity& run() const { return run_; }

 private:
  Journal(std::unique_ptr<RecordFile> file, RunIdentity run)
      : file_(std::move(file)), run_(std::move(run)) {}

  const std::unique_ptr<RecordFile> file_;
  const RunIdentity run_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_JOURNAL_H_
