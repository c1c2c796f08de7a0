// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/commands/failing_cases.h"

#include <filesystem>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/case_run.h"
#include "certifying/driver_names.h"
#include "certifying/failure_examination.h"
#include "certifying/outcome/failure_kind.h"
#include "certifying/outcome/support_share.h"
#include "certifying/outcome/verdict_matrix.h"
#include "certifying/report.h"
#include "certifying/report_folder.h"
#include "certifying/reruns/reruns.h"
#include "harness/case_worker.h"
#include "harness/records/case_result.h"
#include "random_graph/reducer.h"
#include "system/interruption.h"
#include "tools/flags.h"

namespace nncert {
namespace {

// How much time each of the flags gives unless it is told otherwise.
constexpr absl::Duration kUsualTime = absl::Seconds(60);

}  // namespace
}  // namespace nncert

ABSL_FLAG(absl::Duration, explain_time, nncert::kUsualTime,
          "for how long to look for the smallest case and the likely cause of each kind of failure "
          "after the run; 0 for not at all");
ABSL_FLAG(absl::Duration, rerun_time, nncert::kUsualTime,
          "for how long to run failing cases again after the run, to tell those that do not always "
          "fail; 0 for not at all");

namespace nncert {
namespace {

// How far a failure is made smaller: so many tries, in little more than a second on an idle
// machine, so that the report is the same however busy it is.
constexpr ReductionLimits kReductionLimits = {.time = absl::Seconds(20), .tries = 300};

std::string Words(absl::string_view flag, absl::Duration time) {
  return time == kUsualTime ? "" : absl::StrCat(" --", flag, " ", absl::FormatDuration(time));
}

}  // namespace

std::string FailingCasesWords() {
  return absl::StrCat(Words("rerun_time", absl::GetFlag(FLAGS_rerun_time)),
                      Words("explain_time", absl::GetFlag(FLAGS_explain_time)));
}

absl::Status RerunFailingCases(const NamedDriver& driver, const std::filesystem::path& out,
                               absl::Duration deadline, CaseRun& run) {
  if (absl::Status removed = RemoveSequences(out); !removed.ok()) return removed;
  RunReport& report = run.report;
  RerunOptions options;
  options.time = absl::GetFlag(FLAGS_rerun_time);
  const bool any_failed = absl::c_any_of(
      report.results, [](const CaseResult& result) { return IsFailure(result.verdict); });
  if (!any_failed || options.time <= absl::ZeroDuration()) return absl::OkStatus();
  const absl::StatusOr<DriverWithWorkers> opened =
      OpenWithWorkers(driver, IsolationFlag(), absl::GetFlag(FLAGS_jobs).OrProcessors(), deadline);
  options.run = RunOptionsByFlags(deadline);
  options.sequences_directory = out / kSequencesFolder;
  options.driver = driver.name;
  options.should_stop = &Interruption::IsRequested;
  const absl::Span<CaseResult> results = absl::MakeSpan(report.results);
  RerunOutcome outcome = opened.ok() ? RerunFailures(opened->workers, run.cases, options, results)
                                     : NoReruns(results, opened.status());
  if (outcome.failing > 0) report.reruns = std::move(outcome);
  report.shares = SharesOf(run.cases, report.results);
  report.matrix = MatrixOf(run.cases, report.results);
  return absl::OkStatus();
}

void ExamineFailingCases(const NamedDriver& driver, const std::filesystem::path& out,
                         absl::Duration deadline, RunReport& report) {
  report.failures = FailureKindsOf(report);
  ExaminationOptions options;
  options.time = absl::GetFlag(FLAGS_explain_time);
  if (report.failures.empty() || options.time <= absl::ZeroDuration()) return;
  const absl::StatusOr<DriverWithWorkers> opened =
      OpenWithWorkers(driver, IsolationFlag(), absl::GetFlag(FLAGS_jobs).OrProcessors(), deadline);
  if (!opened.ok()) {
    for (FailureKind& kind : report.failures) {
      kind.obstacle = std::string(opened.status().message());
    }
    return;
  }
  options.reduce = [](const TestCase& test_case, const CaseResult& result, CaseWorker& worker,
                      const RunOptions& run) -> absl::StatusOr<SmallerCase> {
    RunOptions quiet = run;
    quiet.dump_directory.clear();
    absl::StatusOr<Reduction> reduction =
        ReduceFailure(test_case, result, worker, quiet, kReductionLimits);
    if (!reduction.ok()) return reduction.status();
    return SmallerCase{std::move(reduction->smallest), reduction->is_minimal};
  };
  options.run = RunOptionsByFlags(deadline);
  options.run.dump_directory = out / kSmallestFolder;
  options.driver = driver.name;
  options.should_stop = &Interruption::IsRequested;
  if (report.reruns.has_value()) {
    for (const FlakyCase& flaky : report.reruns->flaky) {
      if (!flaky.command.empty()) options.commands_of_pairs[flaky.name] = flaky.command;
    }
  }
  ExamineFailures(opened->workers, report.results, options, report.failures);
}

}  // namespace nncert
