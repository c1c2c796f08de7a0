// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The results of a run, for engineers and for other programs.

#ifndef NNCERT_CERTIFYING_REPORT_H_
#define NNCERT_CERTIFYING_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/outcome/failure_kind.h"
#include "certifying/outcome/must_pass_outcome.h"
#include "certifying/outcome/rerun_outcome.h"
#include "certifying/outcome/suite_section.h"
#include "certifying/outcome/support_share.h"
#include "certifying/outcome/verdict_matrix.h"
#include "certifying/outcome/waivers.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/case_result.h"
#include "harness/records/finding.h"
#include "harness/records/verdict.h"

namespace nncert {

/// What the cases of bundled specs, those that are made from the catalogue, and random graphs are
/// called as suites.
inline constexpr char kSpecs[] = "specs";
inline constexpr char kSystematic[] = "systematic";
inline constexpr char kRandomGraphs[] = "random_graphs";

/// Whether the tests of a suite are cases, which have results of their own in a report.
inline bool IsSuiteOfCases(std::string_view suite) {
  return suite == kSpecs || suite == kSystematic;
}

/// A suite of cases, and how many of a run's results are of it.
struct CaseSuite {
  std::string name;
  size_t results = 0;
};

/// What a suite that was run came to.
struct SuiteTotal {
  std::string name;
  /// How many tests were run, and were to be; the latter is nothing where nobody knows any more, of
  /// suites of cases that were interrupted.
  uint64_t run = 0;
  std::optional<uint64_t> planned;
  std::map<Verdict, uint64_t> counts;
  /// How long it took; suites of cases share the time of all cases as their results say.
  absl::Duration duration;

  /// Whether all of its tests were run.
  bool IsComplete() const { return planned.has_value() && run >= *planned; }
};

/// What the driver's processes went through; see WorkerReport.
struct ProcessReport {
  int restarts = 0;
  absl::Duration cpu_time;
  uint64_t peak_memory = 0;
};

/// What a run of test cases came to.
struct RunReport {
  /// The driver as it was asked for.
  std::string driver;
  /// What IDevice::getVersionString said; may be empty.
  std::string driver_version;
  /// The driver's HAL version: "1.2".
  std::string hal_version;
  /// The names of the extensions that the driver lists.
  std::vector<std::string> extensions;
  /// What belongs to no case.
  std::vector<Finding> findings;
  /// When the run began: a date, which nothing is measured by.
  absl::Time start;
  /// How long it took.
  absl::Duration duration;
  /// How long it took before that to read the cases; zero when nobody waited for it.
  absl::Duration reading;
  /// Every result.
  std::vector<CaseResult> results;
  /// The suites that the results are of, one after the other; none where the cases are no suite.
  std::vector<CaseSuite> case_suites;
  /// What the driver supports, as far as the results tell.
  std::vector<SupportShare> shares;
  /// The results by operation, type and version.
  std::vector<MatrixCell> matrix;
  /// Nothing when the driver was in this process.
  std::optional<ProcessReport> process;
  /// The findings SUSPECT and BIASED are failures.
  bool is_strict = false;
  /// The cases are those of a suite, each of which must compare something: VACUOUS is a failure.
  bool is_suite = false;
  /// Why the driver could not be called to the end of the run, a sentence without a full stop;
  /// empty when it could.
  std::string lost;
  /// How many cases have no result, because the run was interrupted or the driver was lost.
  size_t unfinished = 0;
  /// The command that goes on with an interrupted run; empty when there is none.
  std::string resume_command;
  /// What suites came to whose tests are no cases.
  std::vector<SuiteSection> sections;
  /// The names of suites that were not to be run, those of cases among them.
  std::vector<std::string> left_out;
  /// What the run came to against the list of all that is to be run; nothing where suites were left
  /// out.
  std::optional<MustPassOutcome> must_pass;
  /// What became of the waivers.
  std::vector<WaiverUse> waivers;
  /// Every kind of failure of all suites, those of the most cases first. Empty before somebody has
  /// asked for them (FailureKindsOf).
  std::vector<FailureKind> failures;
  /// What became of failing cases that were run again; nothing where none failed, or none was to be
  /// run again.
  std::optional<RerunOutcome> reruns;
  /// What SuiteTotals gives, of a report that was read from a file; else it is empty, and results
  /// and sections say it.
  std::vector<SuiteTotal> totals;

  /// Whether the suite of this name was not to be run.
  bool IsLeftOut(std::string_view suite) const;
};

/// A report on a driver, without results.
RunReport ReportOn(const DriverSession& session);

/// How many results have each verdict; verdicts that do not occur are there with 0.
std::map<Verdict, size_t> CountVerdicts(absl::Span<const CaseResult> results);

/// Whether the verdict fails the run: FailsSuite for one of suites, else IsFailure.
bool FailsRun(Verdict verdict, const RunReport& report);

/// Whether a finding fails the run.
bool FailsRun(FindingKind kind, const RunReport& report);

/// The findings that fail the run.
std::vector<const Finding*> FailingFindings(const RunReport& report);

/// Every suite that was run, those of cases first.
std::vector<SuiteTotal> SuiteTotals(const RunReport& report);

/// The name of the suite that a result is of, by its place; "specs" where the cases are no suite.
std::string SuiteOfResult(const RunReport& report, size_t result);

/// The kinds of failures of all suites, those of cases first, of the most cases before the others.
std::vector<FailureKind> FailureKindsOf(const RunReport& report);

/// Has waivers waive what fails of the results, and say what became of them: to be called when all
/// suites have been told of them.
void Waive(RunWaivers& waivers, RunReport& report);

/// Whether any result, finding or test of a section fails the run, or the driver was lost.
bool AnyFailed(const RunReport& report);

/// "static" or "dynamic": a mode as flags and reports name it.
std::string ModeName(TestMode mode);

/// {"driver", "driverVersion", "findings": [{"kind", "operation", "type", "count", "detail"}],
/// "counts": {VERDICT: n}, "cases": [{"name", "mode", "operation", "type", "verdict", "detail"}]},
/// indented. Cases that were judged by the documentation have their "deviation" as well. Where
/// cases were not run, "unfinished" says how many, and "lost" why the driver could not be called.
/// There is nothing in it that two runs of the same cases would not have in common.
std::string ResultsToJson(const RunReport& report);

/// [{"kind", "operation", "type", "count", "detail"}], for a member two spaces deep.
std::string FindingsToJson(absl::Span<const Finding> findings);

/// The version of what ReportToJson writes, docs/report.schema.json: counted up when a member
/// changes its meaning, or goes.
inline constexpr int kReportFormat = 3;

/// What docs/report.schema.json describes: "format", "nncert", "certification" and "reason"
/// (Conclusion), "leftOut"; the results with "halVersion" and "extensions"; with "mustPass"
/// {"halVersion", "sha256", "tests", "results", "missing": [{"suite", "tests", "first"}]} where no
/// suite was left out; with "support"
/// [{"operation", "type", "supported", "cases"}], the shares; with "suites" [{"name", "cases",
/// "counts": {VERDICT: n}}], every suite that was run, where counts of 0 are not there;
/// with "waivers", if there are any (WaiversToJson); with "matrix" [{"operation", "type",
/// "version", "counts"}]; with "failures", if there are any (FailureKindsToJson); with "reruns", if
/// there were any (RerunsToJson); and with a member for each section. There is nothing in it that
/// two runs of the same cases would not have in common: how long they took is for TimingToJson.
std::string ReportToJson(const RunReport& report);

/// JUnit's XML as build servers read it: a suite for each fixture, a testcase for each result; and
/// a suite "Driver" with the findings, if there are any. What fails the run is a <failure>, or an
/// <error> where the driver gave no result to judge; all other verdicts but PASS are <skipped>,
/// each with its verdict and detail. Each section is a suite. A run that did not come to its end
/// has a suite "Run" with an <error>, so that nobody takes it for one that passed. It has no times,
/// so that two runs of the same cases have the same.
std::string ReportToJUnitXml(const RunReport& report);

/// Why the run has not come to its end, and how it can; empty when it has.
std::string DescribeIncompleteness(const RunReport& report);

/// What an engineer reads first: whether the run was interrupted, what the driver supports, the
/// share of unsupported cases, counts by verdict, which operations failed and their likely causes,
/// the slowest cases, the driver's extensions, processes and findings. `reports` is printed last, a
/// line for each; lines end with newlines.
std::string Summarize(const RunReport& report, absl::Span<const std::string> reports);

/// "FAIL GeneratedTests.add: " and the detail: a result on a line, with further lines indented.
std::string DescribeResult(const CaseResult& result);

/// Writes a file, making its folder when needed; until it is whole, what was there before stays, so
/// that nobody finds half of it. The error names the file.
absl::Status WriteTextFile(const std::string& path, const std::string& text);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_REPORT_H_
