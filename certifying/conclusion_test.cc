// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/conclusion.h"

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "certifying/timing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

RunReport ReportOf(const std::vector<Verdict>& verdicts) {
  RunReport report;
  report.is_suite = true;
  for (const Verdict verdict : verdicts) {
    CaseResult result;
    result.operation = verdict == Verdict::FAIL ? "MUL" : "ADD";
    result.verdict = verdict;
    result.compared_elements = verdict == Verdict::PASS || verdict == Verdict::EXPLAINED ? 1 : 0;
    report.results.push_back(result);
  }
  return report;
}

std::string LineOf(const RunReport& report) { return toString(ConclusionOf(report)); }

TEST(ConclusionTest, WhatPassesIsCertified) {
  EXPECT_EQ(LineOf(ReportOf({Verdict::PASS, Verdict::PASS})), "CERTIFIED: 2 of 2 cases passed");
  EXPECT_EQ(LineOf(ReportOf({Verdict::PASS, Verdict::EXPLAINED, Verdict::UNSUPPORTED})),
            "CERTIFIED: 2 of 3 cases passed, 1 is UNSUPPORTED");
}

TEST(ConclusionTest, AFailureIsNotCertified) {
  EXPECT_EQ(LineOf(ReportOf({Verdict::PASS, Verdict::FAIL, Verdict::FAIL, Verdict::CRASH})),
            "NOT CERTIFIED: 3 of 4 cases failed, in MUL, ADD");
  EXPECT_THAT(LineOf(ReportOf({Verdict::PASS, Verdict::VACUOUS})),
              StartsWith("NOT CERTIFIED: 1 of 2 cases failed"));
}

TEST(ConclusionTest, FlakesAreFailuresAndCounted) {
  EXPECT_EQ(LineOf(ReportOf({Verdict::PASS, Verdict::FAIL, Verdict::FLAKY})),
            "NOT CERTIFIED: 2 of 3 cases failed, 1 of them not always, in ADD, MUL");
}

TEST(ConclusionTest, ManyFailingOperationsAreCounted) {
  RunReport report;
  for (const char* const operation : {"A", "B", "C", "D", "E", "F", "F"}) {
    CaseResult result;
    result.operation = operation;
    result.verdict = Verdict::FAIL;
    report.results.push_back(result);
  }
  EXPECT_EQ(LineOf(report),
            "NOT CERTIFIED: 7 of 7 cases failed, in F, A, B, C and 2 other operations");
}

TEST(ConclusionTest, AFindingThatFailsIsNotCertified) {
  RunReport report = ReportOf({Verdict::PASS});
  report.findings = {{.kind = FindingKind::PROCESS, .detail = "it ended"}};
  EXPECT_EQ(LineOf(report), "NOT CERTIFIED: a finding: PROCESS: it ended");
}

TEST(ConclusionTest, WhereNothingPassedNothingIsCertified) {
  EXPECT_EQ(LineOf(ReportOf({Verdict::UNSUPPORTED, Verdict::UNSUPPORTED})),
            "NOT CERTIFIED: nothing was certified: the driver computed none of the 2 cases, of "
            "which 2 are UNSUPPORTED");
  EXPECT_THAT(LineOf(ReportOf({})), StartsWith("NOT CERTIFIED: nothing was certified"));
  // A model that is to be refused passes and has no elements.
  RunReport refusals = ReportOf({Verdict::PASS, Verdict::UNSUPPORTED});
  refusals.results.front().compared_elements = 0;
  EXPECT_THAT(LineOf(refusals), StartsWith("NOT CERTIFIED: nothing was certified"));
}

TEST(ConclusionTest, WhatWasNotRunIsIncomplete) {
  RunReport report = ReportOf({Verdict::PASS});
  report.unfinished = 2;
  EXPECT_EQ(LineOf(report), "INCOMPLETE: 2 of 3 cases were not run");
  report.results.front().verdict = Verdict::FAIL;
  EXPECT_EQ(LineOf(report), "NOT CERTIFIED: 1 of 1 case failed, in ADD; 2 cases were not run");
}

TEST(ConclusionTest, WhatCouldNotBeDecidedIsIncomplete) {
  EXPECT_EQ(LineOf(ReportOf({Verdict::PASS, Verdict::UNDECIDED})),
            "INCOMPLETE: 1 case could not be decided, in ADD");
}

TEST(ConclusionTest, ALostDriverIsNotCertified) {
  RunReport report = ReportOf({Verdict::CRASH});
  report.lost = "the service is gone";
  report.unfinished = 9;
  EXPECT_EQ(LineOf(report), "NOT CERTIFIED: the service is gone; 9 cases were not run");
}

SuiteSection Graphs(uint64_t planned, uint64_t run, uint64_t failed) {
  SuiteSection section = {.name = "random_graphs",
                          .suite = "RandomGraphs",
                          .member = "randomGraphs",
                          .test = "random graph",
                          .tests = "random graphs",
                          .json = "{\n  \"graphs\": 1\n}\n",
                          .summary = "",
                          .counts = {{Verdict::PASS, run - failed}, {Verdict::FAIL, failed}},
                          .planned = planned,
                          .run = run,
                          .failed = failed,
                          .failures = {},
                          .duration = absl::Seconds(2)};
  if (failed == 0) return section;
  CaseResult result;
  result.name = "random_1_7";
  result.operation = "CONV_2D";
  result.type = "TENSOR_FLOAT32";
  result.verdict = Verdict::FAIL;
  result.detail = "1 < 2\nand more";
  section.failures = {{.first = result}};
  return section;
}

TEST(ConclusionTest, OtherSuitesCountAsMuch) {
  RunReport report = ReportOf({Verdict::PASS, Verdict::PASS});
  report.sections = {Graphs(100, 100, 0)};
  EXPECT_EQ(LineOf(report),
            "CERTIFIED: 2 of 2 cases passed; none of 100 tests of 1 other suite failed");
  report.sections = {Graphs(100, 100, 3)};
  EXPECT_EQ(LineOf(report), "NOT CERTIFIED: 3 of 100 random graphs failed, in CONV_2D");
  EXPECT_TRUE(AnyFailed(report));
  report.sections = {Graphs(100, 99, 0)};
  EXPECT_EQ(LineOf(report), "INCOMPLETE: 1 of 100 random graphs was not run");
  report = ReportOf({Verdict::PASS, Verdict::FAIL});
  report.sections = {Graphs(100, 100, 1)};
  EXPECT_EQ(LineOf(report),
            "NOT CERTIFIED: 1 of 2 cases failed, in MUL; 1 of 100 random graphs failed");
}

TEST(ConclusionTest, WithoutASuiteNothingIsCertified) {
  RunReport report = ReportOf({Verdict::PASS});
  report.left_out = {"random_graphs"};
  EXPECT_EQ(LineOf(report), "INCOMPLETE: nothing failed; left out: random_graphs");
  // Nobody wants to know of cases that were not to be run.
  report = ReportOf({});
  report.left_out = {kSpecs, kSystematic};
  report.sections = {Graphs(100, 99, 0)};
  EXPECT_EQ(LineOf(report),
            "INCOMPLETE: 1 of 100 random graphs was not run; left out: specs, systematic");
  report.sections = {Graphs(100, 100, 2)};
  EXPECT_EQ(LineOf(report), "NOT CERTIFIED: 2 of 100 random graphs failed, in CONV_2D");
}

TEST(ConclusionTest, TheReportListsTheSuitesThatWereRun) {
  RunReport report = ReportOf({Verdict::PASS, Verdict::FAIL, Verdict::PASS});
  report.case_suites = {{kSpecs, 2}, {kSystematic, 1}};
  report.results[0].duration = report.results[1].duration = absl::Milliseconds(50);
  report.results[2].duration = absl::Milliseconds(200);
  report.duration = absl::Seconds(5);
  report.sections = {Graphs(100, 100, 3)};
  const std::string graphs =
      "\n    {\"name\": \"random_graphs\", \"cases\": 100, \"counts\": {\"PASS\": 97, "
      "\"FAIL\": 3}}\n  ],\n";
  EXPECT_THAT(ReportToJson(report),
              HasSubstr("\n  \"suites\": [\n    {\"name\": \"specs\", \"cases\": 2, \"counts\": "
                        "{\"PASS\": 1, \"FAIL\": 1}},\n    {\"name\": \"systematic\", "
                        "\"cases\": 1, \"counts\": {\"PASS\": 1}}," +
                        graphs));
  EXPECT_THAT(TimingToJson(report),
              HasSubstr("\n  \"suites\": [\n    {\"name\": \"specs\", \"seconds\": 1.000},\n    "
                        "{\"name\": \"systematic\", \"seconds\": 2.000},\n    {\"name\": "
                        "\"random_graphs\", \"seconds\": 2.000}\n  ]\n}\n"));
  report.left_out = {kSpecs, kSystematic};
  EXPECT_THAT(ReportToJson(report), HasSubstr("\n  \"suites\": [" + graphs));
}

TEST(ConclusionTest, OtherSuitesAreInTheReports) {
  RunReport report = ReportOf({Verdict::PASS});
  report.sections = {Graphs(100, 99, 3)};
  EXPECT_THAT(ReportToJson(report),
              HasSubstr("\n  \"randomGraphs\": {\n    \"graphs\": 1\n  },\n"));
  const std::string xml = ReportToJUnitXml(report);
  EXPECT_THAT(xml, HasSubstr("tests=\"3\" failures=\"1\" errors=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<error message=\"1 of 100 random graphs was not run\""));
  EXPECT_THAT(xml, HasSubstr("name=\"random_1_7_CONV_2D_TENSOR_FLOAT32\">\n      "
                             "<failure message=\"FAIL: 1 &lt; 2\" type=\"FAIL\">"));
}

}  // namespace
}  // namespace nncert
