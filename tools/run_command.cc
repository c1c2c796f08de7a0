// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <unistd.h>

#include <iostream>
#include <memory>
#include <set>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "harness/case_source.h"
#include "harness/driver_session.h"
#include "tools/case_batch.h"
#include "tools/case_paths.h"
#include "tools/commands.h"
#include "tools/driver_names.h"
#include "tools/flags.h"
#include "tools/progress.h"
#include "tools/report.h"

ABSL_FLAG(std::string, filter, "",
          "take only cases whose name this regular expression (ECMAScript) finds a match in");
ABSL_FLAG(nncert::TestModes, modes, nncert::TestModes(),
          "how to run: static, with all output dimensions known, and dynamic, with none known");
ABSL_FLAG(bool, list, false, "print the names of the cases instead of running them");
ABSL_FLAG(std::string, dump, "",
          "write each case that fails into this folder: as a case file, a spec and a graph");

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
    if (!results[i].is_case_error) continue;
    const std::string error =
        absl::StrCat(cases[i].loaded->source_path, ": case ", cases[i].loaded->test_case.name, ": ",
                     results[i].detail);
    if (errors.insert(error).second) PrintInputError(absl::InvalidArgumentError(error));
  }
  return !errors.empty();
}

absl::StatusOr<ExitStatus> Run(absl::Span<const std::string> paths) {
  const absl::StatusOr<LoadedCases> loaded = LoadCasesOfUser(paths);
  if (!loaded.ok()) return loaded.status();
  const absl::StatusOr<std::vector<CaseInMode>> cases =
      SelectCases(loaded->cases, absl::GetFlag(FLAGS_modes).modes, absl::GetFlag(FLAGS_filter));
  if (!cases.ok()) {
    return absl::InvalidArgumentError(absl::StrCat("--filter: ", cases.status().message()));
  }
  bool has_input_error = !loaded->errors.empty();
  for (const absl::Status& error : loaded->errors) PrintInputError(error);
  if (cases->empty()) {
    if (has_input_error) return ExitStatus::kBadInput;
    return absl::NotFoundError(loaded->cases.empty()
                                   ? "there are no cases"
                                   : "--filter and --modes leave none of the cases");
  }
  if (absl::GetFlag(FLAGS_list)) {
    PrintNames(*cases);
    return has_input_error ? ExitStatus::kBadInput : ExitStatus::kSuccess;
  }

  const absl::StatusOr<std::unique_ptr<DriverSession>> session =
      OpenDriver(absl::GetFlag(FLAGS_driver));
  if (!session.ok()) return session.status();
  RunReport report = ReportOn(**session);
  report.start = absl::Now();
  BatchOptions options;
  options.dump_directory = absl::GetFlag(FLAGS_dump);
  options.jobs = absl::GetFlag(FLAGS_jobs).OrProcessors();
  {
    Progress progress(std::cerr, isatty(STDERR_FILENO) != 0, cases->size());
    absl::StatusOr<std::vector<CaseResult>> results =
        RunCases(**session, *cases, options, [&](const CaseResult& result) {
          const bool is_quiet =
              result.verdict == Verdict::PASS || result.verdict == Verdict::UNSUPPORTED;
          // What is wrong with a case is said once it is known of all.
          if (!is_quiet && !result.is_case_error) {
            progress.Print(std::cout, DescribeResult(result));
          }
          progress.Add(result);
        });
    if (!results.ok()) return results.status();
    report.results = *std::move(results);
  }
  report.duration = absl::Now() - report.start;
  has_input_error |= ReportCaseErrors(*cases, report.results);

  std::vector<std::string> reports;
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    if (absl::Status status = WriteTextFile(json, ResultsToJson(report.results)); !status.ok()) {
      return status;
    }
    reports.push_back(absl::StrCat("Results: ", json));
  }
  std::cout << Summarize(report, reports) << std::flush;
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
          "such files\nin folders. Prints every result but PASS and UNSUPPORTED, and a summary. "
          "The "
          "exit status is 0 when\nnothing failed, 1 when something did, 2 when a file or the "
          "driver "
          "cannot be used; files that can be\nused are run all the same.",
      .flags = {{"driver", "DRIVER"},
                {"filter", "REGEX"},
                {"modes", "MODES"},
                {"list", ""},
                {"json", "FILE"},
                {"dump", "DIR"},
                {"jobs", "N"}},
      .run = &Run,
  };
}

}  // namespace nncert
