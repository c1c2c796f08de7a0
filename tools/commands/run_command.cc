// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "cases/case_source.h"
#include "certifying/case_batch.h"
#include "certifying/case_paths.h"
#include "certifying/case_run.h"
#include "certifying/driver_names.h"
#include "certifying/progress.h"
#include "certifying/report.h"
#include "hal/deadline.h"
#include "harness/records/failure_dump.h"
#include "system/interruption.h"
#include "system/program.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_FLAG(std::string, filter, "",
          "take only cases, or tests of suites, whose name this regular expression (RE2) "
          "finds a match in");
ABSL_FLAG(nncert::TestModes, modes, nncert::TestModes(),
          "how to run: static, with all output dimensions known, and dynamic, with none known");
ABSL_FLAG(bool, list, false,
          "print the names of what there is to run, cases or suites, instead of running it");
ABSL_FLAG(std::string, journal, "",
          "keep each result in this file as it comes; --resume then goes on with a run that was "
          "interrupted");
ABSL_FLAG(
    std::string, dump, "",
    "write each case that fails into this folder: as a case file, a spec, a GoogleTest source "
    "and a graph");

ABSL_FLAG(
    absl::Duration, time_limit, absl::InfiniteDuration(),
    "end the run in good order after this much time, the reading of specs included: 90s, 10m; "
    "with --journal, --resume then goes on");

namespace nncert {
namespace {

void PrintNames(absl::Span<const CaseInMode> cases) {
  for (const CaseInMode& entry : cases) {
    std::cout << NameInMode(entry.loaded->test_case, entry.mode) << '\n';
  }
  std::cout << std::flush;
}

// Says once of each case that is wrong in itself what is wrong. Whether there is any.
bool ReportCaseErrors(absl::Span<const CaseInMode> cases, absl::Span<const CaseResult> results) {
  std::set<std::string> errors;
  for (size_t i = 0; i < cases.size(); ++i) {
    if (!IsCaseError(results[i].verdict)) continue;
    const std::string error =
        absl::StrCat(PlaceOf(cases[i].loaded->test_case, cases[i].loaded->source_path), ": case ",
                     cases[i].loaded->test_case.name, ": ", results[i].detail);
    if (errors.insert(error).second) PrintInputError(absl::InvalidArgumentError(error));
  }
  return !errors.empty();
}

// The flags that decide what a run comes to.
std::string Selection() {
  const std::string filter = absl::GetFlag(FLAGS_filter);
  const std::string dump = absl::GetFlag(FLAGS_dump);
  return absl::StrCat("--modes=", AbslUnparseFlag(absl::GetFlag(FLAGS_modes)),
                      " --deadline=", absl::FormatDuration(absl::GetFlag(FLAGS_deadline)),
                      filter.empty() ? "" : absl::StrCat(" --filter=", QuoteForShell(filter)),
                      dump.empty() ? "" : absl::StrCat(" --dump=", QuoteForShell(dump)),
                      PlainWords());
}

// The command that goes on with the run.
std::string ResumeCommand(const NamedDriver& driver, absl::Span<const std::string> paths) {
  std::string command =
      absl::StrCat(ProgramWord(), " run --resume --driver ", QuoteForShell(driver.name),
                   " --journal ", QuoteForShell(absl::GetFlag(FLAGS_journal)), IsolationWords(),
                   StrictWords(), JobsWords(), " ", Selection());
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    absl::StrAppend(&command, " --json ", QuoteForShell(json));
  }
  if (absl::GetFlag(FLAGS_no_cache)) absl::StrAppend(&command, " --no_cache");
  for (const std::string& path : paths) absl::StrAppend(&command, " ", QuoteForShell(path));
  return command;
}

absl::StatusOr<ExitStatus> Run(absl::Span<const std::string> paths) {
  const absl::StatusOr<absl::Duration> deadline = DeadlineFlag();
  if (!deadline.ok()) return deadline.status();
  if (absl::GetFlag(FLAGS_resume) && absl::GetFlag(FLAGS_journal).empty()) {
    return absl::InvalidArgumentError("--resume needs the journal of the earlier run: --journal");
  }
  const absl::Duration time_limit = absl::GetFlag(FLAGS_time_limit);
  if (time_limit <= absl::ZeroDuration()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--time_limit is ", absl::FormatDuration(time_limit), "; expected more than zero"));
  }
  if (time_limit < absl::InfiniteDuration()) Interruption::EndAfter(time_limit);
  const absl::Duration start = hal::SteadyClock::System().Now();
  const absl::StatusOr<LoadedCases> loaded = LoadCasesByFlags(paths);
  if (!loaded.ok()) return loaded.status();
  const absl::Duration reading = hal::SteadyClock::System().Now() - start;
  const absl::StatusOr<std::vector<CaseInMode>> cases =
      SelectCases(loaded->cases, absl::GetFlag(FLAGS_modes).modes, absl::GetFlag(FLAGS_filter));
  if (!cases.ok()) return cases.status();
  bool has_input_error = !loaded->errors.empty();
  for (const absl::Status& error : loaded->errors) PrintInputError(error);
  if (cases->empty()) {
    if (has_input_error) return ExitStatus::kBadInput;
    return absl::NotFoundError(
        loaded->cases.empty() ? absl::StrCat(absl::StrJoin(paths, ", "), ": there are no cases")
                              : "--filter and --modes leave none of the cases");
  }
  if (absl::GetFlag(FLAGS_list)) {
    PrintNames(*cases);
    return has_input_error ? ExitStatus::kBadInput : ExitStatus::kSuccess;
  }

  const absl::StatusOr<NamedDriver> driver = FindDriver(absl::GetFlag(FLAGS_driver).driver);
  if (!driver.ok()) return driver.status();
  absl::StatusOr<OpenedDriver> opened = OpenDriverByFlags(*driver, *deadline);
  if (!opened.ok()) return opened.status();
  CaseRunOptions options;
  options.run = RunOptionsByFlags(*deadline);
  options.run.dump_directory = absl::GetFlag(FLAGS_dump);
  if (!options.run.dump_directory.empty()) {
    options.running_directory = absl::StrCat(options.run.dump_directory, "/running");
  }
  options.jobs = absl::GetFlag(FLAGS_jobs).OrProcessors();
  options.is_strict = absl::GetFlag(FLAGS_strict);
  options.journal = absl::GetFlag(FLAGS_journal);
  options.resume = absl::GetFlag(FLAGS_resume);
  options.selection = Selection();
  if (!options.journal.empty()) options.resume_command = ResumeCommand(*driver, paths);
  // The variations of a spec fail alike, and the summary counts them.
  std::set<std::tuple<std::string, std::string, Verdict, std::string>> told;
  options.on_result = [&told](const CaseResult& result, Progress& progress) {
    const bool is_quiet = result.verdict == Verdict::PASS || result.verdict == Verdict::UNSUPPORTED;
    // What is wrong with a case is said once it is known of all.
    if (is_quiet || IsCaseError(result.verdict)) return;
    if (told.emplace(result.operation, result.type, result.verdict, result.spec).second) {
      progress.Print(std::cout, DescribeResult(result));
    }
  };
  absl::StatusOr<CaseRun> run = RunCasesOn(*opened, *cases, options);
  if (!run.ok()) return run.status();
  run->report.reading = reading;
  const RunReport& report = run->report;
  has_input_error |= ReportCaseErrors(run->cases, report.results);

  std::vector<std::string> reports;
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    if (absl::Status status = WriteTextFile(json, ResultsToJson(report)); !status.ok()) {
      return status;
    }
    reports.push_back(absl::StrCat("Results: ", json));
  }
  std::cout << Summarize(report, reports) << std::flush;
  if (report.unfinished > 0 && report.lost.empty()) return ExitStatus::kInterrupted;
  if (has_input_error) return ExitStatus::kBadInput;
  return AnyFailed(report) ? ExitStatus::kFailure : ExitStatus::kSuccess;
}

}  // namespace

Command RunCommand() {
  return {
      .name = "run",
      .arguments = "PATH...",
      .minimum_arguments = 1,
      .summary = "runs spec files and case files on a driver",
      .description =
          "Runs test cases on a driver: those of spec files (.mod.py), case files (.case), and all "
          "such files\nin folders. Of what is neither PASS nor UNSUPPORTED it prints the first of "
          "each spec that is alike in operation, type and verdict, and then a summary; --json has "
          "every result. "
          "The exit status is 0 when\nnothing failed, 1 when something did, 2 when a file or the "
          "driver cannot be used, 3 when it was interrupted; files that can\nbe used are run all "
          "the same.",
      .flags = {{"driver", "DRIVER"},
                {"filter", "REGEX"},
                {"modes", "MODES"},
                {"list", ""},
                {"json", "FILE"},
                {"dump", "DIR"},
                {"jobs", "N"},
                {"deadline", "DURATION"},
                {"in_process", ""},
                {"unpinned", ""},
                {"memory", "SIZE"},
                {"plain", ""},
                {"strict", ""},
                {"journal", "FILE"},
                {"resume", ""},
                {"time_limit", "DURATION"},
                {"no_cache", ""}},
      .run = &Run,
  };
}

}  // namespace nncert
