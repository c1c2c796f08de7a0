// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "drivers/faulty/faulty_driver.h"
#include "harness/records/journal.h"
#include "harness/testing/fake_device.h"
#include "random_graph/campaign_report.h"
#include "random_graph/graph_plan.h"
#include "reference/driver/driver.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A campaign on a driver in this process.
CampaignResult RunOn(std::shared_ptr<hal::V1_0::IDevice> device, const CampaignOptions& options,
                     size_t jobs = 1) {
  const auto session = DriverSession::FromDevice(std::move(device), "driver");
  EXPECT_TRUE(session.ok()) << session.status();
  const auto workers = WorkersInProcess(**session, jobs);
  EXPECT_TRUE(workers.ok()) << workers.status();
  absl::StatusOr<CampaignResult> result = RunCampaign(*workers, options);
  EXPECT_TRUE(result.ok()) << result.status();
  return *std::move(result);
}

CampaignOptions Of(uint64_t graphs) {
  CampaignOptions options;
  options.seed = 7;
  options.graphs = graphs;
  return options;
}

TEST(CampaignTest, FindsNothingWrongWithTheReference) {
  const CampaignResult result = RunOn(MakeReferenceDriver(), Of(3000), /*jobs=*/2);
  EXPECT_EQ(result.graphs, 3000);
  EXPECT_THAT(result.failures, IsEmpty());
  for (const Finding& finding : result.findings) {
    EXPECT_EQ(finding.kind, FindingKind::UNDIVIDED) << finding;
  }
  EXPECT_FALSE(result.is_interrupted);
  EXPECT_EQ(result.counts.count(Verdict::UNSUPPORTED), 0);
  EXPECT_EQ(result.counts.count(Verdict::VACUOUS), 0);
}

// Every failure is made as small as one operation, the one that errs.
TEST(CampaignTest, NamesTheOperationAndMakesItSmall) {
  const auto driver = faulty::MakeFaultyDriver("bias_dropped@operation=CONV_2D");
  ASSERT_TRUE(driver.ok()) << driver.status();
  const CampaignResult result = RunOn(*driver, Of(1500));
  ASSERT_THAT(result.failures, Not(IsEmpty()));
  EXPECT_THAT(result.failures, Each(Field(&GraphFailure::operation, "CONV_2D")));
  for (const GraphFailure& failure : result.failures) {
    EXPECT_EQ(failure.smallest.model.operations.size(), 1) << failure.result.detail;
  }
  EXPECT_THAT(Summarize(result),
              AllOf(HasSubstr("FAIL CONV_2D TENSOR_FLOAT32: "), HasSubstr("1 operation\n")));
  EXPECT_THAT(CampaignToJson(result),
              AllOf(HasSubstr("{\n  \"graphs\": 1500,\n  \"counts\": {\"PASS\": "),
                    HasSubstr("{\"operation\": \"CONV_2D\", \"type\": \"TENSOR_FLOAT32\", "
                              "\"verdict\": \"FAIL\", \"count\": ")));
}

TEST(CampaignTest, ComesToTheSameForTheSameSeed) {
  std::vector<std::vector<uint64_t>> numbers;
  for (int i = 0; i < 2; ++i) {
    const auto driver = faulty::MakeFaultyDriver("first_element@operation=MUL");
    ASSERT_TRUE(driver.ok()) << driver.status();
    const CampaignResult result = RunOn(*driver, Of(1500));
    numbers.emplace_back();
    for (const GraphFailure& failure : result.failures) {
      EXPECT_EQ(failure.operation, "MUL");
      numbers.back().push_back(failure.number.value());
      numbers.back().push_back(failure.count);
    }
  }
  EXPECT_THAT(numbers[0], Not(IsEmpty()));
  EXPECT_EQ(numbers[0], numbers[1]);
}

TEST(CampaignTest, KeepsTheGraphsThatRunAsAFile) {
  CampaignOptions options = Of(20);
  options.running_directory = absl::StrCat(::testing::TempDir(), "/campaign_running");
  int kept = 0;
  Lies lies;
  lies.model = [&](const hal::V1_2::Model& model) {
    const auto cases = ReadCaseFile(absl::StrCat(options.running_directory, "/worker_0.case"));
    ASSERT_TRUE(cases.ok()) << cases.status();
    ASSERT_LE(cases->size(), 8);
    kept += absl::c_any_of(*cases, [&model](const TestCase& test_case) {
      return test_case.name.starts_with("random_7_") &&
             test_case.model.operations == model.operations;
    });
  };
  EXPECT_EQ(RunOn(MakeFakeDevice(std::move(lies)), options).graphs, 20);
  EXPECT_GE(kept, 20);
  EXPECT_FALSE(std::filesystem::exists(options.running_directory));
}

TEST(CampaignTest, FailsWhenTheGraphThatRunsCannotBeKept) {
  CampaignOptions options = Of(20);
  options.running_directory = "/proc/no_such_folder";
  const auto session = DriverSession::FromDevice(MakeReferenceDriver(), "driver");
  ASSERT_TRUE(session.ok()) << session.status();
  EXPECT_THAT(RunCampaign(*WorkersInProcess(**session, 1), options).status().message(),
              HasSubstr("cannot make the folder /proc/no_such_folder: "));
}

TEST(CampaignTest, StopsWhenItIsToldTo) {
  std::atomic<int> asked = 0;
  CampaignOptions options = Of(1000);
  options.should_stop = [&asked] { return ++asked > 10; };
  const CampaignResult result = RunOn(MakeReferenceDriver(), options);
  // It is asked before every few graphs.
  EXPECT_EQ(asked, 11);
  EXPECT_GE(result.graphs, 10);
  EXPECT_LE(result.graphs, 10 * 8);
  EXPECT_TRUE(result.is_interrupted);
  EXPECT_THAT(CampaignToJson(result), HasSubstr("\"interrupted\": true"));
}

TEST(CampaignTest, EndsWhenSomethingIsFound) {
  CampaignOptions options = Of(5000);
  options.ends_when_found = true;
  for (const char* fault : {"bias_dropped@operation=CONV_2D", "relative_error_1e_6@operations=1"}) {
    const auto driver = faulty::MakeFaultyDriver(fault);
    ASSERT_TRUE(driver.ok()) << driver.status();
    const CampaignResult result = RunOn(*driver, options);
    ASSERT_TRUE(result.first_found.has_value()) << fault;
    // Those that ran together with it are counted, too.
    EXPECT_GE(result.graphs, result.first_found->graphs);
    EXPECT_LT(result.graphs, result.first_found->graphs + 8);
    EXPECT_LT(result.graphs, options.graphs);
    EXPECT_TRUE(result.Failed(/*is_strict=*/true));
    EXPECT_FALSE(result.is_interrupted);
  }
  options.graphs = 200;
  const CampaignResult good = RunOn(MakeReferenceDriver(), options);
  EXPECT_EQ(good.graphs, 200);
  EXPECT_FALSE(good.first_found.has_value());
}

TEST(CampaignTest, RunsTheGraphsThatAreAskedFor) {
  CampaignOptions options = Of(5);
  options.first = 100;
  EXPECT_EQ(RunOn(MakeReferenceDriver(), options).graphs, 5);
  options.time = absl::ZeroDuration();
  EXPECT_EQ(RunOn(MakeReferenceDriver(), options).graphs, 0);
}

// What is left of an execution before shows when there is one.
TEST(CampaignTest, ExecutesGraphsOnSeveralExamples) {
  const auto driver = faulty::MakeFaultyDriver("stale_outputs");
  ASSERT_TRUE(driver.ok()) << driver.status();
  CampaignOptions options = Of(GraphPlan(7, hal::HalVersion::V1_2).cycle());
  options.reduction_time = absl::ZeroDuration();
  EXPECT_THAT(RunOn(*driver, options, /*jobs=*/2).failures, Not(IsEmpty()));
}

// NaN that is not carried on, in graphs with hostile elements alone.
TEST(CampaignTest, CountsHostileElementsByThemselves) {
  CampaignOptions options = Of(0);
  const GraphPlan plan(options.seed, hal::HalVersion::V1_2);
  while (!IsHostile(plan.WishesOf(options.first).elements)) options.first += plan.round();
  options.graphs = 200;
  const CampaignResult result = RunOn(MakeReferenceDriver(), options);
  EXPECT_THAT(result.failures, IsEmpty());
  EXPECT_THAT(result.hostile_counts, Not(IsEmpty()));
  EXPECT_EQ(result.hostile_counts, result.counts);
  for (const Finding& finding : result.findings) {
    EXPECT_NE(finding.kind, FindingKind::BIASED) << finding;
  }
  EXPECT_THAT(Summarize(result), HasSubstr("Of the graphs with hostile elements: "));
}

// Nobody has written down what NaN must come to; that a driver must not crash goes without saying.
TEST(CampaignTest, FailsADriverByHostileElementsWhenItIsStrict) {
  CampaignResult result;
  GraphFailure& failure = result.failures.emplace_back();
  failure.count = 3;
  EXPECT_TRUE(result.Failed(/*is_strict=*/false));
  failure.elements = "nan";
  EXPECT_FALSE(result.Failed(/*is_strict=*/false));
  EXPECT_TRUE(result.Failed(/*is_strict=*/true));
  EXPECT_EQ(SectionOf(result, 1, 10, /*is_strict=*/false).failed, 0);
  EXPECT_EQ(SectionOf(result, 1, 10, /*is_strict=*/true).failed, 3);
  failure.verdict = Verdict::CRASH;
  EXPECT_TRUE(result.Failed(/*is_strict=*/false));
}

// In two halves, the first of which ended in the middle: the same as in one.
TEST(CampaignTest, GoesOnWhereItStopped) {
  const auto driver = faulty::MakeFaultyDriver("last_element@operation=FLOOR");
  ASSERT_TRUE(driver.ok()) << driver.status();
  const std::string path = ::testing::TempDir() + "/goes_on_where_it_stopped.journal";
  RunIdentity run;
  run.case_count = UINT64_MAX;
  constexpr uint64_t kGraphs = 1400;
  const CampaignResult whole = RunOn(*driver, Of(kGraphs));
  CampaignOptions options = Of(kGraphs);
  std::atomic<int> asked = 0;
  {
    const auto journal = Journal::Create(path, run);
    ASSERT_TRUE(journal.ok()) << journal.status();
    options.journal = journal->get();
    options.should_stop = [&asked] { return ++asked > 90; };
    EXPECT_LT(RunOn(*driver, options, /*jobs=*/2).graphs, kGraphs);
  }
  const auto journal = Journal::Resume(path, run, options.done);
  ASSERT_TRUE(journal.ok()) << journal.status();
  options.journal = journal->get();
  options.should_stop = nullptr;
  const CampaignResult resumed = RunOn(*driver, options, /*jobs=*/2);
  EXPECT_EQ(resumed.graphs, kGraphs);
  EXPECT_LT(resumed.graphs_in_duration, kGraphs);
  EXPECT_EQ(resumed.counts, whole.counts);
  EXPECT_EQ(resumed.hostile_counts, whole.hostile_counts);
  EXPECT_EQ(resumed.coverage, whole.coverage);
  ASSERT_EQ(resumed.failures.size(), whole.failures.size());
  EXPECT_THAT(whole.failures, Not(IsEmpty()));
  for (size_t i = 0; i < whole.failures.size(); ++i) {
    EXPECT_EQ(resumed.failures[i].count, whole.failures[i].count);
    EXPECT_EQ(resumed.failures[i].operation, "FLOOR");
    EXPECT_EQ(resumed.failures[i].smallest.model.operations.size(), 1);
  }
  std::filesystem::remove(path);
}

// Of a campaign that has ended nothing is run again.
TEST(CampaignTest, DoesNothingTwice) {
  CampaignOptions options = Of(100);
  options.done.spans = {{.first = 0, .count = 60, .counts = {{Verdict::PASS, 60}}},
                        {.first = 60, .count = 40, .counts = {{Verdict::PASS, 40}}}};
  const CampaignResult result = RunOn(MakeReferenceDriver(), options);
  EXPECT_EQ(result.graphs, 100);
  EXPECT_EQ(result.graphs_in_duration, 0);
  EXPECT_EQ(result.coverage.cases, 100);
}

// Known failures come first, and are those of graphs that fail in the same way.
TEST(CampaignTest, BeginsWithItsCorpus) {
  const auto driver = faulty::MakeFaultyDriver("first_element@operation=FLOOR");
  ASSERT_TRUE(driver.ok()) << driver.status();
  const CampaignResult first = RunOn(*driver, Of(1400));
  ASSERT_THAT(first.failures, Not(IsEmpty()));
  std::vector<LoadedCase> corpus;
  for (const GraphFailure& failure : first.failures) {
    corpus.push_back({failure.smallest, "corpus/" + failure.smallest.name + ".case"});
  }
  CampaignOptions options = Of(1);
  options.corpus = corpus;
  const CampaignResult second = RunOn(*driver, options);
  EXPECT_EQ(second.corpus_counts.at(Verdict::FAIL), corpus.size());
  ASSERT_EQ(second.failures.size(), first.failures.size());
  EXPECT_FALSE(second.failures.front().number.has_value());
  EXPECT_THAT(Summarize(second), HasSubstr("0 graphs, a case of the corpus"));
  // A driver that is mended.
  const CampaignResult mended = RunOn(MakeReferenceDriver(), options);
  EXPECT_EQ(mended.corpus_counts.at(Verdict::PASS), corpus.size());
  EXPECT_THAT(mended.failures, IsEmpty());
}

TEST(CampaignTest, AsksAnotherDriverAboutFailures) {
  const auto driver = faulty::MakeFaultyDriver("first_element@operation=FLOOR");
  ASSERT_TRUE(driver.ok()) << driver.status();
  const auto other = DriverSession::FromDevice(MakeReferenceDriver(), "reference");
  ASSERT_TRUE(other.ok()) << other.status();
  const auto workers = WorkersInProcess(**other, 1);
  ASSERT_TRUE(workers.ok()) << workers.status();
  CampaignOptions options = Of(1400);
  options.against = workers->front().get();
  const CampaignResult result = RunOn(*driver, options);
  ASSERT_THAT(result.failures, Not(IsEmpty()));
  for (const GraphFailure& failure : result.failures) {
    ASSERT_TRUE(failure.against.has_value());
    EXPECT_EQ(failure.against->verdict, Verdict::PASS);
  }
  EXPECT_THAT(Summarize(result), HasSubstr("the other driver: PASS\n"));
  EXPECT_THAT(CampaignToJson(result), HasSubstr("\"against\": \"PASS\""));
}

}  // namespace
}  // namespace nncert
