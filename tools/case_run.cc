// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/case_run.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "harness/case_worker.h"
#include "harness/digest.h"
#include "harness/journal.h"
#include "tools/interruption.h"
#include "tools/support_share.h"
#include "tools/version.h"

namespace nncert {
namespace {

absl::StatusOr<RunIdentity> IdentityOf(OpenedDriver& driver, absl::Span<const CaseInMode> cases,
                                       const std::string& selection) {
  RunIdentity run;
  run.version = kVersion;
  run.driver = driver.driver().name;
  run.driver_version = driver.session().version_string();
  if (const std::string& path = driver.driver().path; !path.empty()) {
    const absl::StatusOr<uint64_t> driver_digest = DigestFile(path);
    if (!driver_digest.ok()) return driver_digest.status();
    run.driver_digest = *driver_digest;
  }
  run.selection = selection;
  run.case_count = cases.size();
  const absl::StatusOr<uint64_t> cases_digest = DigestCases(cases);
  if (!cases_digest.ok()) return cases_digest.status();
  run.cases_digest = *cases_digest;
  return run;
}

// Opens the journal of the options, if they have one; what an earlier run came to goes to `done`.
absl::StatusOr<std::unique_ptr<Journal>> OpenJournal(OpenedDriver& driver,
                                                     absl::Span<const CaseInMode> cases,
                                                     const CaseRunOptions& options,
                                                     std::vector<JournalEntry>& done) {
  if (options.journal.empty()) return nullptr;
  const absl::StatusOr<RunIdentity> run = IdentityOf(driver, cases, options.selection);
  if (!run.ok()) return run.status();
  return options.resume ? Journal::Resume(options.journal, *run, done)
                        : Journal::Create(options.journal, *run);
}

// Adds what the driver's processes went through.
void AddProcesses(absl::Span<const std::unique_ptr<CaseWorker>> workers, RunReport& report) {
  ProcessReport& process = report.process.emplace();
  for (const std::unique_ptr<CaseWorker>& worker : workers) {
    WorkerReport of_worker = worker->Report();
    process.restarts += of_worker.restarts;
    process.cpu_time += of_worker.cpu_time;
    process.peak_memory = std::max(process.peak_memory, of_worker.peak_memory);
    std::move(of_worker.findings.begin(), of_worker.findings.end(),
              std::back_inserter(report.findings));
  }
}

}  // namespace

absl::StatusOr<CaseRun> RunCasesOn(OpenedDriver& driver, absl::Span<const CaseInMode> cases,
                                   const CaseRunOptions& options) {
  CaseRun run;
  run.report = ReportOn(driver.session());
  run.report.start = absl::Now();
  BatchOptions batch;
  const absl::StatusOr<std::unique_ptr<Journal>> journal =
      OpenJournal(driver, cases, options, batch.done);
  if (!journal.ok()) return journal.status();
  const bool is_isolated = driver.session().calls().is_watched();
  const absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
      driver.MakeWorkers(options.jobs, options.deadline);
  if (!workers.ok()) return workers.status();
  batch.dump_directory = options.dump_directory;
  batch.running_directory = options.running_directory;
  batch.deadline = options.deadline;
  batch.journal = journal->get();
  batch.should_stop = &Interruption::IsRequested;

  absl::StatusOr<std::vector<std::optional<CaseResult>>> results;
  {
    const Interruption interruption;
    Progress progress(std::cerr, isatty(STDERR_FILENO) != 0, cases.size());
    results = RunCases(*workers, cases, batch, [&](const CaseResult& result) {
      if (options.on_result != nullptr) options.on_result(result, progress);
      progress.Add(result);
    });
  }
  if (!results.ok()) return results.status();
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!(*results)[i].has_value()) continue;
    run.report.results.push_back(*std::move((*results)[i]));
    run.cases.push_back(cases[i]);
  }
  run.report.shares = SharesOf(run.cases, run.report.results);
  if (is_isolated) AddProcesses(*workers, run.report);
  run.report.unfinished = cases.size() - run.cases.size();
  run.report.resume_command = options.resume_command;
  run.report.duration = absl::Now() - run.report.start;
  return run;
}

}  // namespace nncert
