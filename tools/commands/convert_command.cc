// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "certifying/case_batch.h"
#include "tools/commands/case_forms.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(std::string, filter);

namespace nncert {
namespace {

absl::StatusOr<ExitStatus> Convert(absl::Span<const std::string> paths) {
  const std::optional<std::string> out = absl::GetFlag(FLAGS_out).path;
  if (!out.has_value()) {
    return absl::InvalidArgumentError("say where to write the cases: --out=FILE");
  }
  const absl::StatusOr<LoadedCases> loaded = LoadCasesByFlags(paths);
  if (!loaded.ok()) return loaded.status();
  if (!loaded->errors.empty()) return loaded->errors.front();
  const absl::StatusOr<std::vector<CaseInMode>> selected =
      SelectCases(loaded->cases, {TestMode::kStatic}, absl::GetFlag(FLAGS_filter));
  if (!selected.ok()) return selected.status();
  std::vector<TestCase> cases;
  for (const CaseInMode& entry : *selected) cases.push_back(entry.loaded->test_case);
  if (cases.empty()) {
    return absl::NotFoundError(absl::StrCat(absl::StrJoin(paths, ", "), ": there are no cases",
                                            loaded->cases.empty() ? "" : " that --filter leaves"));
  }
  if (absl::Status status = WriteCases(*out, "nncert convert", cases); !status.ok()) return status;
  return ExitStatus::kSuccess;
}

}  // namespace

Command ConvertCommand() {
  return {
      .name = "convert",
      .arguments = "PATH...",
      .minimum_arguments = 1,
      .summary = "writes cases in another form",
      .description =
          "Writes the cases of spec files (.mod.py), case files (.case) and folders of them to a "
          "file whose\nname says the form: any number of them as a case file (.case), a single one "
          "as a spec (.mod.py), as\na GoogleTest source that needs hal/ alone (.cc), or its model "
          "as a drawing (.dot).",
      .flags = {{"out", "FILE"}, {"filter", "REGEX"}, {"no_cache", ""}},
      .run = &Convert,
  };
}

}  // namespace nncert
