// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What RunReports are as JUnit's XML.

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "certifying/report.h"
#include "system/escape.h"

namespace nncert {
namespace {

std::string NameOf(Verdict verdict) { return std::string(toString(verdict)); }

// The first line of a detail, and the rest.
std::pair<std::string, std::string> SplitDetail(const std::string& detail) {
  const size_t newline = detail.find('\n');
  if (newline == std::string::npos) return {detail, ""};
  return {detail.substr(0, newline), detail.substr(newline + 1)};
}

// Counts as JUnit has them.
struct JUnitCounts {
  size_t failures = 0;
  size_t errors = 0;
  size_t skipped = 0;
};

// The element that a verdict is in JUnit's XML; empty for PASS.
std::string JUnitElement(Verdict verdict, const RunReport& report) {
  switch (verdict) {
    case Verdict::PASS:
      return "";
    case Verdict::FAIL:
    case Verdict::BROKEN_PROMISE:
    case Verdict::FLAKY:
      return "failure";
    case Verdict::CRASH:
    case Verdict::TIMEOUT:
    case Verdict::INVALID:
    case Verdict::WRONG_EXPECTATION:
    case Verdict::MISSING:
      return "error";
    default:
      return FailsRun(verdict, report) ? "error" : "skipped";
  }
}

JUnitCounts CountForJUnit(const std::vector<const CaseResult*>& results, const RunReport& report) {
  JUnitCounts counts;
  for (const CaseResult* result : results) {
    const std::string element = JUnitElement(result->verdict, report);
    counts.failures += element == "failure";
    counts.errors += element == "error";
    counts.skipped += element == "skipped";
  }
  return counts;
}

void AppendJUnitCase(std::string& xml, const CaseResult& result, const RunReport& report) {
  absl::StrAppend(&xml, "    <testcase classname=\"", std::string(FixtureName(result.mode)),
                  "\" name=\"", EscapeXml(result.name), "\"");
  const std::string element = JUnitElement(result.verdict, report);
  if (element.empty()) {
    absl::StrAppend(&xml, "/>\n");
    return;
  }
  const auto [headline, rest] = SplitDetail(result.detail);
  absl::StrAppend(&xml, ">\n      <", element, " message=\"",
                  EscapeXml(absl::StrCat(NameOf(result.verdict), ": ", headline)), "\"");
  // <skipped> has neither a type nor, for most readers, a text.
  if (element != "skipped") {
    absl::StrAppend(&xml, " type=\"", NameOf(result.verdict), "\"");
    if (!rest.empty()) absl::StrAppend(&xml, ">", EscapeXml(rest), "</", element);
    absl::StrAppend(&xml, rest.empty() ? "/>\n" : ">\n");
  } else {
    absl::StrAppend(&xml, "/>\n");
  }
  absl::StrAppend(&xml, "    </testcase>\n");
}

}  // namespace

std::string ReportToJUnitXml(const RunReport& report) {
  std::vector<const CaseResult*> all;
  for (const CaseResult& result : report.results) all.push_back(&result);
  const JUnitCounts total = CountForJUnit(all, report);
  const size_t failing_findings = FailingFindings(report).size();
  const std::string incompleteness = DescribeIncompleteness(report);
  const size_t incomplete = incompleteness.empty() ? 0 : 1;
  size_t section_tests = 0;
  size_t section_failures = 0;
  size_t section_errors = 0;
  for (const SuiteSection& section : report.sections) {
    section_tests += JUnitTests(section);
    section_failures += section.failures.size();
    section_errors += section.run < section.planned ? 1 : 0;
  }
  std::string xml = absl::StrCat(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"", EscapeXml(report.driver),
      "\" tests=\"", all.size() + report.findings.size() + incomplete + section_tests,
      "\" failures=\"", total.failures + failing_findings + section_failures, "\" errors=\"",
      total.errors + incomplete + section_errors, "\">\n");
  if (incomplete > 0) {
    absl::StrAppend(&xml,
                    "  <testsuite name=\"Run\" tests=\"1\" failures=\"0\" errors=\"1\" "
                    "skipped=\"0\">\n    <testcase classname=\"Run\" "
                    "name=\"comes_to_its_end\">\n      <error message=\"",
                    EscapeXml(incompleteness),
                    "\" type=\"INCOMPLETE\"/>\n    </testcase>\n  </testsuite>\n");
  }
  if (!report.findings.empty()) {
    absl::StrAppend(&xml, "  <testsuite name=\"Driver\" tests=\"", report.findings.size(),
                    "\" failures=\"", failing_findings, "\" errors=\"0\" skipped=\"",
                    report.findings.size() - failing_findings, "\">\n");
    for (size_t i = 0; i < report.findings.size(); ++i) {
      const Finding& finding = report.findings[i];
      absl::StrAppend(&xml, "    <testcase classname=\"Driver\" name=\"finding_", i, "\">\n      <",
                      FailsRun(finding.kind, report) ? "failure" : "skipped", " message=\"",
                      EscapeXml(DescribeFinding(finding)), "\"");
      if (FailsRun(finding.kind, report)) {
        absl::StrAppend(&xml, " type=\"", std::string(toString(finding.kind)), "\"");
      }
      absl::StrAppend(&xml, "/>\n    </testcase>\n");
    }
    absl::StrAppend(&xml, "  </testsuite>\n");
  }
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    std::vector<const CaseResult*> results;
    for (const CaseResult* result : all) {
      if (result->mode == mode) results.push_back(result);
    }
    if (results.empty()) continue;
    const JUnitCounts counts = CountForJUnit(results, report);
    absl::StrAppend(&xml, "  <testsuite name=\"", std::string(FixtureName(mode)), "\" tests=\"",
                    results.size(), "\" failures=\"", counts.failures, "\" errors=\"",
                    counts.errors, "\" skipped=\"", counts.skipped, "\">\n");
    for (const CaseResult* result : results) AppendJUnitCase(xml, *result, report);
    absl::StrAppend(&xml, "  </testsuite>\n");
  }
  for (const SuiteSection& section : report.sections) {
    xml += SectionToJUnitXml(section);
  }
  absl::StrAppend(&xml, "</testsuites>\n");
  return xml;
}

}  // namespace nncert
