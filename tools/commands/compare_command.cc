// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "certifying/comparison.h"
#include "certifying/report.h"
#include "certifying/report_folder.h"
#include "tools/commands/commands.h"

ABSL_DECLARE_FLAG(std::string, json);

namespace nncert {
namespace {

// A run by its report.json, or by the folder that has it.
absl::StatusOr<ReportedRun> ReadRun(const std::string& path) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  return ReadReportedRun(is_folder ? (std::filesystem::path(path) / kJsonReportFile).string()
                                   : path);
}

absl::StatusOr<ExitStatus> CompareReports(absl::Span<const std::string> paths) {
  if (paths.size() != 2) {
    return absl::InvalidArgumentError("expected two reports, the one before and the one after");
  }
  const absl::StatusOr<ReportedRun> before = ReadRun(paths[0]);
  if (!before.ok()) return before.status();
  const absl::StatusOr<ReportedRun> after = ReadRun(paths[1]);
  if (!after.ok()) return after.status();
  const Comparison comparison = Compare(*before, *after);
  std::cout << DescribeComparison(*before, *after, comparison) << std::flush;
  if (const std::string json = absl::GetFlag(FLAGS_json); !json.empty()) {
    if (absl::Status status = WriteTextFile(json, ComparisonToJson(comparison)); !status.ok()) {
      return status;
    }
  }
  return comparison.failing_now.empty() ? ExitStatus::kSuccess : ExitStatus::kFailure;
}

}  // namespace

Command CompareCommand() {
  return {
      .name = "compare",
      .arguments = "BEFORE AFTER",
      .minimum_arguments = 2,
      .summary = "says what has changed from one certification to another",
      .description =
          "Compares two reports of nncert certify, each a report.json or the folder that has it: "
          "which tests fail\nnow and did not, are mended, still fail or have another verdict, and "
          "which suites are slower. The\nexit status is 0 when nothing fails that did not, 1 when "
          "something does, 2 when a report cannot be\nread.",
      .flags = {{"json", "FILE"}},
      .run = &CompareReports,
  };
}

}  // namespace nncert
