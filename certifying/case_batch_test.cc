// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/case_batch.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "cases/case_file.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/testing/fake_device.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr TestMode kBothModes[] = {TestMode::kStatic, TestMode::kDynamic};

LoadedCase Named(const std::string& name) {
  LoadedCase loaded;
  loaded.test_case = AddCase();
  loaded.test_case.name = name;
  loaded.test_case.dynamicOutputShapeName = absl::StrCat(name, "_dynamic_output_shape");
  loaded.source_path = absl::StrCat(name, ".mod.py");
  return loaded;
}

std::vector<std::string> NamesOf(const std::vector<CaseInMode>& cases) {
  std::vector<std::string> names;
  for (const CaseInMode& entry : cases) {
    names.push_back(NameInMode(entry.loaded->test_case, entry.mode));
  }
  return names;
}

// Workers on one fake device.
class FakeWorkers {
 public:
  explicit FakeWorkers(size_t count, Lies lies = {})
      : session_(DriverSession::FromDevice(MakeFakeDevice(std::move(lies)), "fake").value()),
        workers_(WorkersInProcess(*session_, count).value()) {}

  const std::vector<std::unique_ptr<CaseWorker>>& get() const { return workers_; }

 private:
  const std::unique_ptr<DriverSession> session_;
  const std::vector<std::unique_ptr<CaseWorker>> workers_;
};

TEST(SelectCasesTest, TakesEveryCaseInEveryMode) {
  const std::vector<LoadedCase> cases = {Named("one"), Named("two")};
  const auto selected = SelectCases(cases, kBothModes, "");
  ASSERT_TRUE(selected.ok()) << selected.status();
  EXPECT_THAT(NamesOf(*selected),
              ElementsAre("one", "one_dynamic_output_shape", "two", "two_dynamic_output_shape"));
  const auto dynamic = SelectCases(cases, {TestMode::kDynamic}, "");
  ASSERT_TRUE(dynamic.ok());
  EXPECT_THAT(NamesOf(*dynamic),
              ElementsAre("one_dynamic_output_shape", "two_dynamic_output_shape"));
}

TEST(SelectCasesTest, LeavesOutModesWithoutAName) {
  std::vector<LoadedCase> cases = {Named("one")};
  cases[0].test_case.dynamicOutputShapeName = "";
  const auto selected = SelectCases(cases, kBothModes, "");
  ASSERT_TRUE(selected.ok());
  EXPECT_THAT(NamesOf(*selected), ElementsAre("one"));
}

TEST(SelectCasesTest, TheFilterMatchesAnywhereInTheName) {
  const std::vector<LoadedCase> cases = {Named("conv_nhwc"), Named("conv_nchw"), Named("add")};
  auto selected = SelectCases(cases, {TestMode::kStatic}, "_n(hwc|chw)$");
  ASSERT_TRUE(selected.ok());
  EXPECT_THAT(NamesOf(*selected), ElementsAre("conv_nhwc", "conv_nchw"));
  selected = SelectCases(cases, {TestMode::kStatic}, "^add$|nchw");
  ASSERT_TRUE(selected.ok());
  EXPECT_THAT(NamesOf(*selected), ElementsAre("conv_nchw", "add"));
}

TEST(SelectCasesTest, AWrongFilterIsAnError) {
  const absl::Status status = SelectCases({}, kBothModes, "conv(").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_NE(status.message().find("'conv('"), status.message().npos) << status;
}

// The names of the results; "" where there is none.
std::vector<std::string> NamesOf(const std::vector<std::optional<CaseResult>>& results) {
  std::vector<std::string> names;
  for (const auto& result : results) names.push_back(result.has_value() ? result->name : "");
  return names;
}

// Cases "case_0" and so on, in static mode.
struct ManyCases {
  explicit ManyCases(size_t count) {
    for (size_t i = 0; i < count; ++i) loaded.push_back(Named(absl::StrCat("case_", i)));
    cases = SelectCases(loaded, {TestMode::kStatic}, "").value();
  }

  std::vector<LoadedCase> loaded;
  std::vector<CaseInMode> cases;
};

void Ignore(const CaseResult& /*result*/) {}

TEST(RunCasesTest, ResultsAreInTheOrderOfTheCasesWhateverTheNumberOfWorkers) {
  const std::vector<LoadedCase> cases = {Named("one"), Named("two"), Named("three")};
  const auto selected = SelectCases(cases, kBothModes, "");
  ASSERT_TRUE(selected.ok());
  for (const size_t count : {1, 2, 8}) {
    const FakeWorkers workers(count);
    size_t reported = 0;
    const auto results = RunCases(workers.get(), *selected, {}, [&](const CaseResult& result) {
      ++reported;
      EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
    });
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(reported, 6u);
    EXPECT_EQ(NamesOf(results->results), NamesOf(*selected));
  }
}

TEST(RunCasesTest, ResultsSayWhichSpecTheyAreVariationsOf) {
  std::vector<LoadedCase> cases = {Named("conv_2"), Named("systematic_add_1")};
  cases[0].source_path = "specs/V1_2/conv.mod.py";
  cases[1].source_path = "systematic/V1_2.case";
  const auto selected = SelectCases(cases, {TestMode::kStatic}, "");
  ASSERT_TRUE(selected.ok());
  const auto results = RunCases(FakeWorkers(1).get(), *selected, {}, Ignore);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->results[0]->spec, "conv");
  EXPECT_EQ(results->results[1]->spec, "");
}

TEST(RunCasesTest, FailuresAreDumpedAndNameTheirSource) {
  Lies lies;
  lies.execution = [](FakeExecution& execution) {
    execution.Output(0)[0] ^= 0x40;
    execution.Output(0)[3] ^= 0x40;
  };
  const FakeWorkers workers(1, std::move(lies));
  const std::vector<LoadedCase> cases = {Named("wrong"), Named("wrong")};
  const auto selected = SelectCases(cases, {TestMode::kStatic}, "");
  ASSERT_TRUE(selected.ok());
  BatchOptions options;
  options.run.dump_directory = absl::StrCat(::testing::TempDir(), "/case_batch_dump");
  const auto results = RunCases(workers.get(), *selected, options, Ignore);
  ASSERT_TRUE(results.ok()) << results.status();
  // The same name twice gives two dumps.
  const std::string folder = options.run.dump_directory;
  EXPECT_EQ(results->results[0]->verdict, Verdict::FAIL);
  EXPECT_TRUE(std::filesystem::exists(absl::StrCat(folder, "/wrong.case")));
  EXPECT_TRUE(std::filesystem::exists(absl::StrCat(folder, "/2/wrong.case")));
}

TEST(RunCasesTest, BeginsNothingMoreWhenItIsToStop) {
  const ManyCases many(5);
  const FakeWorkers workers(1);
  BatchOptions options;
  size_t reported = 0;
  options.should_stop = [&] { return reported == 2; };
  const auto results = RunCases(workers.get(), many.cases, options,
                                [&](const CaseResult& /*result*/) { ++reported; });
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT(NamesOf(results->results), ElementsAre("case_0", "case_1", "", "", ""));
}

TEST(RunCasesTest, TakesResultsOfAnEarlierRunAsTheyAre) {
  const ManyCases many(4);
  Lies lies;
  std::atomic<int> prepared = 0;
  lies.model = [&](const hal::V1_2::Model& /*model*/) { ++prepared; };
  const FakeWorkers workers(2, std::move(lies));
  BatchOptions options;
  for (const size_t index : {2, 0}) {
    CaseResult result;
    result.name = absl::StrCat("earlier_", index);
    result.verdict = Verdict::FAIL;
    options.done.results.push_back({index, result});
  }
  std::vector<std::string> reported;
  const auto results = RunCases(workers.get(), many.cases, options,
                                [&](const CaseResult& result) { reported.push_back(result.name); });
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT(NamesOf(results->results), ElementsAre("earlier_0", "case_1", "earlier_2", "case_3"));
  EXPECT_EQ(prepared, 2);
  ASSERT_EQ(reported.size(), 4u);
  EXPECT_EQ(reported[0], "earlier_2");
  EXPECT_EQ(reported[1], "earlier_0");
}

TEST(RunCasesTest, ResultsAreInTheJournalBeforeTheNextCaseBegins) {
  const ManyCases many(3);
  const std::string path = absl::StrCat(::testing::TempDir(), "/case_batch_journal");
  RunIdentity run;
  run.case_count = many.cases.size();
  const auto journal = Journal::Create(path, run);
  ASSERT_TRUE(journal.ok()) << journal.status();
  const FakeWorkers workers(1);
  BatchOptions options;
  options.journal = journal->get();
  std::vector<uintmax_t> sizes;
  options.should_stop = [&] {
    sizes.push_back(std::filesystem::file_size(path));
    return false;
  };
  ASSERT_TRUE(RunCases(workers.get(), many.cases, options, Ignore).ok());
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_LT(sizes[0], sizes[1]);
  EXPECT_LT(sizes[1], sizes[2]);
  EXPECT_LT(sizes[2], std::filesystem::file_size(path));
}

// Loses its process in each case whose name ends in 1, and between cases after each one whose name
// ends in 2.
class LosingWorker : public CaseWorker {
 public:
  CaseResult RunTask(const DriverTask& task) override {
    CaseResult result = task.blank;
    const char last = result.name.back();
    result.verdict = last == '1' ? Verdict::CRASH : Verdict::PASS;
    if (last == '1') Lose();
    is_lost_ = last == '2';
    return result;
  }

  bool HasNews() override {
    // The loss between cases is not noticed at once.
    if (is_lost_ && looks_++ > 0) {
      report_.findings.push_back("after a case: lost");
      Lose();
      is_lost_ = false;
      looks_ = 0;
    }
    return report_.restarts > 0;
  }

  WorkerReport TakeReport() override {
    HasNews();
    report_.peak_memory = 100;
    return std::exchange(report_, {});
  }

 private:
  void Lose() {
    ++report_.restarts;
    report_.cpu_time += absl::Seconds(1);
  }

  bool is_lost_ = false;
  int looks_ = 0;
  WorkerReport report_;
};

// Loses its driver for good after some cases.
class LostWorker : public CaseWorker {
 public:
  explicit LostWorker(int cases) : left_(cases) {}

  CaseResult RunTask(const DriverTask& task) override {
    CaseResult result = task.blank;
    result.verdict = left_-- > 0 ? Verdict::PASS : Verdict::CRASH;
    return result;
  }

  std::string WhyLost() const override { return left_ < 0 ? "it has gone" : ""; }

 private:
  int left_;
};

TEST(RunCasesTest, WithoutADriverNoCaseHasAResult) {
  const ManyCases many(30);
  for (const size_t count : {1, 2}) {
    std::vector<std::unique_ptr<CaseWorker>> workers;
    for (size_t i = 0; i < count; ++i) workers.push_back(std::make_unique<LostWorker>(5));
    size_t reported = 0;
    const auto batch = RunCases(workers, many.cases, {}, [&](const CaseResult& result) {
      EXPECT_EQ(result.verdict, Verdict::PASS);
      ++reported;
    });
    ASSERT_TRUE(batch.ok()) << batch.status();
    EXPECT_EQ(batch->lost, "it has gone");
    EXPECT_GE(reported, 5u);
    EXPECT_LE(reported, 5 * count);
    EXPECT_EQ(std::count_if(batch->results.begin(), batch->results.end(),
                            [](const auto& result) { return result.has_value(); }),
              reported);
  }
}

TEST(RunCasesTest, WhatTheProcessesWentThroughIsResumedAsWell) {
  const ManyCases many(30);
  const std::string path = absl::StrCat(::testing::TempDir(), "/case_batch_processes");
  RunIdentity run;
  run.case_count = many.cases.size();
  // Interrupted after any number of cases, also between the loss and the time it is noticed.
  for (size_t stop = 0; stop <= many.cases.size(); ++stop) {
    {
      const auto journal = Journal::Create(path, run);
      ASSERT_TRUE(journal.ok()) << journal.status();
      BatchOptions options;
      options.journal = journal->get();
      std::vector<std::unique_ptr<CaseWorker>> workers;
      workers.push_back(std::make_unique<LosingWorker>());
      size_t reported = 0;
      options.should_stop = [&] { return reported == stop; };
      const auto batch =
          RunCases(workers, many.cases, options, [&](const CaseResult& /*result*/) { ++reported; });
      ASSERT_TRUE(batch.ok()) << batch.status();
      ASSERT_EQ(reported, stop);
    }
    BatchOptions options;
    const auto journal = Journal::Resume(path, run, options.done);
    ASSERT_TRUE(journal.ok()) << journal.status();
    options.journal = journal->get();
    std::vector<std::unique_ptr<CaseWorker>> workers;
    workers.push_back(std::make_unique<LosingWorker>());
    workers.push_back(std::make_unique<LosingWorker>());
    size_t crashes = 0;
    const auto batch = RunCases(workers, many.cases, options, [&](const CaseResult& result) {
      crashes += result.verdict == Verdict::CRASH;
    });
    ASSERT_TRUE(batch.ok()) << batch.status();
    // case_1, case_11, case_21.
    EXPECT_EQ(crashes, 3u);
    // case_2, case_12, case_22.
    EXPECT_EQ(batch->processes.findings.size(), 3u) << stop;
    EXPECT_EQ(batch->processes.restarts, 6) << stop;
    EXPECT_EQ(batch->processes.cpu_time, absl::Seconds(6)) << stop;
    EXPECT_EQ(batch->processes.peak_memory, 100u);
  }
}

TEST(RunCasesTest, TheFileOfACaseIsThereWhileItRuns) {
  const ManyCases many(3);
  const std::string folder = absl::StrCat(::testing::TempDir(), "/case_batch_running");
  std::vector<std::string> running;
  Lies lies;
  lies.model = [&](const hal::V1_2::Model& /*model*/) {
    const auto cases = ReadCaseFile(absl::StrCat(folder, "/worker_0.case"));
    EXPECT_TRUE(cases.ok()) << cases.status();
    if (cases.ok()) running.push_back(cases->front().name);
  };
  const FakeWorkers workers(1, std::move(lies));
  BatchOptions options;
  options.running_directory = folder;
  ASSERT_TRUE(RunCases(workers.get(), many.cases, options, Ignore).ok());
  EXPECT_THAT(running, ElementsAre("case_0", "case_1", "case_2"));
  EXPECT_FALSE(std::filesystem::exists(folder));
  options.running_directory = "/proc/no_such_folder";
  EXPECT_THAT(RunCases(workers.get(), many.cases, options, Ignore).status().ToString(),
              HasSubstr("/proc/no_such_folder"));
}

TEST(RunCasesTest, NoCaseLeftIsNoError) {
  const ManyCases many(1);
  const FakeWorkers workers(2);
  BatchOptions options;
  options.done.results = {{0, CaseResult()}};
  const auto results = RunCases(workers.get(), many.cases, options, Ignore);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->results.size(), 1u);
  EXPECT_TRUE(RunCases(workers.get(), {}, {}, Ignore).ok());
}

TEST(DigestCasesTest, TellsCasesModesAndTheirOrderApart) {
  const ManyCases many(2);
  const auto digest = [](const std::vector<CaseInMode>& cases) {
    const absl::StatusOr<uint64_t> value = DigestCases(cases);
    EXPECT_TRUE(value.ok()) << value.status();
    return value.ok() ? *value : 0;
  };
  const uint64_t both = digest(many.cases);
  EXPECT_EQ(digest(many.cases), both);
  EXPECT_EQ(digest(ManyCases(2).cases), both);
  EXPECT_NE(digest({many.cases[1], many.cases[0]}), both);
  EXPECT_NE(digest({many.cases[0]}), both);
  std::vector<CaseInMode> changed = many.cases;
  changed[1].mode = TestMode::kDynamic;
  EXPECT_NE(digest(changed), both);
  LoadedCase other = many.loaded[1];
  other.test_case.examples[0].outputs[0].data.back() ^= 1;
  changed = {many.cases[0], {&other, TestMode::kStatic}};
  EXPECT_NE(digest(changed), both);
}

}  // namespace
}  // namespace nncert
