// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A run of cases on a driver, as commands do it: it tells how far it is, keeps a journal, and ends
// in good order when it is interrupted.

#ifndef NNCERT_CERTIFYING_CASE_RUN_H_
#define NNCERT_CERTIFYING_CASE_RUN_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "certifying/driver_names.h"
#include "certifying/progress.h"
#include "certifying/report.h"
#include "harness/records/answers_file.h"
#include "harness/records/journal.h"

namespace nncert {

/// How a run is to be done.
struct CaseRunOptions {
  /// See BatchOptions::run.
  RunOptions run;
  /// See BatchOptions::running_directory.
  std::string running_directory;
  /// How many cases run at the same time; at least 1.
  size_t jobs = 1;
  /// Where the journal is; empty for none.
  std::string journal;
  /// Where the driver's answers are kept (AnswersFile), beside a journal; empty for nowhere.
  std::string answers;
  /// Goes on with the run of the journal instead of beginning one.
  bool resume = false;
  /// How the cases were chosen and are run, as flags; see RunIdentity::selection.
  std::string selection;
  /// See BatchOptions::takes.
  std::function<bool(size_t)> takes = nullptr;
  /// See RunReport::is_suite and is_strict.
  bool is_suite = false;
  bool is_strict = false;
  /// The command that goes on with this run; empty when it has no journal.
  std::string resume_command;
  /// Appends results that are known already to a journal that is begun, and to the answers, which
  /// are null where nobody keeps them: those cases are not run. Null for nothing.
  std::function<absl::Status(Journal& journal, AnswersFile* answers)> take_over = nullptr;
  /// Called before the first case, with what an earlier run came to: the journal is this run's
  /// alone by then. What it says is wrong ends the run. Null for nothing.
  std::function<absl::Status(const JournalContent&)> prepare = nullptr;
  /// Is told each result, with what can print beside the progress line. Null for nobody.
  std::function<void(const CaseResult&, Progress&)> on_result = nullptr;
};

/// A run that has ended, or was interrupted.
struct CaseRun {
  /// With a result for each case that was run, in the order of the cases.
  RunReport report;
  /// The case of each result.
  std::vector<CaseInMode> cases;
};

/// Runs cases on a driver. An Interruption ends the run after the cases that are under way: the
/// report then says how many are left. A run that goes on with another reports what both came to.
/// Fails when the driver does not give as many sessions as there are jobs, and when the journal
/// cannot be opened or written; see Journal. The driver's workers are made here.
absl::StatusOr<CaseRun> RunCasesOn(OpenedDriver& driver, absl::Span<const CaseInMode> cases,
                                   const CaseRunOptions& options);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_CASE_RUN_H_
