// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "cases/coverage/coverage_counter.h"
#include "cases/coverage/coverage_report.h"
#include "certifying/case_paths.h"
#include "certifying/name_filter.h"
#include "certifying/page/coverage_page.h"
#include "certifying/report.h"
#include "harness/records/case_result.h"
#include "harness/records/journal.h"
#include "reference/execution/model_validation.h"
#include "reference/extension.h"
#include "system/interruption.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(std::string, filter);
ABSL_FLAG(std::string, html, "", "write a page to be looked at into this file");
ABSL_FLAG(std::string, results, "",
          "count only those cases that a run had the driver execute, by the journal of the run");

namespace nncert {
namespace {

// The names of the cases that the driver executed in a run, in either mode.
absl::StatusOr<std::set<std::string>> ExecutedCases(const std::string& journal) {
  const absl::StatusOr<JournalContent> content = Journal::Read(journal);
  if (!content.ok()) return content.status();
  std::set<std::string> names;
  for (const JournalEntry& entry : content->results) {
    if (entry.result.executions > 0) names.insert(entry.result.name);
  }
  if (names.empty()) {
    return absl::NotFoundError(absl::StrCat(journal, ": no case was executed in this run"));
  }
  return names;
}

// What the cases are, for people.
std::string SubjectOf(absl::Span<const std::string> paths) {
  const std::string journal = absl::GetFlag(FLAGS_results);
  return absl::StrCat(paths.empty() ? "the bundled specs" : absl::StrJoin(paths, ", "),
                      journal.empty() ? "" : absl::StrCat(", as executed in ", journal));
}

struct Counted {
  Coverage coverage;
  bool has_input_error = false;
};

absl::StatusOr<Counted> Count(absl::Span<const std::string> paths) {
  const absl::StatusOr<LoadedCases> loaded =
      paths.empty() ? LoadBundledCases() : LoadCasesByFlags(paths);
  if (!loaded.ok()) return loaded.status();
  const absl::StatusOr<NameFilter> filter = NameFilter::Of(absl::GetFlag(FLAGS_filter));
  if (!filter.ok()) return filter.status();
  std::optional<std::set<std::string>> executed;
  if (const std::string journal = absl::GetFlag(FLAGS_results); !journal.empty()) {
    absl::StatusOr<std::set<std::string>> names = ExecutedCases(journal);
    if (!names.ok()) return names.status();
    executed = *std::move(names);
  }
  Counted counted;
  counted.has_input_error = !loaded->errors.empty();
  for (const absl::Status& error : loaded->errors) PrintInputError(error);
  CoverageCounter counter;
  for (const LoadedCase& entry : loaded->cases) {
    if (Interruption::IsRequested()) {
      return absl::CancelledError("interrupted before every case was counted; nothing is written");
    }
    const TestCase& test_case = entry.test_case;
    if (!filter->Leaves(test_case.name)) continue;
    if (executed.has_value() && !executed->contains(test_case.name) &&
        !executed->contains(test_case.dynamicOutputShapeName)) {
      continue;
    }
    if (const absl::Status status = ValidateModel(WithCataloguePrefixes(test_case.model));
        !status.ok()) {
      // A case that must fail may do so by its model, of which nothing can be counted.
      if (test_case.expectFailure) continue;
      counted.has_input_error = true;
      PrintInputError(absl::InvalidArgumentError(
          absl::StrCat(entry.source_path, ": case ", test_case.name, ": ", status.message())));
      continue;
    }
    counter.Add(test_case);
  }
  counted.coverage = counter.Result();
  if (counted.coverage.cases == 0 && !counted.has_input_error) {
    return absl::NotFoundError("there are no cases left to count");
  }
  return counted;
}

absl::StatusOr<ExitStatus> RunCoverage(absl::Span<const std::string> paths) {
  const absl::StatusOr<Counted> counted = Count(paths);
  if (!counted.ok()) return counted.status();
  std::cout << CoverageToText(counted->coverage) << std::flush;
  absl::Status written;
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    written.Update(WriteTextFile(json, CoverageToJson(counted->coverage)));
  }
  if (const std::string html = absl::GetFlag(FLAGS_html); !html.empty()) {
    written.Update(WriteTextFile(html, CoverageToHtml(counted->coverage, SubjectOf(paths))));
  }
  if (!written.ok()) return written;
  return counted->has_input_error ? ExitStatus::kBadInput : ExitStatus::kSuccess;
}

}  // namespace

Command CoverageCommand() {
  return {
      .name = "coverage",
      .arguments = "[PATH...]",
      .summary = "says what cases ask of operations, and what not",
      .description =
          "Counts what the cases of spec files (.mod.py), case files (.case) and folders of them, "
          "by default\nthe bundled specs, ask of each operation, and holds it against what the "
          "catalogue says that can be\nasked: versions, types, ranks, optional operands, "
          "activations, layouts, classes of attributes and\nsizes, constant operands, company, "
          "conditions and constraints (docs/coverage.md). Prints what is\nmissing, and a summary. "
          "The exit status is 0 whatever is missing, 2 when a file cannot be used.",
      .flags = {{"json", "FILE"},
                {"html", "FILE"},
                {"results", "JOURNAL"},
                {"filter", "REGEX"},
                {"no_cache", ""}},
      .run = &RunCoverage,
  };
}

}  // namespace nncert
