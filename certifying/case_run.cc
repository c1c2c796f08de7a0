// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/case_run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "certifying/outcome/accuracy_findings.h"
#include "certifying/outcome/support_share.h"
#include "certifying/outcome/verdict_matrix.h"
#include "certifying/run_identity.h"
#include "hal/deadline.h"
#include "harness/case_worker.h"
#include "harness/records/answers_file.h"
#include "harness/records/journal.h"
#include "system/interruption.h"

namespace nncert {
namespace {

// Opens the journal of the options, if they have one; what an earlier run came to goes to `done`.
absl::StatusOr<std::unique_ptr<Journal>> OpenJournal(OpenedDriver& driver,
                                                     absl::Span<const CaseInMode> cases,
                                                     const CaseRunOptions& options,
                                                     JournalContent& done) {
  if (options.journal.empty()) return nullptr;
  absl::StatusOr<RunIdentity> run = RunIdentityOf(driver, options.selection);
  if (!run.ok()) return run.status();
  const absl::StatusOr<uint64_t> cases_digest = DigestCases(cases);
  if (!cases_digest.ok()) return cases_digest.status();
  run->case_count = cases.size();
  run->cases_digest = *cases_digest;
  return options.resume ? Journal::Resume(options.journal, *run, done)
                        : Journal::Create(options.journal, *run);
}

// Opens the file of answers of the options, if they have one.
absl::StatusOr<std::unique_ptr<AnswersFile>> OpenAnswers(uint64_t case_count,
                                                         const CaseRunOptions& options) {
  if (options.answers.empty()) return nullptr;
  return options.resume ? AnswersFile::Resume(options.answers, case_count)
                        : AnswersFile::Create(options.answers, case_count);
}

// Says how to go on after what ended the run.
absl::Status WithWayOn(const absl::Status& status, const CaseRunOptions& options) {
  if (options.journal.empty()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), "; all results before are kept, to go on: ",
                                   options.resume_command));
}

}  // namespace

absl::StatusOr<CaseRun> RunCasesOn(OpenedDriver& driver, absl::Span<const CaseInMode> cases,
                                   const CaseRunOptions& options) {
  CaseRun run;
  run.report = ReportOn(driver.session());
  run.report.start = absl::Now();
  run.report.is_suite = options.is_suite;
  run.report.is_strict = options.is_strict;
  const absl::Duration start = hal::SteadyClock::System().Now();
  BatchOptions batch;
  const absl::StatusOr<std::unique_ptr<Journal>> journal =
      OpenJournal(driver, cases, options, batch.done);
  if (!journal.ok()) return journal.status();
  if (options.prepare != nullptr) {
    if (absl::Status prepared = options.prepare(batch.done); !prepared.ok()) return prepared;
  }
  // Preparing may have removed those of an earlier run.
  const absl::StatusOr<std::unique_ptr<AnswersFile>> answers = OpenAnswers(cases.size(), options);
  if (!answers.ok()) return answers.status();
  if (options.take_over != nullptr) {
    absl::Status taken = options.take_over(**journal, answers->get());
    if (!taken.ok()) return taken;
    absl::StatusOr<JournalContent> done = Journal::Read(options.journal);
    if (!done.ok()) return done.status();
    batch.done = *std::move(done);
  }
  const bool is_isolated = driver.session().calls().is_watched();
  const absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
      driver.MakeWorkers(options.jobs, options.run.deadline);
  if (!workers.ok()) return workers.status();
  batch.run = options.run;
  batch.running_directory = options.running_directory;
  batch.journal = journal->get();
  batch.answers = answers->get();
  batch.should_stop = &Interruption::IsRequested;
  batch.takes = options.takes;
  size_t planned = 0;
  for (size_t i = 0; i < cases.size(); ++i) {
    planned += options.takes == nullptr || options.takes(i) ? 1 : 0;
  }

  absl::StatusOr<BatchResult> result;
  {
    Progress progress(std::cerr, isatty(STDERR_FILENO) != 0, planned);
    result = RunCases(*workers, cases, batch, [&](const CaseResult& of_case) {
      if (options.on_result != nullptr) options.on_result(of_case, progress);
      progress.Add(of_case);
    });
  }
  if (!result.ok()) return WithWayOn(result.status(), options);
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!result->results[i].has_value()) continue;
    run.report.results.push_back(*std::move(result->results[i]));
    run.cases.push_back(cases[i]);
  }
  run.report.shares = SharesOf(run.cases, run.report.results);
  run.report.matrix = MatrixOf(run.cases, run.report.results);
  WorkerReport& processes = result->processes;
  if (is_isolated) {
    run.report.process = {processes.restarts, processes.cpu_time, processes.peak_memory};
  }
  for (std::string& finding : processes.findings) {
    run.report.findings.push_back({.kind = FindingKind::PROCESS, .detail = std::move(finding)});
  }
  for (Finding& finding : FindingsOf(run.report.results)) {
    run.report.findings.push_back(std::move(finding));
  }
  run.report.lost = std::move(result->lost);
  // The results of a journal may be of cases that another shard takes.
  run.report.unfinished = planned - std::min(planned, run.cases.size());
  run.report.resume_command = options.resume_command;
  run.report.duration = hal::SteadyClock::System().Now() - start;
  return run;
}

}  // namespace nncert
