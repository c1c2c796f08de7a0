// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "certifying/case_batch.h"
#include "certifying/case_paths.h"
#include "certifying/driver_names.h"
#include "certifying/report.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/failing_cases.h"
#include "system/interruption.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(nncert::TestModes, modes);
ABSL_DECLARE_FLAG(std::string, filter);

namespace nncert {
namespace {

// What cases that fail there are, and whether a case could not be used.
struct Failures {
  std::vector<Failure> failures;
  size_t failed = 0;
  bool has_input_error = false;
};

absl::StatusOr<Failures> FindFailures(absl::Span<const CaseInMode> cases, CaseWorker& worker,
                                      const RunOptions& options) {
  Failures found;
  for (const CaseInMode& entry : cases) {
    if (Interruption::IsRequested()) {
      return absl::CancelledError("interrupted before every case was run; nothing is written");
    }
    absl::StatusOr<ExaminedCase> examined =
        ExamineCase(worker, entry.loaded->test_case, entry.mode, options);
    if (!examined.ok()) return examined.status();
    const CaseResult& result = examined->result;
    if (!IsFailure(result.verdict)) continue;
    if (IsCaseError(result.verdict)) {
      found.has_input_error = true;
      PrintInputError(absl::InvalidArgumentError(
          absl::StrCat(entry.loaded->source_path, ": case ", result.name, ": ", result.detail)));
      continue;
    }
    ++found.failed;
    if (examined->failure.has_value()) {
      found.failures.push_back(*std::move(examined->failure));
    } else {
      std::cout << FullName(result) << ": " << FirstLine(result.detail)
                << "\n  cannot be diagnosed: " << examined->obstacle << std::endl;
    }
  }
  return found;
}

absl::StatusOr<ExitStatus> DiagnoseCases(absl::Span<const std::string> paths) {
  const absl::StatusOr<absl::Duration> deadline = DeadlineFlag();
  if (!deadline.ok()) return deadline.status();
  const absl::StatusOr<LoadedCases> loaded = LoadCasesByFlags(paths);
  if (!loaded.ok()) return loaded.status();
  for (const absl::Status& error : loaded->errors) PrintInputError(error);
  const absl::StatusOr<std::vector<CaseInMode>> cases =
      SelectCases(loaded->cases, absl::GetFlag(FLAGS_modes).modes, absl::GetFlag(FLAGS_filter));
  if (!cases.ok()) return cases.status();
  const absl::StatusOr<NamedDriver> driver = FindDriver(absl::GetFlag(FLAGS_driver).driver);
  if (!driver.ok()) return driver.status();
  const absl::StatusOr<DriverWithWorkers> opened =
      OpenWithWorkers(*driver, IsolationFlag(), 1, *deadline);
  if (!opened.ok()) return opened.status();
  const RunOptions options = RunOptionsByFlags(*deadline);
  absl::StatusOr<Failures> found = FindFailures(*cases, *opened->workers.front(), options);
  if (!found.ok()) return found.status();
  const bool has_input_error = found->has_input_error || !loaded->errors.empty();
  if (found->failed == 0) {
    if (has_input_error) return ExitStatus::kBadInput;
    return absl::NotFoundError(absl::StrCat("none of ", cases->size(), " cases fails"));
  }
  const std::vector<Cause> causes = Diagnose(std::move(found->failures));
  std::cout << DescribeCauses(causes) << std::flush;
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    if (absl::Status status = WriteTextFile(json, CausesToJson(causes)); !status.ok()) {
      return status;
    }
  }
  return has_input_error ? ExitStatus::kBadInput : ExitStatus::kSuccess;
}

}  // namespace

Command DiagnoseCommand() {
  return {
      .name = "diagnose",
      .arguments = "PATH...",
      .minimum_arguments = 1,
      .summary = "names the likely cause of failures",
      .description =
          "Runs the cases of spec files (.mod.py), case files (.case) and folders of them on a "
          "driver, and\ncompares what it gives for those that fail with what known faults would "
          "make of them\n(docs/diagnosis.md). Prints the causes that explain the failures of an "
          "operation, the likeliest first.\nThe exit status is 0 when a case fails, whether or not "
          "a cause is known, 2 when none fails, or a\nfile or the driver cannot be used.",
      .flags = {{"driver", "DRIVER"},
                {"json", "FILE"},
                {"filter", "REGEX"},
                {"modes", "MODES"},
                {"deadline", "DURATION"},
                {"in_process", ""},
                {"unpinned", ""},
                {"memory", "SIZE"},
                {"plain", ""},
                {"no_cache", ""}},
      .run = &DiagnoseCases,
  };
}

}  // namespace nncert
