// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/comparison.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "certifying/report.h"
#include "certifying/timing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A run of cases of these verdicts, one second long, and of a suite that says `section`.
ReportedRun RunOf(const std::vector<std::pair<std::string, Verdict>>& cases,
                  const std::string& section = R"({"checks": [], "failures": []})",
                  absl::Duration duration = absl::Seconds(1)) {
  RunReport report;
  report.driver = "mine";
  report.duration = duration;
  for (const auto& [name, verdict] : cases) {
    CaseResult& result = report.results.emplace_back();
    result.name = name;
    result.verdict = verdict;
    result.detail = "what is wrong\nat length";
  }
  report.case_suites = {{kSpecs, report.results.size()}};
  SuiteSection& suite = report.sections.emplace_back();
  suite.name = "basic";
  suite.member = "basic";
  suite.json = section;
  absl::StatusOr<ReportedRun> run =
      ParseReportedRun(ReportToJson(report), TimingToJson(report), "r.json");
  EXPECT_TRUE(run.ok()) << run.status();
  return *std::move(run);
}

auto IsChange(const std::string& name, Verdict before, Verdict after) {
  return AllOf(Field(&ChangedTest::name, name), Field(&ChangedTest::before, before),
               Field(&ChangedTest::after, after));
}

TEST(ComparisonTest, TestsAreSortedByWhatBecameOfThem) {
  const ReportedRun before = RunOf({{"a", Verdict::PASS},
                                    {"b", Verdict::FAIL},
                                    {"c", Verdict::FAIL},
                                    {"d", Verdict::PASS},
                                    {"e", Verdict::PASS}});
  const ReportedRun after = RunOf({{"a", Verdict::CRASH},
                                   {"b", Verdict::PASS},
                                   {"c", Verdict::TIMEOUT},
                                   {"d", Verdict::UNSUPPORTED},
                                   {"f", Verdict::PASS},
                                   {"g", Verdict::FAIL}});
  const Comparison comparison = Compare(before, after);
  EXPECT_THAT(comparison.failing_now,
              ElementsAre(IsChange("static a", Verdict::PASS, Verdict::CRASH),
                          IsChange("static g", Verdict::MISSING, Verdict::FAIL)));
  EXPECT_EQ(comparison.failing_now[0].detail, "what is wrong");
  EXPECT_THAT(comparison.mended, ElementsAre(IsChange("static b", Verdict::FAIL, Verdict::PASS)));
  EXPECT_THAT(comparison.still_failing,
              ElementsAre(IsChange("static c", Verdict::FAIL, Verdict::TIMEOUT)));
  EXPECT_THAT(comparison.otherwise_changed,
              ElementsAre(IsChange("static d", Verdict::PASS, Verdict::UNSUPPORTED)));
  EXPECT_THAT(comparison.gone, ElementsAre("static e"));
  EXPECT_THAT(comparison.added, ElementsAre("static f"));
  EXPECT_THAT(comparison.slower, IsEmpty());
  EXPECT_THAT(DescribeComparison(before, after, comparison),
              AllOf(HasSubstr("static a: PASS, now CRASH: what is wrong\n"),
                    HasSubstr("2 fail now, 1 are mended, 1 still fail\n")));
  EXPECT_THAT(ComparisonToJson(comparison), HasSubstr("\"before\": \"PASS\""));
}

TEST(ComparisonTest, ChecksAndKindsOfGraphsAreCompared) {
  const ReportedRun before = RunOf(
      {},
      R"({"checks": [{"name": "A", "passed": 2}], "failures": [{"verdict": "FAIL", "operation": "ADD", "type": "T", "detail": ""}]})");
  const ReportedRun after = RunOf(
      {},
      R"({"checks": [{"name": "A", "passed": 1}], "failures": [{"check": "A", "verdict": "FAIL", "detail": "no"}]})");
  const Comparison comparison = Compare(before, after);
  EXPECT_THAT(comparison.failing_now,
              ElementsAre(IsChange("basic: A", Verdict::PASS, Verdict::FAIL)));
  EXPECT_THAT(comparison.mended,
              ElementsAre(IsChange("basic: FAIL ADD T", Verdict::FAIL, Verdict::MISSING)));
}

TEST(ComparisonTest, ASuiteThatTakesHalfAsLongAgainIsSlower) {
  const ReportedRun before = RunOf({}, "{}", absl::Seconds(4));
  EXPECT_THAT(Compare(before, RunOf({}, "{}", absl::Seconds(5))).slower, IsEmpty());
  const Comparison comparison = Compare(before, RunOf({}, "{}", absl::Seconds(7)));
  EXPECT_THAT(comparison.slower, ElementsAre(Field(&ChangedTime::suite, "specs")));
}

TEST(ComparisonTest, WhatIsNoReportIsRefused) {
  for (const char* const text :
       {"", "[]", "{", "{}", R"({"format": 1, "cases": []})", R"({"format": 3})",
        R"({"format": 3, "cases": [1]})", R"({"format": 3, "cases": [{"name": "a"}]})",
        R"({"format": 3, "cases": [{"name": "a", "mode": "static", "verdict": "GOOD"}]})"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseReportedRun(text, "", "r.json").status())) << text;
  }
  constexpr char kEmpty[] = R"({"format": 3, "cases": []})";
  EXPECT_TRUE(ParseReportedRun(kEmpty, "", "r.json").ok());
  for (const char* const timing : {"{", "{}", R"({"format": 3, "suites": []})"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseReportedRun(kEmpty, timing, "r.json").status()));
  }
  EXPECT_TRUE(absl::IsNotFound(ReadReportedRun("/nowhere/report.json").status()));
}

}  // namespace
}  // namespace nncert
