// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/rerun_outcome.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "system/escape.h"

namespace nncert {
namespace {

// How many cases the summary names.
constexpr size_t kRows = 10;

std::string TallyToJson(const RunTally& tally) {
  return absl::StrCat("{\"failed\": ", tally.failed, ", \"runs\": ", tally.runs, "}");
}

std::string FlakyToJson(const FlakyCase& flaky) {
  const RunTally total = flaky.Total();
  std::string json =
      absl::StrCat("      {\"case\": ", QuoteJson(flaky.name), ", \"first\": \"",
                   std::string(toString(flaky.first)), "\", \"failed\": ", total.failed,
                   ", \"runs\": ", total.runs, ", \"alone\": ", TallyToJson(flaky.alone),
                   ", \"afterOthers\": ", TallyToJson(flaky.after_others));
  const auto add = [&json](const char* name, const std::string& text) {
    if (!text.empty()) absl::StrAppend(&json, ", \"", name, "\": ", QuoteJson(text));
  };
  add("onlyAfter", flaky.only_after);
  add("file", flaky.file);
  add("command", flaky.command);
  return absl::StrCat(json, "}");
}

}  // namespace

RunTally FlakyCase::Total() const {
  return {1 + alone.failed + after_others.failed, 1 + alone.runs + after_others.runs};
}

std::string DescribeOdds(const FlakyCase& flaky) {
  const RunTally total = flaky.Total();
  std::string text =
      absl::StrCat("failed ", total.failed, " of ", total.runs, " runs: ", flaky.alone.failed,
                   " of ", flaky.alone.runs, " alone in a new process");
  if (flaky.after_others.runs > 0) {
    absl::StrAppend(&text, ", ", flaky.after_others.failed, " of ", flaky.after_others.runs,
                    " after other cases");
  }
  absl::StrAppend(&text, ", and in the run of all cases");
  if (!flaky.only_after.empty()) absl::StrAppend(&text, "; only after ", flaky.only_after);
  return text;
}

std::string DescribeReruns(const RerunOutcome& outcome) {
  if (outcome.flaky.empty() && outcome.limit.empty()) return "";
  std::string text =
      absl::StrCat("\nFailing cases that were run again: ", outcome.again, " of ", outcome.failing,
                   ", of which ", outcome.flaky.size(), outcome.flaky.size() == 1 ? " does" : " do",
                   " not always fail (docs/certification.md)\n");
  if (!outcome.limit.empty()) absl::StrAppend(&text, "  ", outcome.limit, "\n");
  const size_t shown = std::min(outcome.flaky.size(), kRows);
  for (size_t i = 0; i < shown; ++i) {
    const FlakyCase& flaky = outcome.flaky[i];
    absl::StrAppend(&text, "  ", flaky.name, ": ", DescribeOdds(flaky), "\n");
    if (!flaky.command.empty()) absl::StrAppend(&text, "    ", flaky.command, "\n");
  }
  if (outcome.flaky.size() > shown) {
    absl::StrAppend(&text, "  and ", outcome.flaky.size() - shown, " more\n");
  }
  return text;
}

std::string RerunsToJson(const RerunOutcome& outcome) {
  std::string json =
      absl::StrCat("{\n    \"failing\": ", outcome.failing, ", \"again\": ", outcome.again);
  if (!outcome.limit.empty()) absl::StrAppend(&json, ", \"limit\": ", QuoteJson(outcome.limit));
  absl::StrAppend(&json, ",\n    \"flaky\": [", outcome.flaky.empty() ? "" : "\n",
                  absl::StrJoin(outcome.flaky, ",\n",
                                [](std::string* text, const FlakyCase& flaky) {
                                  text->append(FlakyToJson(flaky));
                                }),
                  outcome.flaky.empty() ? "]" : "\n    ]", "\n  }");
  return json;
}

}  // namespace nncert
