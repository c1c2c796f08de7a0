// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/commands/call_suites.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "certifying/report_folder.h"
#include "certifying/run_identity.h"
#include "certifying/submission/shards.h"
#include "hal_tests/check.h"
#include "hal_tests/suite_run.h"
#include "harness/records/failure_dump.h"
#include "harness/records/journal.h"
#include "system/digest.h"
#include "system/interruption.h"
#include "system/program.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(std::string, filter);
ABSL_DECLARE_FLAG(nncert::Shard, shard);

namespace nncert {
namespace {

// Where a suite that is run again writes.
constexpr char kAgain[] = "again";

// The command that runs a suite of calls again, for its tests that a --filter behind it leaves. It
// has a folder of its own, for the reports of this run are to stay.
std::string AgainCommand(const NamedDriver& driver, const std::filesystem::path& out,
                         const Suite& suite) {
  return absl::StrCat(ProgramWord(), " certify --driver ", QuoteForShell(driver.name), " --out ",
                      QuoteForShell((out / kAgain).string()), IsolationWords(), DeadlineWords(),
                      " --suites ", std::string(suite.name));
}

// The tests of a suite that the filter leaves.
std::vector<std::unique_ptr<SuiteTest>> TestsOf(const Suite& suite,
                                                absl::Span<const CaseInMode> specs,
                                                absl::Span<const CaseInMode> systematic,
                                                hal::HalVersion version, const NameFilter& filter) {
  std::vector<std::unique_ptr<SuiteTest>> tests =
      suite.make_tests(CasesFor(suite, specs, systematic), version);
  const auto is_left_out = [&](const std::unique_ptr<SuiteTest>& test) {
    return !filter.Leaves(test->fixture(), test->name());
  };
  tests.erase(std::remove_if(tests.begin(), tests.end(), is_left_out), tests.end());
  return tests;
}

// A suite of the interface's calls with its tests, and how many tests come before them.
struct PlannedSuite {
  const Suite* suite = nullptr;
  std::vector<std::unique_ptr<SuiteTest>> tests;
  uint64_t first_place = 0;
};

// The suites of the interface's calls that are not left out.
std::vector<PlannedSuite> PlanSuites(absl::Span<const CaseInMode> specs,
                                     absl::Span<const CaseInMode> systematic,
                                     hal::HalVersion version, const NameFilter& filter,
                                     const RunReport& report) {
  std::vector<PlannedSuite> planned;
  uint64_t place = 0;
  for (const Suite& suite : AllSuites()) {
    if (report.IsLeftOut(suite.name)) continue;
    std::vector<std::unique_ptr<SuiteTest>> tests =
        TestsOf(suite, specs, systematic, version, filter);
    if (tests.empty() && !absl::GetFlag(FLAGS_filter).empty()) continue;
    const uint64_t count = tests.size();
    planned.push_back({&suite, std::move(tests), place});
    place += count;
  }
  return planned;
}

// Opens the journal of their tests, and takes over what it has.
absl::StatusOr<std::unique_ptr<Journal>> OpenSuiteJournal(
    OpenedDriver& driver, const std::filesystem::path& out, absl::Span<const PlannedSuite> planned,
    absl::Duration deadline, const BazelResults* known, JournalContent& done) {
  absl::StatusOr<RunIdentity> run = RunIdentityOf(
      driver, absl::StrCat("suites of calls, --deadline=", absl::FormatDuration(deadline)));
  if (!run.ok()) return run.status();
  Digest digest;
  for (const PlannedSuite& suite : planned) {
    digest.Add(suite.suite->name);
    for (const std::unique_ptr<SuiteTest>& test : suite.tests) digest.Add(test->name());
    run->case_count += suite.tests.size();
  }
  run->cases_digest = digest.value();
  const std::string path = out / kSuiteJournalFile;
  std::error_code ignored;
  if (absl::GetFlag(FLAGS_resume) && std::filesystem::exists(path, ignored)) {
    return Journal::Resume(path, *run, done);
  }
  absl::StatusOr<std::unique_ptr<Journal>> journal = Journal::Create(path, *run);
  if (!journal.ok() || known == nullptr) return journal;
  std::vector<ListedSuite> suites;
  for (const PlannedSuite& suite : planned) suites.push_back(ListTests(*suite.suite, suite.tests));
  absl::Status taken = known->TakeTests(suites, deadline, **journal);
  if (!taken.ok()) return taken;
  absl::StatusOr<JournalContent> content = Journal::Read(path);
  if (!content.ok()) return content.status();
  done = *std::move(content);
  return journal;
}

// Adds what the driver's processes went through while suites of calls were run.
void AddProcesses(const WorkerReport& processes, RunReport& report) {
  for (const std::string& finding : processes.findings) {
    report.findings.push_back({.kind = FindingKind::PROCESS, .detail = finding});
  }
  if (!report.process.has_value()) return;
  report.process->restarts += processes.restarts;
  report.process->cpu_time += processes.cpu_time;
  report.process->peak_memory = std::max(report.process->peak_memory, processes.peak_memory);
}

// Says that the driver could not be opened once more.
void Lose(absl::string_view suites, const absl::Status& status, RunReport& report) {
  report.lost = absl::StrCat("the driver could not be opened for ", suites, ": ", status.message());
}

}  // namespace

std::optional<OpenedDriver> OpenAgain(const NamedDriver& driver, absl::Duration deadline,
                                      absl::string_view suites, RunReport& report) {
  absl::StatusOr<OpenedDriver> opened = OpenDriverByFlags(driver, deadline);
  if (opened.ok()) return *std::move(opened);
  Lose(suites, opened.status(), report);
  return std::nullopt;
}

absl::StatusOr<bool> RunHalSuites(const NamedDriver& driver, const std::filesystem::path& out,
                                  absl::Span<const CaseInMode> specs,
                                  absl::Span<const CaseInMode> systematic, const NameFilter& filter,
                                  absl::Duration deadline, const BazelResults* known,
                                  RunWaivers* waivers, RunReport& report) {
  const auto is_left_out = [&](const Suite& suite) { return report.IsLeftOut(suite.name); };
  if (absl::c_all_of(AllSuites(), is_left_out)) return false;
  std::optional<OpenedDriver> opened =
      OpenAgain(driver, deadline, "the suites of its interface", report);
  if (!opened.has_value()) return false;
  const std::vector<PlannedSuite> planned =
      PlanSuites(specs, systematic, opened->session().hal_version(), filter, report);
  JournalContent done;
  const absl::StatusOr<std::unique_ptr<Journal>> journal =
      OpenSuiteJournal(*opened, out, planned, deadline, known, done);
  if (!journal.ok()) return journal.status();
  AddProcesses(done.processes, report);
  const absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> workers =
      opened->MakeWorkers(absl::GetFlag(FLAGS_jobs).OrProcessors(), deadline);
  if (!workers.ok()) return workers.status();
  // The same on any processors, once a suite needs them. Where a service runs is not ours to say.
  std::optional<DriverWithWorkers> unpinned;
  const bool is_pinned = IsolationFlag() == Isolation::kPinned && driver.socket.empty();
  const Shard shard = absl::GetFlag(FLAGS_shard);
  for (const PlannedSuite& suite : planned) {
    const bool needs_others = suite.suite->needs_processors && is_pinned;
    if (needs_others && !unpinned.has_value()) {
      absl::StatusOr<DriverWithWorkers> again = OpenWithWorkers(
          driver, Isolation::kUnpinned, absl::GetFlag(FLAGS_jobs).OrProcessors(), deadline);
      if (!again.ok()) {
        Lose(std::string(suite.suite->name), again.status(), report);
        return false;
      }
      unpinned = *std::move(again);
    }
    SuiteRunOptions options;
    options.deadline = deadline;
    options.should_stop = &Interruption::IsRequested;
    options.takes = [shard](size_t place) { return shard.Has(place); };
    options.journal = journal->get();
    options.first_place = suite.first_place;
    options.done = done.tests;
    options.waivers = waivers;
    const SuiteResult result =
        RunSuite(needs_others ? unpinned->workers : *workers, *suite.suite, suite.tests, options);
    if (!result.written.ok()) return result.written;
    report.sections.push_back(SectionOf(result, AgainCommand(driver, out, *suite.suite)));
    AddProcesses(result.processes, report);
    report.duration += result.duration;
    report.lost = result.lost;
    if (!report.lost.empty()) return false;
    if (result.run < result.planned) return true;
  }
  return false;
}

}  // namespace nncert
