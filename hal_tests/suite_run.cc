// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suite_run.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "certifying/name_filter.h"
#include "hal/deadline.h"
#include "system/escape.h"
#include "system/processor.h"
#include "system/program.h"
#include "system/threads.h"

namespace nncert {
namespace {

// After so many losses of the driver in one test, the rest of the test is left out.
constexpr int kMostLosses = 3;

// Operations that a failure names one by one.
constexpr size_t kNamedOperations = 8;

CaseResult BlankResult(const SuiteTest& test) {
  CaseResult result;
  result.name = test.name();
  result.operation = test.operation();
  return result;
}

// What a test comes to once waivers have been asked.
Verdict WaivedVerdict(const SuiteTest& test, const TestRecord& record, RunWaivers* waivers) {
  const Verdict verdict = record.verdict();
  const bool has_failed = FailsSuite(verdict);
  if (waivers == nullptr || (!has_failed && verdict != Verdict::PASS)) return verdict;
  return waivers->Find(test.full_name(), has_failed) == nullptr ? verdict : Verdict::WAIVED;
}

// Of each check the tests that it failed in, by their operations.
using FailedTests = std::map<std::string_view, std::map<std::string, uint64_t>>;

// Adds what a test came to, by its place.
void Add(size_t place, const SuiteTest& test, const TestRecord& record, RunWaivers* waivers,
         SuiteResult& result, FailedTests& failed_tests) {
  ++result.run;
  const Verdict verdict = WaivedVerdict(test, record, waivers);
  result.results[place].verdict = verdict;
  ++result.counts[verdict];
  for (const auto& [check, count] : record.counts) result.checks[check] += count;
  if (verdict == Verdict::WAIVED) return;
  for (const CheckFailure& failure : record.failures) {
    const auto [found, is_new] = result.failures.try_emplace(failure.check);
    // The first by its place, whichever worker comes first.
    if (is_new || place < found->second.place) {
      found->second.place = place;
      CaseResult& first = found->second.first;
      first = BlankResult(test);
      first.name = test.full_name();
      first.verdict = failure.verdict;
      first.detail = failure.detail;
    }
  }
  // A record does not keep every failure, so one of a check may be known from another test alone,
  // which comes later.
  for (const auto& [check, count] : record.counts) {
    if (count.failed > 0) ++failed_tests[check][test.operation()];
  }
}

// The name of a check as the suite has it; nothing when it has none of that name. What befalls a
// driver between two checks is a failure of none.
std::optional<std::string_view> CheckOf(const Suite& suite, const std::string& name) {
  if (name.empty()) return "";
  for (const Check& check : suite.checks()) {
    if (check.name == name) return check.name;
  }
  return std::nullopt;
}

// The record of an entry; nothing when it is of no test of the suite, which is then run.
std::optional<TestRecord> RecordOf(const Suite& suite, const JournalTest& entry) {
  TestRecord record;
  record.left_out = entry.left_out;
  for (const JournalCheck& check : entry.checks) {
    const std::optional<std::string_view> name = CheckOf(suite, check.name);
    if (!name.has_value()) return std::nullopt;
    record.counts[*name] = {check.passed, check.failed, check.skipped, check.unsupported};
  }
  for (const JournalFailure& failure : entry.failures) {
    const std::optional<std::string_view> name = CheckOf(suite, failure.check);
    if (!name.has_value()) return std::nullopt;
    record.failures.push_back({*name, failure.verdict, failure.detail});
  }
  return record;
}

uint64_t TestsOf(const FailedCheck& failed) {
  uint64_t tests = 0;
  for (const auto& [operation, count] : failed.tests) tests += count;
  return tests;
}

// "ADD, MUL and 3 other operations".
std::string OperationsOf(const FailedCheck& failed) {
  std::vector<std::string> names;
  for (const auto& [operation, count] : failed.tests) {
    if (names.size() < kNamedOperations && !operation.empty()) names.push_back(operation);
  }
  const size_t others = failed.tests.size() - std::min(failed.tests.size(), names.size());
  return absl::StrCat(absl::StrJoin(names, ", "),
                      others == 0 ? "" : absl::StrCat(" and ", others, " more"));
}

// The command that runs the test of a failure again.
std::string ReproduceLine(std::string_view command, const CaseResult& failure) {
  return absl::StrCat(std::string(command), " --filter ",
                      QuoteForShell(NameFilter::ExpressionOf(failure.name)));
}

std::string ToJson(const SuiteResult& result, std::string_view command) {
  std::vector<std::string> checks;
  for (const auto& [name, count] : result.checks) {
    checks.push_back(absl::StrCat("\n    {\"name\": \"", EscapeJson(std::string(name)),
                                  "\", \"passed\": ", count.passed, ", \"failed\": ", count.failed,
                                  ", \"skipped\": ", count.skipped,
                                  ", \"unsupported\": ", count.unsupported, "}"));
  }
  std::vector<std::string> failures;
  for (const auto& [name, failed] : result.failures) {
    failures.push_back(absl::StrCat(
        "\n    {\"check\": \"", EscapeJson(std::string(name)), "\", \"tests\": ", TestsOf(failed),
        ", \"operations\": \"", EscapeJson(OperationsOf(failed)), "\", \"verdict\": \"",
        std::string(toString(failed.first.verdict)), "\", \"test\": \"",
        EscapeJson(failed.first.name), "\", \"detail\": \"", EscapeJson(failed.first.detail),
        "\", \"reproduce\": \"", EscapeJson(ReproduceLine(command, failed.first)), "\"}"));
  }
  return absl::StrCat("{\n  \"checks\": [", absl::StrJoin(checks, ","), "\n  ],\n  \"failures\": [",
                      absl::StrJoin(failures, ","), failures.empty() ? "" : "\n  ", "]\n}\n");
}

}  // namespace

TestRecord RunTest(CaseWorker& worker, const SuiteTest& test, absl::Duration deadline) {
  TestRecord record;
  std::optional<CheckFailure> lost;
  DriverTask task;
  task.blank = BlankResult(test);
  task.full_name = test.full_name();
  task.run = [&](DriverSession& session) {
    lost = test.Run(session, deadline, record);
    CaseResult result = task.blank;
    result.verdict = lost.has_value() ? lost->verdict : Verdict::PASS;
    result.detail = lost.has_value() ? lost->detail : "";
    return result;
  };
  for (int losses = 0;;) {
    lost.reset();
    const CaseResult result = worker.RunTask(task);
    if (!EndsSession(result.verdict)) return record;
    // Without a loss of its own the test has not been run at all.
    const bool has_run = lost.has_value();
    if (record.search != nullptr) {
      if (has_run) continue;
      record.AddFailure(record.search->failure);
      record.search = nullptr;
    }
    record.AddFailure(has_run ? *lost : CheckFailure{"", result.verdict, result.detail});
    ++record.next;
    if (has_run && ++losses < kMostLosses) continue;
    record.left_out = test.steps() - std::min(test.steps(), record.next);
    return record;
  }
}

JournalTest EntryOf(uint64_t index, const TestRecord& record) {
  JournalTest entry = {.index = index, .left_out = record.left_out};
  for (const auto& [check, count] : record.counts) {
    entry.checks.push_back(
        {std::string(check), count.passed, count.failed, count.skipped, count.unsupported});
  }
  for (const CheckFailure& failure : record.failures) {
    entry.failures.push_back({std::string(failure.check), failure.verdict, failure.detail});
  }
  return entry;
}

ListedSuite ListTests(const Suite& suite, absl::Span<const std::unique_ptr<SuiteTest>> tests) {
  ListedSuite listed = {.name = std::string(suite.name), .count = tests.size(), .content = "-"};
  for (const std::unique_ptr<SuiteTest>& test : tests) listed.tests.push_back(test->full_name());
  return listed;
}

SuiteResult RunSuite(absl::Span<const std::unique_ptr<CaseWorker>> workers, const Suite& suite,
                     absl::Span<const std::unique_ptr<SuiteTest>> tests,
                     const SuiteRunOptions& options) {
  const absl::Duration start = hal::SteadyClock::System().Now();
  SuiteResult result;
  result.suite = &suite;
  for (const Check& check : suite.checks()) result.checks[check.name];
  for (const std::unique_ptr<SuiteTest>& test : tests)
    result.results.push_back({test->full_name()});
  FailedTests failed_tests;
  std::vector<bool> is_done(tests.size());
  for (const JournalTest& entry : options.done) {
    if (entry.index < options.first_place) continue;
    const uint64_t place = entry.index - options.first_place;
    if (place >= tests.size() || is_done[place]) continue;
    const std::optional<TestRecord> record = RecordOf(suite, entry);
    if (!record.has_value()) continue;
    is_done[place] = true;
    Add(place, *tests[place], *record, options.waivers, result, failed_tests);
  }
  std::vector<size_t> left;
  for (size_t i = 0; i < tests.size(); ++i) {
    if (!is_done[i] && (options.takes == nullptr || options.takes(i))) left.push_back(i);
  }
  result.planned = result.run + left.size();
  std::atomic<size_t> next = 0;
  std::atomic<bool> is_lost = false;
  absl::Mutex mutex;  // of result and failed_tests
  const auto work = [&](CaseWorker& worker) {
    const OnProcessor scope(worker.processor());
    for (size_t k = next++; k < left.size() && !is_lost; k = next++) {
      const size_t i = left[k];
      if (options.should_stop != nullptr && options.should_stop()) break;
      const TestRecord record = RunTest(worker, *tests[i], options.deadline);
      const absl::MutexLock lock(&mutex);
      if (const std::string lost = worker.WhyLost(); !lost.empty()) {
        if (!is_lost.exchange(true)) result.lost = lost;
        break;
      }
      WorkerReport news;
      if (worker.HasNews()) news = worker.TakeReport();
      Add(news, result.processes);
      Add(i, *tests[i], record, options.waivers, result, failed_tests);
      if (options.journal == nullptr) continue;
      result.written.Update(
          options.journal->Append(EntryOf(options.first_place + i, record), news));
      if (!result.written.ok()) break;
    }
    worker.Settle();
    const absl::MutexLock lock(&mutex);
    const WorkerReport last = worker.TakeReport();
    Add(last, result.processes);
    if (options.journal != nullptr) result.written.Update(options.journal->Append(last));
  };
  RunOnThreads(workers.size(), [&](size_t number) { work(*workers[number]); });
  for (auto& [check, failed] : result.failures) failed.tests = std::move(failed_tests[check]);
  result.duration = hal::SteadyClock::System().Now() - start;
  return result;
}

SuiteSection SectionOf(const SuiteResult& result, std::string_view command) {
  const Suite& suite = *result.suite;
  SuiteSection section;
  section.name = std::string(suite.name);
  section.suite = std::string(suite.junit);
  section.member = std::string(suite.member);
  section.test = std::string(suite.test);
  section.tests = std::string(suite.tests);
  section.json = ToJson(result, command);
  section.planned = result.planned;
  section.run = result.run;
  section.duration = result.duration;
  section.counts = result.counts;
  section.results = result.results;
  CheckCount total;
  for (const auto& [check, count] : result.checks) total += count;
  section.summary = absl::StrFormat(
      "%-16s %5d tests of %2d checks, %5.1f s; %6d passed, %d failed, %d were legal after all, %d "
      "not supported\n",
      section.name, result.run, result.checks.size(), absl::ToDoubleSeconds(result.duration),
      total.passed, total.failed, total.skipped, total.unsupported);
  for (const auto& [verdict, count] : result.counts) {
    if (IsFailure(verdict) || verdict == Verdict::VACUOUS) section.failed += count;
  }
  for (const auto& [check, failed] : result.failures) {
    const CaseResult& first = failed.first;
    absl::StrAppend(&section.summary, "  ", std::string(toString(first.verdict)), " in ",
                    TestsOf(failed), TestsOf(failed) == 1 ? " test, of " : " tests, of ",
                    OperationsOf(failed), ": ", first.name, ": ", FirstLine(first.detail), "\n    ",
                    ReproduceLine(command, first), "\n");
    section.failures.push_back({.first = first, .tests = TestsOf(failed)});
    absl::StrAppend(&section.failures.back().first.detail, "\n  ", ReproduceLine(command, first));
  }
  return section;
}

}  // namespace nncert
