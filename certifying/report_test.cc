// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/report.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "certifying/timing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

CaseResult Result(const std::string& name, const std::string& operation, Verdict verdict,
                  const std::string& detail = "", TestMode mode = TestMode::kStatic) {
  CaseResult result;
  result.name = name;
  result.mode = mode;
  result.operation = operation;
  result.verdict = verdict;
  result.detail = detail;
  result.duration = absl::Milliseconds(10);
  return result;
}

RunReport MixedReport() {
  RunReport report;
  report.driver = "mine";
  report.driver_version = "build 7";
  report.hal_version = "1.2";
  report.start = absl::FromUnixSeconds(0);
  report.duration = absl::Milliseconds(1500);
  report.results = {
      Result("add", "ADD", Verdict::PASS),
      Result("add_dynamic", "ADD", Verdict::FAIL, "output 0 is <wrong>\n  more\n  \"even\" more",
             TestMode::kDynamic),
      Result("mul", "MUL", Verdict::UNSUPPORTED, "the driver says so"),
      Result("mul_2", "MUL", Verdict::TIMEOUT, "no answer after 60s"),
      Result("mul_3", "MUL", Verdict::BROKEN_PROMISE, "said yes"),
      Result("floor", "FLOOR", Verdict::UNDECIDED, "straddled"),
  };
  return report;
}

TEST(ReportTest, ListsExtensions) {
  RunReport report = MixedReport();
  EXPECT_THAT(Summarize(report, {}), Not(HasSubstr("Extensions")));
  EXPECT_THAT(ReportToJson(report), HasSubstr("\"extensions\": [],\n"));
  report.extensions = {"com.example.a", "com.\"b\""};
  EXPECT_THAT(Summarize(report, {}), HasSubstr("\nExtensions: com.example.a, com.\"b\"\n"));
  EXPECT_THAT(ReportToJson(report),
              HasSubstr("\"extensions\": [\"com.example.a\", \"com.\\\"b\\\"\"],\n"));
}

TEST(ReportTest, FindingsAreFailures) {
  RunReport report = MixedReport();
  report.results = {Result("a", "ADD", Verdict::PASS)};
  EXPECT_FALSE(AnyFailed(report));
  EXPECT_THAT(ReportToJUnitXml(report), Not(HasSubstr("Driver")));
  report.findings = {{.kind = FindingKind::PROCESS, .detail = "it is <odd>"}};
  EXPECT_TRUE(AnyFailed(report));
  EXPECT_THAT(Summarize(report, {}), HasSubstr("\nPROCESS: it is <odd>\n"));
  EXPECT_THAT(ReportToJson(report),
              HasSubstr("\"findings\": [\n    {\"kind\": \"PROCESS\", \"operation\": \"\", "
                        "\"type\": \"\", \"count\": 1, \"detail\": \"it is <odd>\"}\n  ],\n"));
  const std::string xml = ReportToJUnitXml(report);
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"PROCESS: it is &lt;odd&gt;\" "
                             "type=\"PROCESS\"/>"));
}

TEST(ReportTest, AnInterruptedRunSaysSoFirst) {
  RunReport report = MixedReport();
  EXPECT_THAT(ReportToJson(report), Not(HasSubstr("unfinished")));
  EXPECT_THAT(ReportToJUnitXml(report), Not(HasSubstr("comes_to_its_end")));
  report.unfinished = 4;
  // What reads JUnit's XML takes the run for no green one.
  EXPECT_THAT(ReportToJUnitXml(report),
              AllOf(HasSubstr("<error message=\"INTERRUPTED after 6 of 10 cases; "),
                    HasSubstr("tests=\"7\" failures=\"2\" errors=\"2\"")));
  EXPECT_THAT(ReportToJson(report), HasSubstr("\"unfinished\": 4,\n"));
  EXPECT_THAT(Summarize(report, {}),
              StartsWith("INTERRUPTED after 6 of 10 cases; without a journal the run cannot go "
                         "on\nUNSUPPORTED 16.7% (1 of 6 cases)\n"));
  report.resume_command = "nncert again";
  EXPECT_THAT(Summarize(report, {}),
              StartsWith("INTERRUPTED after 6 of 10 cases; to go on: nncert again\n"));
}

TEST(ReportTest, ALostDriverIsAFailure) {
  RunReport report = MixedReport();
  report.results = {Result("a", "ADD", Verdict::PASS)};
  report.unfinished = 9;
  EXPECT_FALSE(AnyFailed(report));
  report.lost = "it has \"gone\"";
  EXPECT_TRUE(AnyFailed(report));
  EXPECT_THAT(Summarize(report, {}), StartsWith("STOPPED after 1 of 10 cases: it has \"gone\"; "));
  EXPECT_THAT(ReportToJson(report),
              HasSubstr("\"lost\": \"it has \\\"gone\\\"\",\n  \"unfinished\": 9,\n"));
  EXPECT_THAT(ReportToJUnitXml(report), HasSubstr("<error message=\"STOPPED after 1 of 10"));
}

TEST(ReportTest, EveryKindOfFailureIsShown) {
  RunReport report = MixedReport();
  const auto failure = [](const std::string& name, const std::string& type, Verdict verdict) {
    CaseResult result = Result(name, "CONV_2D", verdict, absl::StrCat("why ", name));
    result.type = type;
    return result;
  };
  report.results = {failure("a", "TENSOR_FLOAT32", Verdict::FAIL),
                    failure("b", "TENSOR_FLOAT32", Verdict::FAIL),
                    failure("c", "TENSOR_FLOAT32", Verdict::CRASH),
                    failure("d", "TENSOR_QUANT8_ASYMM", Verdict::FAIL),
                    failure("e", "TENSOR_QUANT8_ASYMM", Verdict::PASS)};
  const std::string summary = Summarize(report, {});
  EXPECT_THAT(summary,
              HasSubstr("\nFailing operations, of the cases that ran, and the first of each\n"
                        "  CONV_2D TENSOR_FLOAT32 FAIL: 2 of 3 (66.7%)\n"
                        "    GeneratedTests.a: why a\n"
                        "  CONV_2D TENSOR_FLOAT32 CRASH: 1 of 3 (33.3%)\n"
                        "    GeneratedTests.c: why c\n"
                        "  CONV_2D TENSOR_QUANT8_ASYMM FAIL: 1 of 2 (50.0%)\n"
                        "    GeneratedTests.d: why d\n"));
  EXPECT_THAT(ReportToJson(report), HasSubstr("\"operation\": \"CONV_2D\", \"type\": "
                                              "\"TENSOR_FLOAT32\", \"verdict\": \"FAIL\""));
}

TEST(ReportTest, VariationsAreCountedAmongTheCasesThatRan) {
  RunReport report = MixedReport();
  report.results.clear();
  const auto add = [&report](const std::string& spec, Verdict verdict, int times) {
    for (int i = 0; i < times; ++i) {
      report.results.push_back(
          Result(absl::StrCat(spec, "_", i), "CONV_2D", verdict, "expected 6, actual 6.1\n  more"));
      report.results.back().spec = spec;
    }
  };
  add("conv", Verdict::FAIL, 1);
  add("conv_relu6", Verdict::FAIL, 14);
  add("conv_relu6", Verdict::UNSUPPORTED, 80);
  add("conv", Verdict::PASS, 5);
  EXPECT_THAT(Summarize(report, {}),
              HasSubstr("\n  CONV_2D FAIL: 15 of 20 (75.0%), variations of conv_relu6 (14), conv "
                        "(1)\n    GeneratedTests.conv_0: expected 6, actual 6.1\n"));
  add("a", Verdict::FAIL, 2);
  add("b", Verdict::FAIL, 2);
  add("c", Verdict::FAIL, 1);
  EXPECT_THAT(Summarize(report, {}),
              HasSubstr("20 of 25 (80.0%), variations of conv_relu6 (14), a (2), b (2) and 2 "
                        "more\n"));
}

TEST(ReportTest, WhatIsSupportedComesFirst) {
  RunReport report = MixedReport();
  EXPECT_THAT(ReportToJson(report), Not(HasSubstr("support\"")));
  report.shares = {{"ADD", "TENSOR_FLOAT32", 1, 2}};
  EXPECT_THAT(
      Summarize(report, {}),
      StartsWith("Supported: 1 of 1 operation, 1 of 1 pair of operation and type, 1 of them in "
                 "part\n"
                 "  ADD TENSOR_FLOAT32 (1 of 2)\nUNSUPPORTED 16.7%"));
  EXPECT_THAT(ReportToJson(report),
              HasSubstr("\"support\": [\n    {\"operation\": \"ADD\", \"type\": "
                        "\"TENSOR_FLOAT32\", \"supported\": 1, \"cases\": 2}\n  ],\n"));
}

TEST(ReportTest, TellsOfTheProcesses) {
  RunReport report = MixedReport();
  EXPECT_THAT(TimingToJson(report),
              AllOf(HasSubstr("\"seconds\": 1.500,\n"), Not(HasSubstr("process"))));
  EXPECT_THAT(Summarize(report, {}), Not(HasSubstr("processes")));
  report.process = {2, absl::Milliseconds(1250), uint64_t{3} << 20};
  EXPECT_THAT(TimingToJson(report), HasSubstr("\"process\": {\"restarts\": 2, \"cpuSeconds\": "
                                              "1.250, \"peakMemoryBytes\": 3145728},\n"));
  EXPECT_THAT(Summarize(report, {}),
              HasSubstr("\nIts processes: 2 restarts, 1.2 s of CPU time, at most 3.0 MiB\n"));
  report.process->restarts = 1;
  EXPECT_THAT(Summarize(report, {}), HasSubstr("\nIts processes: 1 restart, 1.2 s"));
}

TEST(ReportTest, CountsHaveEveryVerdict) {
  const auto counts = CountVerdicts(MixedReport().results);
  EXPECT_EQ(counts.size(), kVerdicts.size());
  EXPECT_EQ(counts.at(Verdict::PASS), 1u);
  EXPECT_EQ(counts.at(Verdict::FAIL), 1u);
  EXPECT_EQ(counts.at(Verdict::CRASH), 0u);
}

TEST(ReportTest, UndecidedIsNoFailure) {
  RunReport report = MixedReport();
  EXPECT_TRUE(AnyFailed(report));
  report.results = {Result("a", "ADD", Verdict::PASS), Result("b", "ADD", Verdict::UNSUPPORTED),
                    Result("c", "ADD", Verdict::UNDECIDED)};
  EXPECT_FALSE(AnyFailed(report));
  report.results = {Result("a", "ADD", Verdict::MISSING)};
  EXPECT_TRUE(AnyFailed(report));
}

TEST(ReportTest, ACaseOfASuiteMustCompareSomething) {
  RunReport report = MixedReport();
  report.results = {Result("a", "ADD", Verdict::PASS),
                    Result("empty", "MUL", Verdict::VACUOUS, "nothing was compared")};
  EXPECT_FALSE(AnyFailed(report));
  EXPECT_THAT(Summarize(report, {}), Not(HasSubstr("Failing operations")));
  EXPECT_THAT(ReportToJUnitXml(report), HasSubstr("<skipped message=\"VACUOUS: nothing was"));

  report.is_suite = true;
  EXPECT_TRUE(AnyFailed(report));
  EXPECT_THAT(Summarize(report, {}),
              HasSubstr("\n  MUL VACUOUS: 1 of 1 (100.0%)\n    GeneratedTests.empty: nothing was "
                        "compared\n"));
  EXPECT_THAT(ReportToJUnitXml(report), HasSubstr("<error message=\"VACUOUS: nothing was"));
}

TEST(ReportTest, JsonHasCountsAndCases) {
  const std::string json = ResultsToJson(MixedReport());
  EXPECT_THAT(json, StartsWith("{\n  \"driver\": \"mine\",\n  \"driverVersion\": \"build 7\",\n  "
                               "\"findings\": [],\n  \"counts\": {\n    \"PASS\": 1,\n    "
                               "\"FAIL\": 1,\n"));
  EXPECT_THAT(
      json,
      HasSubstr(
          "{\"name\": \"add_dynamic\", \"mode\": \"dynamic\", \"operation\": \"ADD\", "
          "\"type\": \"\", \"verdict\": \"FAIL\", \"detail\": \"output 0 is <wrong>\\n  more\\n  "
          "\\\"even\\\" more\"}"));
  EXPECT_THAT(json, Not(HasSubstr("halVersion")));
  EXPECT_THAT(ReportToJson(MixedReport()), HasSubstr("\"driver\": \"mine\""));
  EXPECT_THAT(ResultsToJson({}), HasSubstr("\"cases\": []\n"));
}

TEST(ReportTest, JUnitTellsFailuresErrorsAndSkipsApart) {
  const std::string xml = ReportToJUnitXml(MixedReport());
  EXPECT_THAT(xml, HasSubstr("<testsuites name=\"mine\" tests=\"6\" failures=\"2\" errors=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"GeneratedTests\" tests=\"5\" failures=\"1\" "
                             "errors=\"1\" skipped=\"2\""));
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"DynamicOutputShapeTest\" tests=\"1\" "
                             "failures=\"1\" errors=\"0\" skipped=\"0\""));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"GeneratedTests\" name=\"add\"/>"));
  EXPECT_THAT(xml, HasSubstr("<failure message=\"FAIL: output 0 is &lt;wrong&gt;\" "
                             "type=\"FAIL\">  more&#10;  &quot;even&quot; more</failure>"));
  EXPECT_THAT(xml, HasSubstr("<error message=\"TIMEOUT: no answer after 60s\" type=\"TIMEOUT\"/>"));
  EXPECT_THAT(xml, HasSubstr("<skipped message=\"UNSUPPORTED: the driver says so\"/>"));
  // Two runs of the same cases have the same.
  RunReport later = MixedReport();
  later.start += absl::Hours(1);
  later.duration *= 2;
  for (CaseResult& result : later.results) result.duration *= 2;
  later.process = {1, absl::Seconds(1), 4096};
  EXPECT_EQ(ReportToJUnitXml(later), xml);
  EXPECT_EQ(ReportToJson(later), ReportToJson(MixedReport()));
}

TEST(ReportTest, TheSummaryBeginsWithTheUnsupportedShare) {
  const std::string summary = Summarize(MixedReport(), {"Reports: here"});
  EXPECT_THAT(summary,
              StartsWith("UNSUPPORTED 16.7% (1 of 6 cases)\n"
                         "PASS 1   FAIL 1   TIMEOUT 1   BROKEN_PROMISE 1   UNDECIDED 1\n"));
  EXPECT_THAT(summary, HasSubstr("\nDriver mine: build 7, HAL 1.2, 1.5 s\nReports: here\n"));
}

TEST(ReportTest, ReadingIsPartOfTheTimeTold) {
  RunReport report = MixedReport();
  report.reading = absl::Milliseconds(500);
  EXPECT_THAT(Summarize(report, {}), HasSubstr(", 2.0 s, 0.5 s of it to read the cases\n"));
}

TEST(ReportTest, CasesJudgedByTheDocumentationAreCounted) {
  RunReport report = MixedReport();
  EXPECT_THAT(Summarize(report, {}), Not(HasSubstr("documentation")));
  EXPECT_THAT(ReportToJson(report), Not(HasSubstr("deviation")));
  report.results[0].deviation = "ADD-carry";
  EXPECT_THAT(Summarize(report, {}),
              HasSubstr("UNDECIDED 1\n1 case judged by the documentation, not by the expected "
                        "values: docs/deviations.md\n"));
  EXPECT_THAT(ReportToJson(report),
              HasSubstr("\"verdict\": \"PASS\", \"detail\": \"\", \"deviation\": "
                        "\"ADD-carry\"}"));
  report.results[1].deviation = "ADD-carry";
  EXPECT_THAT(Summarize(report, {}), HasSubstr("\n2 cases judged by the documentation, "));
}

TEST(ReportTest, TheSummaryNamesFailingOperationsTheMostFirst) {
  RunReport report = MixedReport();
  report.results[4].verdict = Verdict::TIMEOUT;
  const std::string summary = Summarize(report, {});
  EXPECT_THAT(summary, HasSubstr("  MUL TIMEOUT: 2 of 2 (100.0%)\n"
                                 "    GeneratedTests.mul_2: no answer after 60s\n"
                                 "  ADD FAIL: 1 of 2 (50.0%)\n"
                                 "    DynamicOutputShapeTest.add_dynamic: output 0 is <wrong>\n"));
  EXPECT_THAT(summary, Not(HasSubstr("mul_3")));
  EXPECT_THAT(summary, Not(HasSubstr("even")));
}

TEST(ReportTest, TheSummaryOfSuccessIsShort) {
  RunReport report = MixedReport();
  report.results = {Result("add", "ADD", Verdict::PASS)};
  EXPECT_EQ(Summarize(report, {}),
            "UNSUPPORTED 0.0% (0 of 1 case)\nPASS 1\n\nDriver mine: build 7, HAL 1.2, 1.5 s\n");
}

TEST(ReportTest, TheSummaryOfManyFailuresStaysShort) {
  RunReport report = MixedReport();
  report.results.clear();
  for (int i = 0; i < 40; ++i) {
    report.results.push_back(
        Result(absl::StrCat("case_", i), absl::StrCat("OPERATION_", i), Verdict::FAIL, "wrong"));
    report.results.back().duration = absl::Seconds(i);
  }
  const std::string summary = Summarize(report, {});
  EXPECT_LT(std::count(summary.begin(), summary.end(), '\n'), 35) << summary;
  EXPECT_THAT(summary, HasSubstr("  and 30 more\n"));
  EXPECT_THAT(summary, HasSubstr("    39.0 s  GeneratedTests.case_39\n"));
}

TEST(ReportTest, ManyFindingsAreCountedInTheSummary) {
  RunReport report;
  for (int i = 0; i < 25; ++i) {
    report.findings.push_back(
        {.kind = FindingKind::PROCESS, .detail = absl::StrCat("finding ", i)});
  }
  const std::string summary = Summarize(report, {});
  EXPECT_THAT(summary, HasSubstr("PROCESS: finding 9\n"
                                 "and 15 more findings that belong to no case\n"));
  EXPECT_THAT(summary, Not(HasSubstr("finding 10")));
  EXPECT_THAT(ReportToJson(report), HasSubstr("\"finding 24\""));
  EXPECT_THAT(ResultsToJson(report), HasSubstr("\"finding 24\""));
  EXPECT_THAT(ReportToJUnitXml(report), HasSubstr("\"PROCESS: finding 24\""));
}

TEST(ReportTest, AResultIsDescribedWithItsFullName) {
  EXPECT_EQ(DescribeResult(Result("add", "ADD", Verdict::VACUOUS, "nothing")),
            "VACUOUS GeneratedTests.add: nothing");
}

TEST(WriteTextFileTest, MakesTheFolder) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/report_test/a/b.txt");
  ASSERT_TRUE(WriteTextFile(path, "first").ok());
  ASSERT_TRUE(WriteTextFile(path, "second").ok());
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "second");
}

TEST(WriteTextFileTest, LeavesNoHalfOfAFile) {
  const std::string folder = absl::StrCat(::testing::TempDir(), "/whole_files");
  const std::string path = absl::StrCat(folder, "/b.txt");
  ASSERT_TRUE(WriteTextFile(path, "first").ok());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  // In the way of what is to become the file.
  for (int file = 1; file < 100; ++file) {
    std::filesystem::create_directories(absl::StrCat(path, ".", getpid(), ".", file, ".partial/x"));
  }
  EXPECT_THAT(WriteTextFile(path, "second").ToString(), HasSubstr(path));
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "first");
}

TEST(WriteTextFileTest, WritesToWhatIsNoFile) {
  EXPECT_TRUE(WriteTextFile("/dev/null", "x").ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(WriteTextFile("/dev/full", "x").ToString(), HasSubstr("No space left on device"));
  const std::string folder = absl::StrCat(::testing::TempDir(), "/link_to_file");
  std::filesystem::create_directories(folder);
  const std::string link = absl::StrCat(folder, "/link");
  std::filesystem::create_symlink("target", link);
  ASSERT_TRUE(WriteTextFile(link, "x").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(std::filesystem::file_size(absl::StrCat(folder, "/target")), 1u);
}

TEST(WriteTextFileTest, SaysWhichFileCannotBeWritten) {
  EXPECT_THAT(WriteTextFile("/proc/no_such_folder/a", "x").ToString(),
              HasSubstr("/proc/no_such_folder"));
  const std::string folder = absl::StrCat(::testing::TempDir(), "/a_folder");
  std::filesystem::create_directories(folder);
  EXPECT_THAT(WriteTextFile(folder, "x").ToString(), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace nncert
