// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/stored_report.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "certifying/conclusion.h"
#include "certifying/page/report_page.h"
#include "certifying/report.h"
#include "certifying/timing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

const std::vector<SuiteWords>& Suites() {
  static const auto* const suites =
      new std::vector<SuiteWords>{{"basic", "basic", "tests of what the device says of itself"},
                                  {kRandomGraphs, "randomGraphs", "random graphs"}};
  return *suites;
}

// A complete report with everything that a page has.
RunReport FullReport() {
  RunReport report;
  report.driver = "mine \"<b>\" \x01 é";
  report.driver_version = "7";
  report.hal_version = "1.2";
  report.extensions = {"org.example.a", "org.example.b"};
  report.start = absl::FromCivil(absl::CivilSecond(2026, 11, 26, 12, 30, 1), absl::UTCTimeZone());
  // Neither these nor their thousandths are numbers that a double holds.
  report.duration = absl::Microseconds(12'345'500);
  report.process = {2, absl::Microseconds(1'000'500), uint64_t{1} << 40};
  report.is_suite = true;
  report.is_strict = true;
  for (const Verdict verdict : {Verdict::PASS, Verdict::FAIL, Verdict::EXPLAINED}) {
    CaseResult& result = report.results.emplace_back();
    result.name = absl::StrCat("case_", std::string(toString(verdict)));
    result.mode = verdict == Verdict::FAIL ? TestMode::kDynamic : TestMode::kStatic;
    result.operation = "ADD";
    result.type = "TENSOR_FLOAT32";
    result.verdict = verdict;
    result.compared_elements = 3;
    result.duration = absl::Milliseconds(7);
    if (verdict == Verdict::PASS) continue;
    result.detail = "first line, \"quoted\"\n  second";
    result.deviation = "ADD-carry";
  }
  report.case_suites = {{kSpecs, 2}, {kSystematic, 1}};
  report.shares = {{"ADD", "TENSOR_FLOAT32", 2, 3}};
  report.matrix = {{"ADD", "TENSOR_FLOAT32", "1.0", {{Verdict::PASS, 2}, {Verdict::FAIL, 1}}}};
  report.findings = {{FindingKind::SUSPECT, "ADD", "TENSOR_FLOAT32", 12, "odd elements"},
                     {.kind = FindingKind::PROCESS, .detail = "it ended"}};
  WaiverUse& use = report.waivers.emplace_back();
  use.waiver = {"vendor",
                "device",
                ".*",
                "X\\..*",
                "reason",
                "https://example.org/1",
                absl::CivilDay(2027, 1, 31)};
  use.failed = 1;
  use.has_expired = true;
  report.sections.resize(2);
  for (size_t i = 0; i < 2; ++i) {
    SuiteSection& section = report.sections[i];
    section.name = Suites()[i].name;
    section.member = Suites()[i].member;
    section.tests = Suites()[i].tests;
    section.run = section.planned = 5 + i;
    section.counts = {{Verdict::PASS, 5 + i}};
    section.duration = absl::Microseconds(2'000'500);
  }
  // As a suite writes them: numbers that are other ones when they are read and written again.
  report.sections[0].json =
      "{\n  \"tests\": 5,\n  \"text\": \"a } \\\" , ] b\",\n  \"zero\": -0,\n  \"small\": 1e-07,\n"
      "  \"list\": [\n    {\"a\": -0.0, \"b\": 18446744073709551615}\n  ]\n}\n";
  report.sections[1].json = "{\"graphs\": 6, \"counts\": {\"PASS\": 6}}\n";
  report.must_pass = {"1.2", std::string(64, 'a'), 14, 14, {}};
  FailureKind& kind = report.failures.emplace_back();
  kind.suite = kSpecs;
  kind.is_of_cases = true;
  kind.operation = "ADD";
  kind.type = "TENSOR_FLOAT32";
  kind.failed = 1;
  kind.of = 3;
  kind.first = report.results[1];
  Reproducer& reproducer = kind.reproducer.emplace();
  reproducer.file = "out/smallest/a.case";
  reproducer.command = "nncert run out/smallest/a.case";
  reproducer.detail = "wrong";
  reproducer.operations = 1;
  reproducer.is_smallest = true;
  reproducer.elements = WrongElements{"fp32",
                                      4,
                                      9,
                                      {{0, 0, "[0]", -0.0, std::numeric_limits<double>::quiet_NaN(),
                                        std::nullopt, -kInfinity, kInfinity},
                                       {0, 0, "[1]", 0.1, 1e300, 2.5, -0.0, 0.30000000000000004},
                                       {1, 2, "[2]", 16777216, -5, 1e-7},
                                       {1, 2, "[3]", 0, kInfinity}}};
  kind.causes = {{"Takes <this> for that.", "a_rule", {"ADD", "MUL"}, 3, 4, 3, 1, 2}};
  FailureKind& other = report.failures.emplace_back();
  other.suite = "basic";
  other.verdict = Verdict::CRASH;
  other.failed = 2;
  other.first.name = "StatusTest";
  other.obstacle = "it has no case";
  report.reruns = RerunOutcome{2,
                               1,
                               "the time was over",
                               {{"GeneratedTests.a", Verdict::FAIL, {1, 8}, {0, 3}, "", "f", "c"}}};
  return report;
}

std::string WithoutVerification(std::string page) {
  constexpr std::string_view kEnd = "</section>";
  const size_t begin = page.find("<section id=\"verification\">");
  EXPECT_NE(begin, std::string::npos);
  page.erase(begin, page.find(kEnd, begin) + kEnd.size() - begin);
  return page;
}

TEST(StoredReportTest, ItsPageIsThatOfTheRunByteForByte) {
  RunReport report = FullReport();
  const absl::StatusOr<StoredReport> stored =
      ReadStoredReport(ReportToJson(report), TimingToJson(report), true, Suites());
  ASSERT_TRUE(stored.ok()) << stored.status();
  const std::string page = ReportToHtml(stored->report, stored->conclusion, {true, {"ACCEPTED"}});
  EXPECT_THAT(page, HasSubstr("ACCEPTED"));
  EXPECT_EQ(WithoutVerification(page), ReportToHtml(report));
  // So is one of a run in which all is well.
  report = RunReport();
  report.is_suite = true;
  report.start = absl::UnixEpoch();
  const absl::StatusOr<StoredReport> empty =
      ReadStoredReport(ReportToJson(report), TimingToJson(report), false, Suites());
  ASSERT_TRUE(empty.ok()) << empty.status();
  EXPECT_EQ(WithoutVerification(ReportToHtml(empty->report, empty->conclusion, {})),
            ReportToHtml(report));
}

TEST(StoredReportTest, WhatIsNotAsExpectedIsRefused) {
  const RunReport report = FullReport();
  const std::string json = ReportToJson(report);
  const std::string timing = TimingToJson(report);
  const auto refusal = [&](const std::string& what, const std::string& other) {
    const std::string changed = absl::StrReplaceAll(json, {{what, other}});
    EXPECT_NE(changed, json) << what;
    return std::string(ReadStoredReport(changed, timing, true, Suites()).status().message());
  };
  EXPECT_THAT(refusal("\"driverVersion\": \"7\"", "\"driverVersion\": 7"),
              HasSubstr("\"driverVersion\" is not a text"));
  EXPECT_THAT(refusal("\"FAIL\"", "\"BAD\""), HasSubstr("\"BAD\" is not a verdict"));
  EXPECT_THAT(refusal("\"failed\": 1", "\"failed\": -1"), HasSubstr("\"failed\" is not a count"));
  EXPECT_THAT(refusal("\"findings\": [", "\"found\": ["), HasSubstr("\"findings\" is not a list"));
  EXPECT_THAT(refusal("\"randomGraphs\": ", "\"graphs\": "),
              HasSubstr("\"randomGraphs\" is not there"));
  EXPECT_THAT(refusal("\"expires\": \"2027", "\"expires\": \"x"), HasSubstr("not a day"));
  EXPECT_THAT(refusal("{", "["), HasSubstr("report.json is no object"));
  EXPECT_THAT(std::string(ReadStoredReport(json, "{}", true, Suites()).status().message()),
              HasSubstr("\"start\" is not a text"));
  for (size_t size = 0; size < json.size(); size += 11) {
    EXPECT_FALSE(ReadStoredReport(json.substr(0, size), timing, true, Suites()).ok()) << size;
  }
}

}  // namespace
}  // namespace nncert
