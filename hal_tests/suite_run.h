// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs suites on a driver, whatever becomes of it.

#ifndef NNCERT_HAL_TESTS_SUITE_RUN_H_
#define NNCERT_HAL_TESTS_SUITE_RUN_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/outcome/suite_section.h"
#include "certifying/outcome/waivers.h"
#include "certifying/submission/must_pass_list.h"
#include "hal_tests/check.h"
#include "harness/case_worker.h"
#include "harness/records/case_result.h"
#include "harness/records/journal.h"
#include "harness/records/verdict.h"
#include "harness/records/worker_report.h"

namespace nncert {

/// Runs a test. A step that the driver does not survive is a failure of its check, and the test
/// goes on with the next one, on a new process; a driver that was lost three times is left alone.
TestRecord RunTest(CaseWorker& worker, const SuiteTest& test, absl::Duration deadline);

/// What a test came to as a journal has it, the test at this place of the run.
JournalTest EntryOf(uint64_t index, const TestRecord& record);

/// The tests of a suite as a must-pass list has them.
ListedSuite ListTests(const Suite& suite, absl::Span<const std::unique_ptr<SuiteTest>> tests);

/// How a suite is to be run.
struct SuiteRunOptions {
  /// How long the driver may take for one call, and from a launch until its callback.
  absl::Duration deadline = kDefaultDeadline;
  /// Whether no further test is to be begun; asked by several threads. Null for never.
  std::function<bool()> should_stop = nullptr;
  /// Whether the test at this place is to be run at all; null for all. A shard runs some.
  std::function<bool(size_t)> takes = nullptr;
  /// Takes each result before its worker goes on, under the place of the test and `first_place`;
  /// null for none. Not owned.
  Journal* journal = nullptr;
  uint64_t first_place = 0;
  /// What an earlier run has come to, in the same places, which is taken as it is. Not owned.
  absl::Span<const JournalTest> done = {};
  /// What waives failures of tests; null for nothing. Not owned.
  RunWaivers* waivers = nullptr;
};

/// The failures of one check.
struct FailedCheck {
  /// The first one's place, test, verdict and detail.
  size_t place = 0;
  CaseResult first;
  /// In how many tests the check failed, by the operations of these.
  std::map<std::string, uint64_t> tests;
};

/// What a suite came to.
struct SuiteResult {
  const Suite* suite = nullptr;
  uint64_t planned = 0;
  uint64_t run = 0;
  /// Tests by verdict.
  std::map<Verdict, uint64_t> counts;
  /// How often each check was made; every check of the suite is there.
  std::map<std::string_view, CheckCount> checks;
  /// What each test came to, in their order.
  std::vector<TestVerdict> results;
  /// The checks that failed, in the order of the suite.
  std::map<std::string_view, FailedCheck> failures;
  WorkerReport processes;
  /// What became of writing to the journal.
  absl::Status written;
  /// Why the driver is gone for good; empty while it can be called.
  std::string lost;
  absl::Duration duration;
};

/// Runs all tests of a suite, by as many threads as there are workers.
SuiteResult RunSuite(absl::Span<const std::unique_ptr<CaseWorker>> workers, const Suite& suite,
                     absl::Span<const std::unique_ptr<SuiteTest>> tests,
                     const SuiteRunOptions& options);

/// The result as a section of a report: {"checks": [{"name", "passed", "failed", "skipped",
/// "unsupported"}], "failures": [{"check", "tests", "operations", "verdict", "test", "detail",
/// "reproduce"}]}. `command` runs the suite again: with a --filter for the test behind it, it is
/// said of each failure.
SuiteSection SectionOf(const SuiteResult& result, std::string_view command);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_SUITE_RUN_H_
