// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "certifying/case_batch.h"
#include "certifying/driver_names.h"
#include "certifying/report.h"
#include "random_graph/reducer.h"
#include "tools/commands/case_forms.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(nncert::TestModes, modes);
ABSL_DECLARE_FLAG(std::string, filter);
ABSL_DECLARE_FLAG(absl::Duration, reduce_time);

namespace nncert {
namespace {

// A case that fails, how, and in which mode.
struct FailingCase {
  const TestCase* test_case;
  CaseResult result;
};

// The first of the cases that fails.
absl::StatusOr<FailingCase> FindFailure(absl::Span<const CaseInMode> cases, CaseWorker& worker,
                                        const RunOptions& options) {
  for (const CaseInMode& entry : cases) {
    CaseResult result = worker.Run(entry.loaded->test_case, entry.mode, options);
    if (IsFailure(result.verdict) && !IsCaseError(result.verdict)) {
      return FailingCase{&entry.loaded->test_case, std::move(result)};
    }
  }
  return absl::NotFoundError(absl::StrCat("none of ", cases.size(), " cases fails"));
}

absl::StatusOr<ExitStatus> ReduceCase(absl::Span<const std::string> paths) {
  const std::optional<std::string> out = absl::GetFlag(FLAGS_out).path;
  if (!out.has_value()) {
    return absl::InvalidArgumentError("say where to write the smaller case: --out=FILE");
  }
  if (absl::Status status = CheckCaseForm(*out, 1); !status.ok()) return status;
  const absl::StatusOr<absl::Duration> deadline = DeadlineFlag();
  if (!deadline.ok()) return deadline.status();
  const absl::StatusOr<LoadedCases> loaded = LoadCasesByFlags(paths);
  if (!loaded.ok()) return loaded.status();
  if (!loaded->errors.empty()) return loaded->errors.front();
  const absl::StatusOr<std::vector<CaseInMode>> cases =
      SelectCases(loaded->cases, absl::GetFlag(FLAGS_modes).modes, absl::GetFlag(FLAGS_filter));
  if (!cases.ok()) return cases.status();
  const absl::StatusOr<NamedDriver> driver = FindDriver(absl::GetFlag(FLAGS_driver).driver);
  if (!driver.ok()) return driver.status();
  const absl::StatusOr<DriverWithWorkers> opened =
      OpenWithWorkers(*driver, IsolationFlag(), 1, *deadline);
  if (!opened.ok()) return opened.status();
  CaseWorker& worker = *opened->workers.front();
  RunOptions options = RunOptionsByFlags(*deadline);
  const absl::StatusOr<FailingCase> failing = FindFailure(*cases, worker, options);
  if (!failing.ok()) return failing.status();
  std::cout << DescribeResult(failing->result) << std::endl;
  const absl::StatusOr<Reduction> reduction =
      ReduceFailure(*failing->test_case, failing->result, worker, options,
                    {.time = absl::GetFlag(FLAGS_reduce_time)}, FailingType::kAny);
  if (!reduction.ok()) {
    return absl::Status(reduction.status().code(),
                        absl::StrCat(FullName(failing->result),
                                     " cannot be made smaller: ", reduction.status().message()));
  }
  const TestCase& smallest = reduction->smallest;
  if (absl::Status status = WriteCases(*out, "nncert reduce", {smallest}); !status.ok()) {
    return status;
  }
  if (CanBeRun(*out)) options.source_path = *out;
  std::cout << "Made smaller " << reduction->steps << " times, of " << reduction->tries
            << " tries, to " << smallest.model.operations.size() << " of "
            << failing->test_case->model.operations.size() << " operations"
            << (reduction->is_minimal ? "" : ", until time was up") << ":\n"
            << DescribeResult(worker.Run(smallest, failing->result.mode, options)) << std::endl;
  return ExitStatus::kSuccess;
}

}  // namespace

Command ReduceCommand() {
  return {
      .name = "reduce",
      .arguments = "PATH...",
      .minimum_arguments = 1,
      .summary = "makes a failing case small",
      .description =
          "Takes the first case of spec files and case files that fails on a driver, and writes "
          "the smallest\none that fails in the same operation with the same verdict, in the form "
          "that the name of the\nfile says (see convert). The exit status is 0 when there is one, "
          "2 when no case fails, or a file\nor the driver cannot be used.",
      .flags = {{"driver", "DRIVER"},
                {"out", "FILE"},
                {"filter", "REGEX"},
                {"modes", "MODES"},
                {"reduce_time", "DURATION"},
                {"deadline", "DURATION"},
                {"in_process", ""},
                {"unpinned", ""},
                {"memory", "SIZE"},
                {"plain", ""},
                {"no_cache", ""}},
      .run = &ReduceCase,
  };
}

}  // namespace nncert
