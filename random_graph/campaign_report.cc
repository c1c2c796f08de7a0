// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign_report.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "cases/coverage/coverage.h"
#include "certifying/report.h"
#include "reference/chosen_quantization.h"
#include "system/escape.h"

namespace nncert {
namespace {

// Where the smallest case of a failure is.
std::string PlaceOf(const GraphFailure& failure) {
  return failure.result.dumped_files.empty() ? failure.result.name
                                             : failure.result.dumped_files.front();
}

std::string Plural(uint64_t count, const char* noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// "FAIL: " and what is wrong, in a line.
std::string DescribeVerdict(const CaseResult& result) {
  return absl::StrCat(std::string(toString(result.verdict)), result.detail.empty() ? "" : ": ",
                      FirstLine(result.detail));
}

std::string DescribeFailure(const GraphFailure& failure) {
  std::string text = absl::StrCat(std::string(toString(failure.verdict)), " ", failure.operation,
                                  failure.type.empty() ? "" : " ", failure.type);
  if (!failure.elements.empty()) {
    absl::StrAppend(&text, ", hostile elements (", failure.elements, ")");
  }
  absl::StrAppend(&text, ": ", Plural(failure.count, "graph"));
  if (failure.number.has_value()) {
    absl::StrAppendFormat(&text, ", the first (number %d) after %.1f s", *failure.number,
                          absl::ToDoubleSeconds(failure.found_after));
  } else {
    absl::StrAppend(&text, ", a case of the corpus");
  }
  absl::StrAppendFormat(&text, "; made small in %.1f s: %s\n",
                        absl::ToDoubleSeconds(failure.reduction_time),
                        Plural(failure.smallest.model.operations.size(), "operation"));
  absl::StrAppend(&text, "  ", absl::StrReplaceAll(failure.result.detail, {{"\n", "\n  "}}), "\n");
  if (failure.against.has_value()) {
    absl::StrAppend(&text, "  the other driver: ", DescribeVerdict(*failure.against), "\n");
  }
  return text;
}

std::string DescribeCounts(const std::map<Verdict, uint64_t>& counts) {
  return absl::StrJoin(counts, ", ", [](std::string* out, const auto& entry) {
    absl::StrAppend(out, entry.second, " ", std::string(toString(entry.first)));
  });
}

// {"PASS": 12, "FAIL": 1}
std::string CountsToJson(const std::map<Verdict, uint64_t>& counts) {
  return absl::StrCat("{",
                      absl::StrJoin(counts, ", ",
                                    [](std::string* out, const auto& entry) {
                                      absl::StrAppend(out, "\"", std::string(toString(entry.first)),
                                                      "\": ", entry.second);
                                    }),
                      "}");
}

// {"operation": "SVDF", "type": "TENSOR_FLOAT32", "operations": 310, "counts": {"EXPLAINED": 2},
// "hostileCounts": {}}, by operation and type.
std::string OpenToJson(const CampaignResult& result) {
  const auto append = [&result](std::string* out, const auto& entry) {
    const auto met = result.coverage.operations.find(entry.first);
    absl::StrAppend(out, "\n    {\"operation\": \"", EscapeJson(entry.first.first),
                    "\", \"type\": \"", EscapeJson(entry.first.second), "\", \"operations\": ",
                    met == result.coverage.operations.end() ? 0 : met->second.count,
                    ", \"counts\": ", CountsToJson(entry.second.counts),
                    ", \"hostileCounts\": ", CountsToJson(entry.second.hostile_counts), "}");
  };
  return absl::StrCat("[", absl::StrJoin(result.open, ",", append),
                      result.open.empty() ? "" : "\n  ", "]");
}

// All but the findings.
std::string DescribeGraphs(const CampaignResult& result) {
  std::string text;
  for (const GraphFailure& failure : result.failures) {
    absl::StrAppend(&text, DescribeFailure(failure));
  }
  if (!result.lost.empty()) absl::StrAppend(&text, "The driver was lost: ", result.lost, "\n");
  if (result.is_interrupted) absl::StrAppend(&text, "Interrupted.\n");
  if (const std::vector<std::string> types = TypesThatCannotBeChosen(); !types.empty()) {
    absl::StrAppend(&text, "Left out, since their extensions do not say how to choose values: ",
                    absl::StrJoin(types, ", "), "\n");
  }
  if (!result.corpus_counts.empty()) {
    absl::StrAppend(&text, "Of the corpus: ", DescribeCounts(result.corpus_counts), "\n");
  }
  if (!result.hostile_counts.empty()) {
    absl::StrAppend(&text,
                    "Of the graphs with hostile elements: ", DescribeCounts(result.hostile_counts),
                    "\n");
  }
  absl::StrAppend(&text, DescribeProgress(result), "\n");
  return text;
}

}  // namespace

std::string DescribeProgress(const CampaignResult& result) {
  const double seconds = absl::ToDoubleSeconds(result.duration);
  const auto graphs = static_cast<double>(result.graphs_in_duration);
  std::string text = absl::StrFormat("%s in %.1f s, %.0f a second", Plural(result.graphs, "graph"),
                                     seconds, seconds > 0 ? graphs / seconds : 0.0);
  if (!result.counts.empty()) absl::StrAppend(&text, ": ", DescribeCounts(result.counts));
  uint64_t failing = 0;
  for (const GraphFailure& failure : result.failures) failing += failure.count;
  absl::StrAppend(&text, "; ", Plural(result.failures.size(), "kind"), " of failures (",
                  Plural(failing, "graph"), "); ", DescribeCoverage(result.coverage));
  return text;
}

std::string Summarize(const CampaignResult& result) {
  std::string text;
  for (const Finding& finding : result.findings) {
    absl::StrAppend(&text, DescribeFinding(finding), "\n");
  }
  return EscapeForTerminal(absl::StrCat(text, DescribeGraphs(result)));
}

std::string CampaignToJson(const CampaignResult& result, bool has_times) {
  std::string json = absl::StrCat("{\n  \"graphs\": ", result.graphs, ",\n");
  if (!result.lost.empty()) {
    absl::StrAppend(&json, "  \"lost\": \"", EscapeJson(result.lost), "\",\n");
  }
  if (result.is_interrupted) absl::StrAppend(&json, "  \"interrupted\": true,\n");
  absl::StrAppend(&json, "  \"counts\": ", CountsToJson(result.counts),
                  ",\n  \"hostileCounts\": ", CountsToJson(result.hostile_counts), ",\n");
  absl::StrAppend(&json, "  \"open\": ", OpenToJson(result), ",\n");
  if (const std::vector<std::string> types = TypesThatCannotBeChosen(); !types.empty()) {
    const auto append_name = [](std::string* out, const std::string& name) {
      absl::StrAppend(out, QuoteJson(name));
    };
    absl::StrAppend(&json, "  \"leftOut\": [", absl::StrJoin(types, ", ", append_name), "],\n");
  }
  if (!result.corpus_counts.empty()) {
    absl::StrAppend(&json, "  \"corpusCounts\": ", CountsToJson(result.corpus_counts), ",\n");
  }
  const auto append_failure = [has_times](std::string* out, const GraphFailure& failure) {
    absl::StrAppend(out, "\n    {\"operation\": \"", EscapeJson(failure.operation),
                    "\", \"type\": \"", EscapeJson(failure.type), "\", \"verdict\": \"",
                    std::string(toString(failure.verdict)), "\", \"count\": ", failure.count,
                    ", \"case\": \"", EscapeJson(PlaceOf(failure)), "\", \"detail\": \"",
                    EscapeJson(FirstLine(failure.result.detail)),
                    "\", \"operations\": ", failure.smallest.model.operations.size());
    if (!failure.elements.empty()) {
      absl::StrAppend(out, ", \"elements\": \"", EscapeJson(failure.elements), "\"");
    }
    if (failure.against.has_value()) {
      absl::StrAppend(out, ", \"against\": \"", EscapeJson(DescribeVerdict(*failure.against)),
                      "\"");
    }
    if (has_times) {
      absl::StrAppendFormat(out, ", \"foundAfterSeconds\": %.3f, \"reductionSeconds\": %.3f",
                            absl::ToDoubleSeconds(failure.found_after),
                            absl::ToDoubleSeconds(failure.reduction_time));
    }
    absl::StrAppend(out, "}");
  };
  absl::StrAppend(&json, "  \"failures\": [", absl::StrJoin(result.failures, ",", append_failure),
                  result.failures.empty() ? "" : "\n  ",
                  "],\n  \"findings\": ", FindingsToJson(result.findings), "\n}\n");
  return json;
}

SuiteSection SectionOf(const CampaignResult& result, uint64_t seed, uint64_t planned,
                       bool is_strict) {
  SuiteSection section;
  section.name = kRandomGraphs;
  section.suite = "RandomGraphs";
  section.member = kGraphsMember;
  section.test = "random graph";
  section.tests = kGraphsWord;
  section.json = CampaignToJson(result, /*has_times=*/false);
  section.summary = absl::StrCat("Random graphs of seed ", seed, "\n", DescribeGraphs(result));
  section.planned = planned;
  section.run = std::min(planned, result.graphs);
  section.counts.insert(result.counts.begin(), result.counts.end());
  for (const GraphFailure& failure : result.failures) {
    if (!failure.Counts(is_strict)) continue;
    section.failed += failure.count;
    section.failures.push_back({.first = failure.result, .tests = failure.count});
  }
  section.duration = result.duration;
  return section;
}

}  // namespace nncert
