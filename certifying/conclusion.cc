// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/conclusion.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace nncert {
namespace {

// Operations that a reason names one by one.
constexpr size_t kNamedOperations = 4;

std::string CasesText(size_t count) { return absl::StrCat(count, count == 1 ? " case" : " cases"); }

// The operations of the results that `is_meant` holds of, those with the most first: "ADD, MUL and
// 3 other operations".
template <typename Predicate>
std::string OperationsText(const RunReport& report, Predicate is_meant) {
  std::map<std::string, size_t> counts;
  for (const CaseResult& result : report.results) {
    if (is_meant(result)) ++counts[result.operation.empty() ? "(unknown)" : result.operation];
  }
  std::vector<std::pair<std::string, size_t>> operations(counts.begin(), counts.end());
  std::stable_sort(operations.begin(), operations.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const size_t named = std::min(operations.size(), kNamedOperations);
  std::vector<std::string> names;
  for (size_t i = 0; i < named; ++i) names.push_back(operations[i].first);
  const size_t others = operations.size() - named;
  if (others == 0) return absl::StrJoin(names, ", ");
  return absl::StrCat(absl::StrJoin(names, ", "), " and ", others,
                      others == 1 ? " other operation" : " other operations");
}

// What was not run, as the end of a reason; empty when everything was.
std::string UnfinishedText(const RunReport& report) {
  if (report.unfinished == 0) return "";
  return absl::StrCat("; ", CasesText(report.unfinished),
                      report.unfinished == 1 ? " was not run" : " were not run");
}

// What `describe` says of all sections, one after the other.
std::string SectionsText(const RunReport& report, std::string (*describe)(const SuiteSection&)) {
  std::vector<std::string> texts;
  for (const SuiteSection& section : report.sections) {
    if (std::string text = describe(section); !text.empty()) texts.push_back(std::move(text));
  }
  return absl::StrJoin(texts, "; ");
}

// "ADD, MUL": the operations in which tests of sections failed.
std::string OperationsOfSections(const RunReport& report) {
  RunReport failures;
  for (const SuiteSection& section : report.sections) {
    for (const SectionFailure& failure : section.failures) {
      failures.results.push_back(failure.first);
    }
  }
  return OperationsText(failures, [](const CaseResult&) { return true; });
}

}  // namespace

std::string_view toString(Certification certification) {
  switch (certification) {
    case Certification::CERTIFIED:
      return "CERTIFIED";
    case Certification::NOT_CERTIFIED:
      return "NOT CERTIFIED";
    case Certification::INCOMPLETE:
      return "INCOMPLETE";
  }
  return "Certification(?)";
}

Conclusion ConclusionOf(const RunReport& report) {
  const std::map<Verdict, size_t> counts = CountVerdicts(report.results);
  const size_t total = report.results.size();
  const auto is_failed = [&](const CaseResult& result) { return FailsRun(result.verdict, report); };
  const auto failed =
      static_cast<size_t>(std::count_if(report.results.begin(), report.results.end(), is_failed));
  const std::vector<const Finding*> failing = FailingFindings(report);

  if (!report.lost.empty()) {
    return {Certification::NOT_CERTIFIED, absl::StrCat(report.lost, UnfinishedText(report))};
  }
  const std::string failed_in_sections = SectionsText(report, DescribeFailures);
  if (failed > 0) {
    const size_t flaky = counts.at(Verdict::FLAKY);
    return {Certification::NOT_CERTIFIED,
            absl::StrCat(failed, " of ", CasesText(total), " failed, ",
                         flaky > 0 ? absl::StrCat(flaky, " of them not always, ") : "", "in ",
                         OperationsText(report, is_failed), failed_in_sections.empty() ? "" : "; ",
                         failed_in_sections, UnfinishedText(report))};
  }
  if (!failed_in_sections.empty()) {
    return {Certification::NOT_CERTIFIED,
            absl::StrCat(failed_in_sections, ", in ", OperationsOfSections(report))};
  }
  if (!failing.empty()) {
    return {
        Certification::NOT_CERTIFIED,
        absl::StrCat(failing.size() == 1 ? "a finding: "
                                         : absl::StrCat(failing.size(), " findings, the first: "),
                     DescribeFinding(*failing.front()), UnfinishedText(report))};
  }
  if (report.unfinished > 0) {
    return {Certification::INCOMPLETE,
            absl::StrCat(report.unfinished, " of ", CasesText(total + report.unfinished),
                         report.unfinished == 1 ? " was not run" : " were not run")};
  }
  // Suites say themselves what they have not run; what no suite knows of is said here.
  const bool is_whole = absl::c_all_of(
      report.sections, [](const SuiteSection& section) { return section.run >= section.planned; });
  if (is_whole && report.must_pass.has_value() && !report.must_pass->missing.empty()) {
    const MustPassOutcome& list = *report.must_pass;
    const MissingTests& first = list.missing.front();
    return {Certification::INCOMPLETE,
            absl::StrCat(list.tests - list.results, " of ", list.tests,
                         " tests of the must-pass list are MISSING, the first in ", first.suite,
                         first.first.empty() ? "" : ": ", first.first)};
  }
  const size_t undecided = counts.at(Verdict::UNDECIDED);
  const size_t good = counts.at(Verdict::PASS) + counts.at(Verdict::EXPLAINED);
  // What refuses models that are to be refused has computed nothing yet.
  const bool is_any_compared =
      std::any_of(report.results.begin(), report.results.end(),
                  [](const CaseResult& result) { return result.compared_elements > 0; });
  if (undecided == 0 && !is_any_compared &&
      !(report.IsLeftOut(kSpecs) && report.IsLeftOut(kSystematic))) {
    return {
        Certification::NOT_CERTIFIED,
        absl::StrCat("nothing was certified: the driver computed none of the ", CasesText(total),
                     ", of which ", counts.at(Verdict::UNSUPPORTED), " are UNSUPPORTED")};
  }
  if (!report.left_out.empty()) {
    std::string unfinished = SectionsText(report, DescribeUnfinished);
    return {Certification::INCOMPLETE,
            absl::StrCat(unfinished.empty() ? "nothing failed" : unfinished,
                         "; left out: ", absl::StrJoin(report.left_out, ", "))};
  }
  if (std::string unfinished = SectionsText(report, DescribeUnfinished); !unfinished.empty()) {
    return {Certification::INCOMPLETE, std::move(unfinished)};
  }
  if (undecided > 0) {
    return {Certification::INCOMPLETE,
            absl::StrCat(CasesText(undecided), " could not be decided, in ",
                         OperationsText(report, [](const CaseResult& result) {
                           return result.verdict == Verdict::UNDECIDED;
                         }))};
  }
  std::string reason = absl::StrCat(good, " of ", CasesText(total), " passed");
  if (const size_t unsupported = counts.at(Verdict::UNSUPPORTED); unsupported > 0) {
    absl::StrAppend(&reason, ", ", unsupported, unsupported == 1 ? " is" : " are", " UNSUPPORTED");
  }
  uint64_t waived = counts.at(Verdict::WAIVED);
  for (const SuiteSection& section : report.sections) {
    const auto found = section.counts.find(Verdict::WAIVED);
    if (found != section.counts.end()) waived += found->second;
  }
  if (waived > 0) absl::StrAppend(&reason, ", ", waived, waived == 1 ? " is" : " are", " WAIVED");
  if (const size_t suites = report.sections.size(); suites > 0) {
    uint64_t tests = 0;
    for (const SuiteSection& section : report.sections) tests += section.run;
    absl::StrAppend(&reason, "; none of ", tests, " tests of ", suites,
                    suites == 1 ? " other suite failed" : " other suites failed");
  }
  const auto findings =
      std::count_if(report.findings.begin(), report.findings.end(), [](const Finding& finding) {
        return finding.kind == FindingKind::SUSPECT || finding.kind == FindingKind::BIASED;
      });
  if (findings > 0) {
    absl::StrAppend(&reason, ", with ", findings, findings == 1 ? " finding" : " findings",
                    " that --strict would fail");
  }
  return {Certification::CERTIFIED, std::move(reason)};
}

std::string toString(const Conclusion& conclusion) {
  return absl::StrCat(std::string(toString(conclusion.certification)), ": ", conclusion.reason);
}

}  // namespace nncert
