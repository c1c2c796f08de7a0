// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/results/comparison.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlts/results/testing/sample_results.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using Kind = FailureChange::Kind;

TEST(CompareRunsTest, ARunDoesNotDifferFromItself) {
  const RunComparison comparison = CompareRuns(SampleResults(), SampleResults());
  EXPECT_THAT(comparison.circumstances, IsEmpty());
  // Three of a quantized network, one of a timed one, a benchmark that hung, one that cannot be
  // read, and two of stress.
  EXPECT_EQ(comparison.failures.size(), 8U);
  for (const FailureChange& failure : comparison.failures) {
    EXPECT_EQ(failure.kind, Kind::STILL_FAILING) << failure.name;
  }
  EXPECT_EQ(comparison.latencies.size(), 5U * 3);
  EXPECT_EQ(comparison.accuracies.size(), 3U);
  for (const FigureChange& change : comparison.latencies) {
    EXPECT_EQ(change.kind, FigureChange::Kind::WITHIN_INTERVALS);
  }
  EXPECT_THAT(comparison.only_before, IsEmpty());
  EXPECT_FALSE(IsWorse(comparison));
  EXPECT_THAT(DescribeComparison(comparison),
              HasSubstr("15 of 15 have intervals that overlap: no change is known"));
}

TEST(CompareRunsTest, FailuresAreNewMendedOrUnknown) {
  MltsResults after = SampleResults();
  after.benchmarks[0].checks[1].outcome = CheckResult::Outcome::FAIL;
  after.benchmarks[1].checks[1].outcome = CheckResult::Outcome::PASS;
  after.benchmarks[1].checks.pop_back();
  after.stress[0].status = StressResult::Status::HANG;
  const RunComparison comparison = CompareRuns(SampleResults(), after);
  ASSERT_EQ(comparison.failures.size(), 10U);
  EXPECT_EQ(comparison.failures[0].kind, Kind::NEW);
  EXPECT_EQ(comparison.failures[0].benchmark, "mobilenet_v1_1.0_224");
  EXPECT_EQ(comparison.failures[0].name, "top 1 against the baseline");
  EXPECT_EQ(comparison.failures[1].kind, Kind::NEW);
  EXPECT_EQ(comparison.failures[1].name, "inference-stress");
  EXPECT_EQ(comparison.failures[8].kind, Kind::UNKNOWN);
  EXPECT_EQ(comparison.failures[8].name, "leaks");
  EXPECT_EQ(comparison.failures[9].kind, Kind::MENDED);
  EXPECT_EQ(comparison.failures[9].name, "top 1 against the baseline");
  EXPECT_TRUE(IsWorse(comparison));
}

TEST(CompareRunsTest, ANetworkThatIsNoLongerSupportedIsANewFailure) {
  MltsResults after = SampleResults();
  after.benchmarks[0].status = BenchmarkResult::Status::UNSUPPORTED;
  const RunComparison comparison = CompareRuns(SampleResults(), after);
  EXPECT_EQ(comparison.failures[0].kind, Kind::NEW);
  EXPECT_EQ(comparison.failures[0].detail, "UNSUPPORTED, though it was run before");
  EXPECT_TRUE(IsWorse(comparison));
}

TEST(CompareRunsTest, MendedFailuresAreNotWorse) {
  MltsResults after = SampleResults();
  after.benchmarks[4].checks[2].outcome = CheckResult::Outcome::PASS;
  after.benchmarks[6].status = BenchmarkResult::Status::RUN;
  const RunComparison comparison = CompareRuns(SampleResults(), after);
  EXPECT_FALSE(IsWorse(comparison));
  EXPECT_TRUE(IsWorse(CompareRuns(after, SampleResults())));
}

TEST(CompareRunsTest, FiguresChangeWhereIntervalsAreApart) {
  MltsResults before = SampleResults();
  MltsResults after = SampleResults();
  before.benchmarks[0].latency[0].wall.p50 = {9000, 8900, 9100};
  after.benchmarks[0].latency[0].wall.p50 = {12000, 11800, 12200};
  before.benchmarks[1].latency[2].wall.p50 = {1000, 990, 1010};
  after.benchmarks[1].latency[2].wall.p50 = {500, 490, 510};
  before.benchmarks[2].accuracy[0].top_k[0] = {0.64, 0.63, 0.65};
  after.benchmarks[2].accuracy[0].top_k[0] = {0.60, 0.59, 0.61};
  // A baseline's figures are none of the driver's.
  after.benchmarks[2].latency[4].wall.p50 = {1e6, 1e6, 1e6};
  const RunComparison comparison = CompareRuns(before, after);
  EXPECT_EQ(comparison.latencies.front().kind, FigureChange::Kind::WORSE);
  EXPECT_EQ(comparison.latencies.front().figure, "median of sync");
  EXPECT_EQ(comparison.latencies.back().kind, FigureChange::Kind::BETTER);
  EXPECT_EQ(comparison.latencies.back().benchmark, "mobilenet_v1_0.5_160_quant");
  EXPECT_EQ(comparison.accuracies.front().kind, FigureChange::Kind::WORSE);
  const std::string text = DescribeComparison(comparison);
  EXPECT_THAT(text, HasSubstr("  SLOWER  mobilenet_v1_1.0_224, median of sync: 9 ms [8.9, 9.1] "
                              "before, 12 ms [11.8, 12.2] after, 1.33 times as long\n"));
  EXPECT_THAT(text, HasSubstr("  WORSE  mobilenet_v2_1.0_224, top 1: 64.0 % [63.0, 65.0] before, "
                              "60.0 % [59.0, 61.0] after, -4.0 points\n"));
  EXPECT_THAT(text, HasSubstr("13 of 15 have intervals that overlap"));
}

TEST(CompareRunsTest, CircumstancesComeFirst) {
  MltsResults after = SampleResults();
  after.machine = "Another";
  after.benchmarks[3].sha256 = "0123";
  after.is_complete = false;
  after.benchmarks.push_back(after.benchmarks[0]);
  const RunComparison comparison = CompareRuns(SampleResults(), after);
  const std::string sha256 = SampleResults().benchmarks[3].sha256;
  EXPECT_THAT(
      comparison.circumstances,
      ElementsAre("the machine differs: " + SampleResults().machine + " before, Another after",
                  "the model of asr_float (SHA-256) differs: " + sha256 + " before, 0123 after",
                  "the later run did not come to its end",
                  "the later run has several benchmarks named mobilenet_v1_1.0_224: the first one "
                  "counts"));
  EXPECT_THAT(DescribeComparison(comparison),
              StartsWith("What differs about the runs themselves:\n  the machine differs: "));
}

TEST(CompareRunsTest, BenchmarksOfOneRunAloneAreNamed) {
  MltsResults after = SampleResults();
  after.benchmarks[0].name = "another";
  const RunComparison comparison = CompareRuns(SampleResults(), after);
  EXPECT_THAT(comparison.only_before, ElementsAre("mobilenet_v1_1.0_224"));
  EXPECT_THAT(comparison.only_after, ElementsAre("another"));
  EXPECT_TRUE(IsWorse(comparison));
}

TEST(CompareRunsTest, HostileResultsAreComparedAndKeptToTheirLines) {
  const RunComparison comparison = CompareRuns(HostileResults(), HostileResults());
  const std::string text = DescribeComparison(comparison);
  for (const char letter : text) {
    EXPECT_TRUE(letter == '\n' || static_cast<unsigned char>(letter) >= 0x20);
  }
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace nncert
