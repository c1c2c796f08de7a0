// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What has changed from one certification to another.

#ifndef NNCERT_CERTIFYING_COMPARISON_H_
#define NNCERT_CERTIFYING_COMPARISON_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "harness/records/verdict.h"

namespace nncert {

/// What of a report.json two runs are compared by.
struct ReportedRun {
  std::string driver;
  std::string driver_version;
  std::string certification;
  /// What came of it, and what is wrong.
  struct Test {
    Verdict verdict = Verdict::MISSING;
    std::string detail;
  };
  /// By name: cases by their mode and name, "static add"; of suites of calls the checks that
  /// failed, "basic: StatusTest", and whether one passed; of random graphs the kinds of failures,
  /// "random_graphs: FAIL ADD TENSOR_FLOAT32".
  std::map<std::string, Test> tests;
  /// How long each suite took, in seconds; nothing where nobody knows.
  std::map<std::string, double> seconds;
};

/// Reads a report.json (docs/report.schema.json), and the timing.json beside it, if there is one.
/// Fails with NotFound when the report cannot be read, InvalidArgument when it is no report, or of
/// another format, or the timing is none. Errors name the file.
absl::StatusOr<ReportedRun> ReadReportedRun(const std::string& path);

/// The same of texts, of which that of the timing may be empty; `name` is what errors call the
/// report.
absl::StatusOr<ReportedRun> ParseReportedRun(const std::string& report, const std::string& timing,
                                             const std::string& name);

/// A test whose verdict is not what it was.
struct ChangedTest {
  std::string name;
  Verdict before = Verdict::MISSING;
  Verdict after = Verdict::MISSING;
  /// What is wrong now, in a line; empty for nothing.
  std::string detail;
};

/// A suite that takes longer, or less long, in seconds.
struct ChangedTime {
  std::string suite;
  double before = 0;
  double after = 0;
};

/// What has changed. All by name.
struct Comparison {
  /// Tests that fail and did not, or were not there; that failed and do not; that fail as before,
  /// if by another verdict; of which neither is so, and that have another verdict.
  std::vector<ChangedTest> failing_now;
  std::vector<ChangedTest> mended;
  std::vector<ChangedTest> still_failing;
  std::vector<ChangedTest> otherwise_changed;
  /// Tests that only one of the two runs has and that do not fail.
  std::vector<std::string> gone;
  std::vector<std::string> added;
  /// Suites that take half as long again, and a second longer, than before.
  std::vector<ChangedTime> slower;
};

/// Compares two runs.
Comparison Compare(const ReportedRun& before, const ReportedRun& after);

/// What an engineer reads; lines end with newlines. Lists of more than 20 are cut, and say so.
std::string DescribeComparison(const ReportedRun& before, const ReportedRun& after,
                               const Comparison& comparison);

/// {"failingNow": [{"test", "before", "after", "detail"}], "mended", "stillFailing",
/// "otherwiseChanged": likewise, "gone": [name], "added": [name], "slower": [{"suite", "before",
/// "after"}]}, indented.
std::string ComparisonToJson(const Comparison& comparison);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_COMPARISON_H_
