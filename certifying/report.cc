// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/report.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "certifying/conclusion.h"
#include "certifying/version.h"
#include "system/escape.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

// How many rows the tables of the summary have at the most.
constexpr size_t kFailureRows = 10;
constexpr size_t kSpecsOfKind = 3;
constexpr size_t kSlowestRows = 3;
constexpr size_t kFindingRows = 10;
// A case is only worth naming as slow from here on.
constexpr absl::Duration kSlow = absl::Milliseconds(200);
// Reading takes time that is worth telling from here on.
constexpr absl::Duration kWorthTelling = absl::Milliseconds(100);

std::string NameOf(Verdict verdict) { return std::string(toString(verdict)); }

// A list of strings.
std::string JsonList(absl::Span<const std::string> texts) {
  return absl::StrCat("[",
                      absl::StrJoin(texts, ", ",
                                    [](std::string* json, const std::string& text) {
                                      absl::StrAppend(json, "\"", EscapeJson(text), "\"");
                                    }),
                      "]");
}

// The members that runs of the same cases have in common.
std::string JsonMembers(const RunReport& report) {
  const std::vector<CaseResult>& results = report.results;
  std::string json = absl::StrCat("  \"driver\": \"", EscapeJson(report.driver),
                                  "\",\n  \"driverVersion\": \"", EscapeJson(report.driver_version),
                                  "\",\n  \"findings\": ", FindingsToJson(report.findings), ",\n");
  if (!report.lost.empty()) {
    absl::StrAppend(&json, "  \"lost\": \"", EscapeJson(report.lost), "\",\n");
  }
  if (report.unfinished > 0) {
    absl::StrAppend(&json, "  \"unfinished\": ", report.unfinished, ",\n");
  }
  absl::StrAppend(&json, "  \"counts\": {\n");
  absl::StrAppend(&json,
                  absl::StrJoin(CountVerdicts(results), ",\n",
                                [](std::string* text, const auto& entry) {
                                  absl::StrAppend(text, "    \"", NameOf(entry.first),
                                                  "\": ", entry.second);
                                }),
                  "\n  },\n  \"cases\": [");
  const char* separator = "\n";
  for (const CaseResult& result : results) {
    absl::StrAppend(&json, separator, "    {\"name\": \"", EscapeJson(result.name),
                    "\", \"mode\": \"", ModeName(result.mode), "\", \"operation\": \"",
                    EscapeJson(result.operation), "\", \"type\": \"", EscapeJson(result.type),
                    "\", \"verdict\": \"", NameOf(result.verdict), "\", \"detail\": \"",
                    EscapeJson(result.detail), "\"");
    if (!result.deviation.empty()) {
      absl::StrAppend(&json, ", \"deviation\": \"", EscapeJson(result.deviation), "\"");
    }
    absl::StrAppend(&json, "}");
    separator = ",\n";
  }
  absl::StrAppend(&json, results.empty() ? "]\n" : "\n  ]\n");
  return json;
}

std::string Percent(size_t part, size_t whole) {
  return absl::StrFormat(
      "%.1f%%", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string OperationText(const std::string& operation) {
  return operation.empty() ? "(unknown)" : operation;
}

// ", variations of conv_relu6 (8), conv (6)"; empty where no spec is known.
std::string VariationsText(const FailureKind& kind) {
  if (kind.specs.empty()) return "";
  const size_t shown = std::min(kind.specs.size(), kSpecsOfKind);
  const auto append = [](std::string* text, const auto& entry) {
    absl::StrAppend(text, entry.first, " (", entry.second, ")");
  };
  return absl::StrCat(
      ", variations of ",
      absl::StrJoin(kind.specs.begin(), kind.specs.begin() + static_cast<std::ptrdiff_t>(shown),
                    ", ", append),
      kind.specs.size() > shown ? absl::StrCat(" and ", kind.specs.size() - shown, " more") : "");
}

// Every kind of failure, and the first case of each.
void AppendFailures(std::string& text, const RunReport& report) {
  std::vector<FailureKind> kinds = FailureKindsOf(report);
  // Other suites tell of theirs themselves.
  std::erase_if(kinds, [](const FailureKind& kind) { return !kind.is_of_cases; });
  if (kinds.empty()) return;
  const size_t shown = std::min(kinds.size(), kFailureRows);
  absl::StrAppend(&text, "\nFailing operations, of the cases that ran, and the first of each\n");
  for (size_t i = 0; i < shown; ++i) {
    const FailureKind& kind = kinds[i];
    const uint64_t of = kind.of.value_or(kind.failed);
    absl::StrAppend(&text, "  ", OperationText(kind.operation), kind.type.empty() ? "" : " ",
                    kind.type, " ", NameOf(kind.verdict), ": ", kind.failed, " of ", of, " (",
                    Percent(kind.failed, of), ")", VariationsText(kind), "\n    ",
                    FullName(kind.first), ": ", FirstLine(kind.first.detail), "\n");
  }
  if (kinds.size() > shown) absl::StrAppend(&text, "  and ", kinds.size() - shown, " more\n");
}

// The likely cause of the failures of each operation, operations with the same one together.
void AppendCauses(std::string& text, const RunReport& report) {
  std::vector<std::pair<const Cause*, std::set<std::string>>> causes;
  std::set<std::string> seen;
  for (const FailureKind& kind : report.failures) {
    if (kind.causes.empty() || !seen.insert(kind.operation).second) continue;
    const Cause& first = kind.causes.front();
    const auto same = absl::c_find_if(
        causes, [&first](const auto& entry) { return entry.first->rule == first.rule; });
    if (same == causes.end()) {
      causes.push_back({&first, {kind.operation}});
    } else {
      same->second.insert(kind.operation);
    }
  }
  if (causes.empty()) return;
  absl::StrAppend(&text, "\nLikely causes (docs/diagnosis.md)\n");
  for (const auto& [cause, operations] : causes) {
    absl::StrAppend(&text, "  ", absl::StrJoin(operations, ", "), ": as if ", cause->rule, " (",
                    cause->explained, " of ", cause->of, " wrong elements agree",
                    cause->rivals == 0 ? "" : absl::StrCat("; ", cause->rivals, " rivals"),
                    "): ", cause->cause, "\n");
  }
}

void AppendSlowest(std::string& text, absl::Span<const CaseResult> results) {
  std::vector<const CaseResult*> slow;
  for (const CaseResult& result : results) {
    if (result.duration >= kSlow) slow.push_back(&result);
  }
  const size_t count = std::min(slow.size(), kSlowestRows);
  std::partial_sort(slow.begin(), slow.begin() + static_cast<std::ptrdiff_t>(count), slow.end(),
                    [](const auto* a, const auto* b) { return a->duration > b->duration; });
  if (count == 0) return;
  absl::StrAppend(&text, "\nSlowest\n");
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppendFormat(&text, "  %6.1f s  %s\n", absl::ToDoubleSeconds(slow[i]->duration),
                          FullName(*slow[i]));
  }
}

// {"PASS": 3}, without those that are 0.
std::string CountsToJson(const std::map<Verdict, uint64_t>& counts) {
  std::vector<std::string> texts;
  for (const auto& [verdict, count] : counts) {
    if (count > 0) texts.push_back(absl::StrCat("\"", NameOf(verdict), "\": ", count));
  }
  return absl::StrCat("{", absl::StrJoin(texts, ", "), "}");
}

// A suite in the list of suites.
std::string SuiteToJson(const SuiteTotal& suite) {
  return absl::StrCat("\n    {\"name\": \"", EscapeJson(suite.name), "\", \"cases\": ", suite.run,
                      ", \"counts\": ", CountsToJson(suite.counts), "}");
}

// How long the cases took together.
absl::Duration DurationOf(absl::Span<const CaseResult> results) {
  absl::Duration sum;
  for (const CaseResult& result : results) sum += result.duration;
  return sum;
}

// Every suite that was run.
std::string SuitesToJson(const RunReport& report) {
  std::vector<std::string> suites;
  for (const SuiteTotal& suite : SuiteTotals(report)) {
    suites.push_back(SuiteToJson(suite));
  }
  return absl::StrCat("  \"suites\": [", absl::StrJoin(suites, ","), "\n  ],\n");
}

// What is on the list, and what of it has no result.
std::string MustPassToJson(const MustPassOutcome& outcome) {
  std::string json =
      absl::StrCat("  \"mustPass\": {\"halVersion\": \"", EscapeJson(outcome.hal_version),
                   "\", \"sha256\": \"", outcome.sha256, "\", \"tests\": ", outcome.tests,
                   ", \"results\": ", outcome.results, ", \"missing\": [");
  const char* separator = "";
  for (const MissingTests& missing : outcome.missing) {
    absl::StrAppend(&json, separator, "\n    {\"suite\": \"", EscapeJson(missing.suite),
                    "\", \"tests\": ", missing.tests, ", \"first\": \"", EscapeJson(missing.first),
                    "\"}");
    separator = ",";
  }
  return absl::StrCat(json, outcome.missing.empty() ? "" : "\n  ", "]},\n");
}

}  // namespace

std::string FindingsToJson(absl::Span<const Finding> findings) {
  if (findings.empty()) return "[]";
  const auto append = [](std::string* json, const Finding& finding) {
    absl::StrAppend(json, "    {\"kind\": \"", std::string(toString(finding.kind)),
                    "\", \"operation\": \"", EscapeJson(finding.operation), "\", \"type\": \"",
                    EscapeJson(finding.type), "\", \"count\": ", finding.count, ", \"detail\": \"",
                    EscapeJson(finding.detail), "\"}");
  };
  return absl::StrCat("[\n", absl::StrJoin(findings, ",\n", append), "\n  ]");
}

bool RunReport::IsLeftOut(std::string_view suite) const {
  return absl::c_linear_search(left_out, suite);
}

RunReport ReportOn(const DriverSession& session) {
  RunReport report;
  report.driver = session.name();
  report.driver_version = session.version_string();
  report.hal_version = std::string(toString(session.hal_version()));
  for (const hal::V1_2::Extension& extension : session.extensions()) {
    report.extensions.push_back(extension.name);
  }
  for (const std::string& finding : session.findings()) {
    report.findings.push_back({.kind = FindingKind::RULE, .detail = finding});
  }
  return report;
}

std::map<Verdict, size_t> CountVerdicts(absl::Span<const CaseResult> results) {
  std::map<Verdict, size_t> counts;
  for (const Verdict verdict : kVerdicts) counts[verdict] = 0;
  for (const CaseResult& result : results) ++counts[result.verdict];
  return counts;
}

bool FailsRun(Verdict verdict, const RunReport& report) {
  return report.is_suite ? FailsSuite(verdict) : IsFailure(verdict);
}

bool FailsRun(FindingKind kind, const RunReport& report) {
  switch (kind) {
    case FindingKind::RULE:
    case FindingKind::PROCESS:
      return true;
    case FindingKind::SUSPECT:
    case FindingKind::BIASED:
      return report.is_strict;
    case FindingKind::UNDIVIDED:
    case FindingKind::WAIVER:
      return false;
  }
  return true;
}

std::vector<const Finding*> FailingFindings(const RunReport& report) {
  std::vector<const Finding*> failing;
  for (const Finding& finding : report.findings) {
    if (FailsRun(finding.kind, report)) failing.push_back(&finding);
  }
  return failing;
}

std::vector<SuiteTotal> SuiteTotals(const RunReport& report) {
  if (!report.totals.empty()) return report.totals;
  std::vector<SuiteTotal> totals;
  absl::Duration of_cases = report.duration;
  for (const SuiteSection& section : report.sections) of_cases -= section.duration;
  const absl::Duration busy = DurationOf(report.results);
  absl::Span<const CaseResult> left = report.results;
  for (const CaseSuite& suite : report.case_suites) {
    const absl::Span<const CaseResult> results = left.subspan(0, suite.results);
    left.remove_prefix(results.size());
    if (report.IsLeftOut(suite.name)) continue;
    // Cases of several suites run at the same time, on several workers.
    const double share =
        busy > absl::ZeroDuration() ? absl::FDivDuration(DurationOf(results), busy) : 1;
    const std::map<Verdict, size_t> counts = CountVerdicts(results);
    SuiteTotal& total = totals.emplace_back();
    total.name = suite.name;
    total.run = results.size();
    if (report.unfinished == 0) total.planned = results.size();
    total.counts.insert(counts.begin(), counts.end());
    total.duration = share * of_cases;
  }
  for (const SuiteSection& section : report.sections) {
    totals.push_back(
        {section.name, section.run, section.planned, section.counts, section.duration});
  }
  return totals;
}

std::string SuiteOfResult(const RunReport& report, size_t result) {
  for (const CaseSuite& suite : report.case_suites) {
    if (result < suite.results) return suite.name;
    result -= suite.results;
  }
  return kSpecs;
}

std::vector<FailureKind> FailureKindsOf(const RunReport& report) {
  std::map<std::pair<std::string, std::string>, uint64_t> totals;
  std::map<std::tuple<std::string, std::string, Verdict>, FailureKind> by_name;
  for (size_t i = 0; i < report.results.size(); ++i) {
    const CaseResult& result = report.results[i];
    if (result.verdict == Verdict::UNSUPPORTED) continue;
    ++totals[{result.operation, result.type}];
    if (!FailsRun(result.verdict, report)) continue;
    FailureKind& kind = by_name[{result.operation, result.type, result.verdict}];
    const auto spec = absl::c_find_if(
        kind.specs, [&result](const auto& entry) { return entry.first == result.spec; });
    if (spec != kind.specs.end()) {
      ++spec->second;
    } else if (!result.spec.empty()) {
      kind.specs.emplace_back(result.spec, 1);
    }
    if (kind.failed++ > 0) continue;
    kind.suite = SuiteOfResult(report, i);
    kind.is_of_cases = true;
    kind.operation = result.operation;
    kind.type = result.type;
    kind.verdict = result.verdict;
    kind.first = result;
  }
  std::vector<FailureKind> kinds;
  for (auto& [name, kind] : by_name) {
    kind.of = totals[{kind.operation, kind.type}];
    std::stable_sort(kind.specs.begin(), kind.specs.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    kinds.push_back(std::move(kind));
  }
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const auto& a, const auto& b) { return a.failed > b.failed; });
  for (const SuiteSection& section : report.sections) {
    for (const auto& [first, tests] : section.failures) {
      FailureKind& kind = kinds.emplace_back();
      kind.suite = section.name;
      kind.operation = first.operation;
      kind.type = first.type;
      kind.verdict = first.verdict;
      kind.failed = tests;
      kind.first = first;
    }
  }
  return kinds;
}

void Waive(RunWaivers& waivers, RunReport& report) {
  for (CaseResult& result : report.results) {
    const bool has_failed = FailsRun(result.verdict, report);
    if (!has_failed && result.verdict != Verdict::PASS) continue;
    const Waiver* const waiver = waivers.Find(FullName(result), has_failed);
    if (waiver == nullptr) continue;
    result.detail = absl::StrCat(waiver->reason, " (", waiver->url, "), in spite of ",
                                 NameOf(result.verdict), ": ", result.detail);
    result.verdict = Verdict::WAIVED;
  }
  report.waivers = waivers.Uses();
  for (Finding& finding : FindingsOf(report.waivers)) {
    report.findings.push_back(std::move(finding));
  }
}

bool AnyFailed(const RunReport& report) {
  return !report.lost.empty() || !FailingFindings(report).empty() ||
         std::any_of(report.sections.begin(), report.sections.end(),
                     [](const SuiteSection& section) { return section.failed > 0; }) ||
         std::any_of(report.results.begin(), report.results.end(),
                     [&](const CaseResult& result) { return FailsRun(result.verdict, report); });
}

std::string ModeName(TestMode mode) { return mode == TestMode::kStatic ? "static" : "dynamic"; }

std::string ResultsToJson(const RunReport& report) {
  return absl::StrCat("{\n", JsonMembers(report), "}\n");
}

std::string ReportToJson(const RunReport& report) {
  std::string optional_members;
  if (report.must_pass.has_value()) optional_members += MustPassToJson(*report.must_pass);
  const std::string shares =
      absl::StrJoin(report.shares, ",\n", [](std::string* json, const SupportShare& share) {
        absl::StrAppend(json, "    {\"operation\": \"", EscapeJson(share.operation),
                        "\", \"type\": \"", EscapeJson(share.type),
                        "\", \"supported\": ", share.supported, ", \"cases\": ", share.cases, "}");
      });
  if (!shares.empty()) absl::StrAppend(&optional_members, "  \"support\": [\n", shares, "\n  ],\n");
  optional_members += SuitesToJson(report);
  const std::string cells =
      absl::StrJoin(report.matrix, ",\n", [](std::string* json, const MatrixCell& cell) {
        absl::StrAppend(json, "    {\"operation\": \"", EscapeJson(cell.operation),
                        "\", \"type\": \"", EscapeJson(cell.type), "\", \"version\": \"",
                        cell.version, "\", \"counts\": ", CountsToJson(cell.counts), "}");
      });
  if (!cells.empty()) absl::StrAppend(&optional_members, "  \"matrix\": [\n", cells, "\n  ],\n");
  if (!report.waivers.empty()) {
    absl::StrAppend(&optional_members, "  \"waivers\": ", WaiversToJson(report.waivers), ",\n");
  }
  if (!report.failures.empty()) {
    absl::StrAppend(&optional_members, "  \"failures\": ", FailureKindsToJson(report.failures),
                    ",\n");
  }
  if (report.reruns.has_value()) {
    absl::StrAppend(&optional_members, "  \"reruns\": ", RerunsToJson(*report.reruns), ",\n");
  }
  for (const SuiteSection& section : report.sections) {
    optional_members += SectionToJson(section);
  }
  const Conclusion conclusion = ConclusionOf(report);
  return absl::StrCat(
      "{\n  \"format\": ", kReportFormat, ",\n  \"nncert\": \"", kVersion,
      "\",\n  \"certification\": \"", std::string(toString(conclusion.certification)),
      "\",\n  \"reason\": \"", EscapeJson(conclusion.reason),
      "\",\n  \"leftOut\": ", JsonList(report.left_out), ",\n  \"halVersion\": \"",
      EscapeJson(report.hal_version), "\",\n  \"extensions\": ", JsonList(report.extensions), ",\n",
      optional_members, JsonMembers(report), "}\n");
}

std::string DescribeIncompleteness(const RunReport& report) {
  if (report.unfinished == 0 && report.lost.empty()) return "";
  const size_t done = report.results.size();
  return absl::StrCat(report.lost.empty() ? "INTERRUPTED" : "STOPPED", " after ", done, " of ",
                      done + report.unfinished, " cases",
                      report.lost.empty() ? "" : absl::StrCat(": ", report.lost),
                      report.resume_command.empty()
                          ? "; without a journal the run cannot go on"
                          : absl::StrCat("; to go on: ", report.resume_command));
}

std::string Summarize(const RunReport& report, absl::Span<const std::string> reports) {
  const std::map<Verdict, size_t> counts = CountVerdicts(report.results);
  const size_t total = report.results.size();
  const size_t unsupported = counts.at(Verdict::UNSUPPORTED);
  std::string text;
  if (const std::string incompleteness = DescribeIncompleteness(report); !incompleteness.empty()) {
    absl::StrAppend(&text, incompleteness, "\n");
  }
  absl::StrAppend(&text, DescribeShares(report.shares));
  absl::StrAppend(&text, "UNSUPPORTED ", Percent(unsupported, total), " (", unsupported, " of ",
                  total, total == 1 ? " case)\n" : " cases)\n");
  std::vector<std::string> verdicts;
  for (const Verdict verdict : kVerdicts) {
    // PASS is named even when nothing passed.
    if (verdict == Verdict::UNSUPPORTED) continue;
    if (verdict != Verdict::PASS && counts.at(verdict) == 0) continue;
    verdicts.push_back(absl::StrCat(NameOf(verdict), " ", counts.at(verdict)));
  }
  absl::StrAppend(&text, absl::StrJoin(verdicts, "   "), "\n");
  const auto documented =
      std::count_if(report.results.begin(), report.results.end(),
                    [](const CaseResult& result) { return !result.deviation.empty(); });
  if (documented > 0) {
    absl::StrAppend(&text, documented, documented == 1 ? " case" : " cases",
                    " judged by the documentation, not by the expected values: "
                    "docs/deviations.md\n");
  }
  AppendFailures(text, report);
  AppendCauses(text, report);
  if (report.reruns.has_value()) absl::StrAppend(&text, DescribeReruns(*report.reruns));
  AppendSlowest(text, report.results);
  // Sections of one line stand together, as a table.
  bool is_in_table = false;
  for (const SuiteSection& section : report.sections) {
    const bool is_line = absl::c_count(section.summary, '\n') == 1;
    absl::StrAppend(&text, is_line && is_in_table ? "" : "\n", section.summary);
    is_in_table = is_line;
  }
  absl::StrAppendFormat(&text, "\nDriver %s%s%s, HAL %s, %.1f s%s\n", report.driver,
                        report.driver_version.empty() ? "" : ": ", report.driver_version,
                        report.hal_version, absl::ToDoubleSeconds(report.duration + report.reading),
                        report.reading < kWorthTelling
                            ? ""
                            : absl::StrFormat(", %.1f s of it to read the cases",
                                              absl::ToDoubleSeconds(report.reading)));
  if (!report.extensions.empty()) {
    absl::StrAppend(&text, "Extensions: ", absl::StrJoin(report.extensions, ", "), "\n");
  }
  if (report.process.has_value()) {
    const ProcessReport& process = *report.process;
    absl::StrAppendFormat(&text, "Its processes: %d %s, %.1f s of CPU time, at most %.1f MiB\n",
                          process.restarts, process.restarts == 1 ? "restart" : "restarts",
                          absl::ToDoubleSeconds(process.cpu_time),
                          static_cast<double>(process.peak_memory) / (1 << 20));
  }
  for (size_t i = 0; i < std::min(report.findings.size(), kFindingRows); ++i) {
    absl::StrAppend(&text, DescribeFinding(report.findings[i]), "\n");
  }
  if (report.findings.size() > kFindingRows) {
    absl::StrAppend(&text, "and ", report.findings.size() - kFindingRows,
                    " more findings that belong to no case\n");
  }
  for (const std::string& line : reports) absl::StrAppend(&text, line, "\n");
  return EscapeForTerminal(text);
}

std::string DescribeResult(const CaseResult& result) {
  return EscapeForTerminal(absl::StrCat(NameOf(result.verdict), " ", FullName(result),
                                        result.detail.empty() ? "" : ": ", result.detail));
}

absl::Status WriteTextFile(const std::string& path, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      return absl::UnavailableError(
          absl::StrCat("cannot make the folder ", folder.string(), ": ", error.message()));
    }
  }
  return WriteWholeFile(path, text);
}

}  // namespace nncert
