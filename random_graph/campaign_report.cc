// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign_report.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "certifying/report.h"
#include "system/escape.h"

namespace nncert {
namespace {

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// Where the smallest case of a failure is.
std::string PlaceOf(const GraphFailure& failure) {
  return failure.result.dumped_files.empty() ? failure.result.name
                                             : failure.result.dumped_files.front();
}

std::string DescribeFailure(const GraphFailure& failure) {
  std::string text = absl::StrCat(std::string(toString(failure.verdict)), " ", failure.operation,
                                  failure.type.empty() ? "" : " ", failure.type);
  absl::StrAppendFormat(&text,
                        ": %d graph%s, the first (number %d) after %.1f s; made small in %.1f s: "
                        "%d operation%s\n",
                        failure.count, failure.count == 1 ? "" : "s", failure.number,
                        absl::ToDoubleSeconds(failure.found_after),
                        absl::ToDoubleSeconds(failure.reduction_time), failure.operations,
                        failure.operations == 1 ? "" : "s");
  absl::StrAppend(&text, "  ", absl::StrReplaceAll(failure.result.detail, {{"\n", "\n  "}}), "\n");
  return text;
}

}  // namespace

std::string DescribeProgress(const CampaignResult& result) {
  const double seconds = absl::ToDoubleSeconds(result.duration);
  std::string text =
      absl::StrFormat("%d graphs in %.1f s, %.0f a second", result.graphs, seconds,
                      seconds > 0 ? static_cast<double>(result.graphs) / seconds : 0.0);
  const auto append = [](std::string* out, const auto& entry) {
    absl::StrAppend(out, entry.second, " ", std::string(toString(entry.first)));
  };
  if (!result.counts.empty()) {
    absl::StrAppend(&text, ": ", absl::StrJoin(result.counts, ", ", append));
  }
  return text;
}

std::string Summarize(const CampaignResult& result) {
  std::string text;
  for (const GraphFailure& failure : result.failures) {
    absl::StrAppend(&text, DescribeFailure(failure));
  }
  for (const Finding& finding : result.findings) {
    absl::StrAppend(&text, DescribeFinding(finding), "\n");
  }
  if (!result.lost.empty()) absl::StrAppend(&text, "The driver was lost: ", result.lost, "\n");
  if (result.is_interrupted) absl::StrAppend(&text, "Interrupted.\n");
  absl::StrAppend(&text, DescribeProgress(result), "; ", result.failures.size(), " kind",
                  result.failures.size() == 1 ? "" : "s", " of failures, ", result.findings.size(),
                  " finding", result.findings.size() == 1 ? "" : "s", "\n");
  return text;
}

std::string CampaignToJson(const CampaignResult& result) {
  std::string json = absl::StrCat("{\n  \"graphs\": ", result.graphs, ",\n");
  if (!result.lost.empty()) {
    absl::StrAppend(&json, "  \"lost\": \"", EscapeJson(result.lost), "\",\n");
  }
  if (result.is_interrupted) absl::StrAppend(&json, "  \"interrupted\": true,\n");
  const auto append_count = [](std::string* out, const auto& entry) {
    absl::StrAppend(out, "\"", std::string(toString(entry.first)), "\": ", entry.second);
  };
  absl::StrAppend(&json, "  \"counts\": {", absl::StrJoin(result.counts, ", ", append_count),
                  "},\n  \"failures\": [");
  const auto append_failure = [](std::string* out, const GraphFailure& failure) {
    absl::StrAppend(out, "\n    {\"operation\": \"", EscapeJson(failure.operation),
                    "\", \"type\": \"", EscapeJson(failure.type), "\", \"verdict\": \"",
                    std::string(toString(failure.verdict)), "\", \"count\": ", failure.count,
                    ", \"case\": \"", EscapeJson(PlaceOf(failure)), "\", \"detail\": \"",
                    EscapeJson(FirstLine(failure.result.detail)),
                    "\", \"operations\": ", failure.operations);
    absl::StrAppendFormat(out, ", \"foundAfterSeconds\": %.3f, \"reductionSeconds\": %.3f}",
                          absl::ToDoubleSeconds(failure.found_after),
                          absl::ToDoubleSeconds(failure.reduction_time));
  };
  absl::StrAppend(&json, absl::StrJoin(result.failures, ",", append_failure),
                  result.failures.empty() ? "" : "\n  ",
                  "],\n  \"findings\": ", FindingsToJson(result.findings), "\n}\n");
  return json;
}

}  // namespace nncert
