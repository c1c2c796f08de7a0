// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/page/report_page.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "certifying/conclusion.h"
#include "certifying/page/failure_parts.h"
#include "certifying/page/verdict_marks.h"
#include "certifying/timing.h"
#include "certifying/version.h"
#include "pages/charts.h"
#include "pages/json_part.h"
#include "pages/long_table.h"
#include "pages/markup.h"
#include "pages/numbers.h"
#include "pages/page.h"

namespace nncert {
namespace {

// How many bytes of what is wrong with cases the page has: of a driver that fails everywhere, what
// is beyond is in report.json alone.
constexpr size_t kMostOfDetails = 4'000'000;
constexpr size_t kLongestDetail = 200;

// Seconds as timing.json has them, in thousandths.
Markup SecondsFigure(absl::Duration duration) { return Figure(RoundedSeconds(duration)); }

// "FLOAT32": the types of tensors are what most are.
std::string ShortType(const std::string& type) {
  return std::string(absl::StripPrefix(type, "TENSOR_"));
}

std::map<Verdict, uint64_t> CountsOf(const RunReport& report) {
  const std::map<Verdict, size_t> counts = CountVerdicts(report.results);
  return {counts.begin(), counts.end()};
}

Markup Masthead(const RunReport& report, const Conclusion& conclusion) {
  const bool is_bad = conclusion.certification == Certification::NOT_CERTIFIED;
  const size_t total = report.results.size();
  const auto unsupported = std::count_if(
      report.results.begin(), report.results.end(),
      [](const CaseResult& result) { return result.verdict == Verdict::UNSUPPORTED; });
  const double share =
      total == 0 ? 0 : static_cast<double>(unsupported) / static_cast<double>(total);
  const std::vector<SuiteTotal> suites = SuiteTotals(report);
  const auto complete = std::count_if(suites.begin(), suites.end(),
                                      [](const SuiteTotal& suite) { return suite.IsComplete(); });

  Markup facts = Fact(
      "Version", Isolated(report.driver_version.empty() ? "none given" : report.driver_version));
  facts += Fact("HAL", Text(report.hal_version));
  facts += Fact("Unsupported", ShareFigure(share) + Text(" % of ") + Figure(total) +
                                   Text(total == 1 ? " case" : " cases"));
  Markup completeness = Figure(static_cast<uint64_t>(complete)) + Text(" of ") +
                        Figure(suites.size()) + Text(" that were run are complete");
  if (report.unfinished > 0) {
    completeness += Text("; ") + Figure(report.unfinished) + Text(" cases were not run");
  }
  if (!report.left_out.empty()) {
    completeness += Text(absl::StrCat("; left out: ", absl::StrJoin(report.left_out, ", ")));
  }
  facts += Fact("Suites", completeness);
  if (report.must_pass.has_value()) {
    const MustPassOutcome& list = *report.must_pass;
    facts +=
        Fact("Must-pass list", Figure(list.results) + Text(" of ") + Figure(list.tests) +
                                   Text(absl::StrCat(" tests of HAL ", list.hal_version,
                                                     " have a result; SHA-256 ", list.sha256)));
  }
  if (!report.extensions.empty()) {
    facts += Fact("Extensions", Isolated(absl::StrJoin(report.extensions, ", ")));
  }
  facts += Fact(
      "By", Text(absl::StrCat("nncert ", kVersion,
                              report.start == absl::Time()
                                  ? ""
                                  : absl::FormatTime(", on %Y-%m-%d %H:%M UTC", report.start,
                                                     absl::UTCTimeZone()))) +
                Text("; report.json has format ") + Figure(static_cast<uint64_t>(kReportFormat)));
  Markup header = Element("p", {{"class", "soft"}}, "Certification of a driver") +
                  Element("h1", Isolated(report.driver));
  header += Element("p", {{"class", is_bad ? "headline wrong" : "headline"}},
                    Text(absl::StrCat(std::string(toString(conclusion.certification)), ": ")) +
                        Isolated(Shortened(conclusion.reason, 600)));
  if (!report.lost.empty()) header += Element("p", {{"class", "banner"}}, report.lost);
  return Element("header", header + Element("dl", {{"class", "facts"}}, facts));
}

Markup Suites(const RunReport& report) {
  Table table({{"suite", Table::Kind::TEXT},
               {"tests"},
               {"of"},
               {"seconds"},
               {"what they came to", Table::Kind::TEXT}});
  for (const SuiteTotal& suite : SuiteTotals(report)) {
    const bool is_bad = !suite.IsComplete() || ClassOf(suite.counts, report) == VerdictClass::BAD;
    table.AddRow({Text(suite.name), Figure(suite.run),
                  suite.planned.has_value() ? Figure(*suite.planned) : Text("more"),
                  SecondsFigure(suite.duration), CountsPart(suite.counts, report)},
                 is_bad ? "wrong" : "");
  }
  return Element(
      "section", {{"id", "suites"}},
      Element("h2", Text("Suites")) +
          Element("p", {{"class", "note"}}, "Marked are those that fail, or are not complete.") +
          table.Build());
}

// What is on the must-pass list and has no result.
Markup Missing(const RunReport& report) {
  if (!report.must_pass.has_value() || report.must_pass->missing.empty()) return Markup();
  Table table({{"suite", Table::Kind::TEXT}, {"tests"}, {"the first", Table::Kind::TEXT}});
  for (const MissingTests& missing : report.must_pass->missing) {
    table.AddRow({Text(missing.suite), Figure(missing.tests), Isolated(missing.first)}, "wrong");
  }
  return Element(
      "section", {{"id", "missing"}},
      Element("h2", Text("Missing")) +
          Element("p", {{"class", "note"}}, "What is on the must-pass list and has no result.") +
          table.Build());
}

Markup Counts(const RunReport& report) {
  Table table({{"verdict", Table::Kind::TEXT}, {"cases"}});
  for (const auto& [verdict, count] : CountsOf(report)) {
    table.AddRow({Text(std::string(toString(verdict))), Figure(count)},
                 count > 0 && FailsRun(verdict, report) ? "wrong" : "");
  }
  return Element("details", {{"id", "counts"}},
                 Element("summary", Text("Cases by verdict")) + table.Build());
}

// The cells of an operation, by type.
struct MatrixRow {
  std::string operation;
  std::map<std::string, std::vector<const MatrixCell*>> cells;
  uint64_t failed = 0;
};

std::vector<MatrixRow> RowsOf(const RunReport& report) {
  std::map<std::string, MatrixRow> by_name;
  for (const MatrixCell& cell : report.matrix) {
    MatrixRow& row = by_name[cell.operation];
    row.operation = cell.operation;
    row.cells[cell.type].push_back(&cell);
    for (const auto& [verdict, count] : cell.counts) {
      if (FailsRun(verdict, report)) row.failed += count;
    }
  }
  std::vector<MatrixRow> rows;
  for (auto& [name, row] : by_name) rows.push_back(std::move(row));
  std::stable_sort(rows.begin(), rows.end(),
                   [](const MatrixRow& a, const MatrixRow& b) { return a.failed > b.failed; });
  return rows;
}

// The types, those of most operations first.
std::vector<std::string> TypesOf(const std::vector<MatrixRow>& rows) {
  std::map<std::string, size_t> counts;
  for (const MatrixRow& row : rows) {
    for (const auto& [type, cells] : row.cells) ++counts[type];
  }
  std::vector<std::string> types;
  for (const auto& [type, count] : counts) types.push_back(type);
  std::stable_sort(types.begin(), types.end(), [&](const std::string& a, const std::string& b) {
    return counts[a] > counts[b];
  });
  return types;
}

Markup Matrix(const RunReport& report) {
  if (report.matrix.empty()) return Markup();
  const std::vector<MatrixRow> rows = RowsOf(report);
  const std::vector<std::string> types = TypesOf(rows);
  std::vector<Table::Column> columns = {{"operation", Table::Kind::TEXT}};
  for (const std::string& type : types) {
    columns.push_back({type.empty() ? "no type" : ShortType(type), Table::Kind::TEXT});
  }
  Table table(std::move(columns), "filtered verdicts matrix");
  for (const MatrixRow& row : rows) {
    const std::string anchor = AnchorOfFailure(report, row.operation);
    const Markup name = Text(row.operation.empty() ? "(none)" : row.operation);
    std::vector<Markup> cells = {
        anchor.empty() ? name : Element("a", {{"href", absl::StrCat("#", anchor)}}, name)};
    for (const std::string& type : types) {
      Markup marks;
      if (const auto found = row.cells.find(type); found != row.cells.end()) {
        for (const MatrixCell* const cell : found->second) {
          marks += VerdictMark(ClassOf(cell->counts, report), cell->version);
        }
      }
      cells.push_back(marks);
    }
    table.AddRow(cells, row.failed > 0 ? "wrong" : "");
  }
  Table figures({{"operation", Table::Kind::TEXT},
                 {"type", Table::Kind::TEXT},
                 {"HAL", Table::Kind::TEXT},
                 {"cases", Table::Kind::TEXT}},
                "sortable filtered");
  for (const MatrixCell& cell : report.matrix) {
    figures.AddRow({Text(cell.operation), Text(ShortType(cell.type)), Text(cell.version),
                    CountsPart(cell.counts, report)},
                   ClassOf(cell.counts, report) == VerdictClass::BAD ? "wrong" : "");
  }
  Markup legend;
  for (const auto& [verdict_class, text] :
       {std::pair(VerdictClass::BAD, "some fail"), std::pair(VerdictClass::OPEN, "some open"),
        std::pair(VerdictClass::PART, "some not supported"),
        std::pair(VerdictClass::NONE, "not supported"),
        std::pair(VerdictClass::RIGHT, "all pass")}) {
    legend += VerdictMark(verdict_class, text);
  }
  return Element(
      "section", {{"id", "matrix"}},
      Element("h2", Text("Operations")) +
          Element("p", {{"class", "note"}},
                  Text("Cases by operation, type of the first input, and the HAL version "
                       "that they need; those that fail first.")) +
          Element("p", {{"class", "note legend"}}, legend) + table.Build() +
          Element("details", Element("summary", Text("Every figure of it")) + figures.Build()));
}

Markup RerunCases(const RunReport& report) {
  if (!report.reruns.has_value()) return Markup();
  const RerunOutcome& reruns = *report.reruns;
  Markup section = Element("h2", Text("Failing cases, run again"));
  section += Element("p", {{"class", "note"}},
                     Figure(reruns.again) + Text(" of ") + Figure(reruns.failing) +
                         Text(" failing cases were run again, alone, each in new processes of the "
                              "driver. ") +
                         Text(reruns.flaky.empty() ? "All of these fail always."
                                                   : "Below are those that do not always fail."));
  if (!reruns.limit.empty()) section += Element("p", {{"class", "note"}}, Isolated(reruns.limit));
  Table table({{"case", Table::Kind::TEXT},
               {"in the run", Table::Kind::TEXT},
               {"failed"},
               {"of"},
               {"alone"},
               {"of"},
               {"after others"},
               {"of"},
               {"only after", Table::Kind::TEXT},
               {"to see it", Table::Kind::TEXT}},
              "sortable");
  for (const FlakyCase& flaky : reruns.flaky) {
    const RunTally total = flaky.Total();
    table.AddRow({Isolated(flaky.name), Text(std::string(toString(flaky.first))),
                  Figure(total.failed), Figure(total.runs), Figure(flaky.alone.failed),
                  Figure(flaky.alone.runs), Figure(flaky.after_others.failed),
                  Figure(flaky.after_others.runs), Isolated(flaky.only_after),
                  flaky.command.empty() ? Markup() : Element("code", {}, flaky.command)},
                 "wrong");
  }
  return Element("section", {{"id", "reruns"}}, section + table.Build());
}

Markup Findings(const RunReport& report) {
  if (report.findings.empty()) return Markup();
  Table table({{"finding", Table::Kind::TEXT},
               {"operation", Table::Kind::TEXT},
               {"type", Table::Kind::TEXT},
               {"times"},
               {"what", Table::Kind::TEXT}},
              "sortable");
  for (const Finding& finding : report.findings) {
    table.AddRow({Text(std::string(toString(finding.kind))), Text(finding.operation),
                  Text(ShortType(finding.type)), Figure(finding.count),
                  Isolated(Shortened(finding.detail, 1000))},
                 FailsRun(finding.kind, report) ? "wrong" : "");
  }
  return Element("section", {{"id", "findings"}},
                 Element("h2", Text("Findings")) +
                     Element("p", {{"class", "note"}},
                             "What belongs to no case. Marked are those that fail the run.") +
                     table.Build());
}

Markup Waivers(const RunReport& report) {
  if (report.waivers.empty()) return Markup();
  Table table({{"tests", Table::Kind::TEXT},
               {"state", Table::Kind::TEXT},
               {"failed"},
               {"passed"},
               {"until", Table::Kind::TEXT},
               {"vendor", Table::Kind::TEXT},
               {"device", Table::Kind::TEXT},
               {"driver's version", Table::Kind::TEXT},
               {"reason", Table::Kind::TEXT}});
  for (const WaiverUse& use : report.waivers) {
    const Waiver& waiver = use.waiver;
    table.AddRow({Isolated(waiver.test),
                  Text(use.is_of_other_version ? "of another version"
                       : use.has_expired       ? "expired"
                                               : "holds"),
                  Figure(use.failed), Figure(use.passed),
                  Text(absl::FormatCivilTime(waiver.expires)), Isolated(waiver.vendor),
                  Isolated(waiver.device), Isolated(waiver.driver_version),
                  Isolated(absl::StrCat(waiver.reason, " (", waiver.url, ")"))});
  }
  return Element("section", {{"id", "waivers"}}, Element("h2", Text("Waivers")) + table.Build());
}

Markup Resources(const RunReport& report) {
  Markup facts = Fact("Time", SecondsFigure(report.duration) + Text(" s"));
  if (report.process.has_value()) {
    facts += Fact("Driver's processor time", SecondsFigure(report.process->cpu_time) + Text(" s"));
    facts += Fact("Its greatest memory",
                  Element("span", {{"data-scale", "1048576"}},
                          Figure(static_cast<double>(report.process->peak_memory), 1 << 20)) +
                      Text(" MiB"));
    facts += Fact("Restarts of its process",
                  Figure(static_cast<uint64_t>(std::max(report.process->restarts, 0))));
  } else {
    facts += Fact("Process", Text("nncert's own"));
  }
  return Element("section", {{"id", "resources"}},
                 Element("h2", Text("Resources")) + Element("dl", {{"class", "facts"}}, facts));
}

Markup Support(const RunReport& report) {
  if (report.shares.empty()) return Markup();
  Table table(
      {{"operation", Table::Kind::TEXT}, {"type", Table::Kind::TEXT}, {"supported"}, {"of"}},
      "sortable filtered");
  for (const SupportShare& share : report.shares) {
    table.AddRow({Text(share.operation), Text(ShortType(share.type)), Figure(share.supported),
                  Figure(share.cases)});
  }
  return Element(
      "section", {{"id", "support"}},
      Element("h2", Text("Support")) +
          Element("p", {{"class", "note"}},
                  "Cases of one operation that the driver says it supports.") +
          Element("details", Element("summary", Text("By operation and type")) + table.Build()));
}

Markup Sections(const RunReport& report) {
  if (report.sections.empty()) return Markup();
  Markup parts;
  for (const SuiteSection& section : report.sections) {
    parts += Element("details", {{"id", absl::StrCat("suite-", section.name)}},
                     Element("summary", Text(absl::StrCat(section.name, ": ", section.tests))) +
                         JsonPart(section.json));
  }
  return Element("section", {{"id", "sections"}},
                 Element("h2", Text("What each suite says")) + parts);
}

Markup Cases(const RunReport& report) {
  LongTable table("cases-data", {"verdict", "operation", "type", "mode", "case", "what"});
  size_t left = kMostOfDetails;
  bool is_cut = false;
  const auto add = [&](const CaseResult& result) {
    std::string detail = Shortened(FirstLine(result.detail), kLongestDetail);
    if (!result.deviation.empty()) absl::StrAppend(&detail, " (deviation ", result.deviation, ")");
    if (detail.size() > left) {
      detail.clear();
      is_cut = true;
    }
    left -= detail.size();
    table.AddRow({std::string(toString(result.verdict)), result.operation, ShortType(result.type),
                  ModeName(result.mode), result.name, detail});
  };
  // What fails is what most look for.
  for (const bool is_failing : {true, false}) {
    for (const CaseResult& result : report.results) {
      if (FailsRun(result.verdict, report) == is_failing) add(result);
    }
  }
  const Markup built = table.Build();
  if (built.empty()) return Markup();
  return Element("section", {{"id", "cases"}},
                 Element("h2", Text("Cases")) + Counts(report) +
                     (is_cut ? Element("p", {{"class", "note"}},
                                       "So many cases have something to say that only report.json "
                                       "has it of all.")
                             : Markup()) +
                     built);
}

// The page, with a part behind its head.
std::string Page(const RunReport& report, const Conclusion& conclusion,
                 const Markup& verification) {
  return WritePage(absl::StrCat(Shortened(report.driver, 80), ": certification"),
                   Element("main", Masthead(report, conclusion) + verification + Suites(report) +
                                       Missing(report) + FailuresInBrief(report) + Matrix(report) +
                                       FailureParts(report) + RerunCases(report) +
                                       Findings(report) + Waivers(report) + Resources(report) +
                                       Support(report) + Sections(report) + Cases(report)));
}

}  // namespace

std::string ReportToHtml(const RunReport& report) {
  return Page(report, ConclusionOf(report), Markup());
}

std::string ReportToHtml(const RunReport& report, const Conclusion& conclusion,
                         const PageVerification& verification) {
  Markup part = Element("h2", Text("Verification"));
  for (const std::string& paragraph : verification.paragraphs) {
    part += Element("p", {{"class", verification.is_accepted ? "note" : "banner"}},
                    Isolated(Shortened(paragraph, 600)));
  }
  return Page(report, conclusion, Element("section", {{"id", "verification"}}, part));
}

}  // namespace nncert
