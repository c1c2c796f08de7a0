// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <optional>
#include <string>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "certifying/report.h"
#include "certifying/submission/must_pass_list.h"
#include "hal/version.h"
#include "tools/commands/certification_plan.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_FLAG(std::string, hal, "1.2", "the HAL version that a list is of: 1.0, 1.1 or 1.2");

namespace nncert {
namespace {

absl::StatusOr<ExitStatus> WriteMustPassList(absl::Span<const std::string> /*arguments*/) {
  const std::string name = absl::GetFlag(FLAGS_hal);
  const std::optional<hal::HalVersion> version = hal::halVersionFromString(name);
  if (!version.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--hal: there is no HAL version \"", name, "\"; expected 1.0, 1.1 or 1.2"));
  }
  const absl::StatusOr<MustPassList> list = MakeMustPassList(*version);
  if (!list.ok()) return list.status();
  const std::optional<std::string> path = absl::GetFlag(FLAGS_out).path;
  if (!path.has_value()) {
    std::cout << MustPassListToText(*list) << std::flush;
    return ExitStatus::kSuccess;
  }
  if (absl::Status status = WriteTextFile(*path, MustPassListToText(*list)); !status.ok()) {
    return status;
  }
  std::cout << *path << ": the must-pass list of HAL " << list->hal_version << ", " << list->Tests()
            << " tests of " << list->suites.size() << " suites, SHA-256 " << HashOf(*list)
            << std::endl;
  return ExitStatus::kSuccess;
}

}  // namespace

Command MustPassCommand() {
  return {
      .name = "must_pass",
      .summary = "writes the list of all that a complete certification consists of",
      .description =
          "Writes the must-pass list of a HAL version: every case and test that a certification of "
          "a driver of that\nversion must have a result of, by suite, and the number and seed of "
          "the random graphs. It is made from\nthe suites, and depends on nothing but the version "
          "of nncert and that of the HAL. The SHA-256 of the list\nis what the report of a "
          "complete run names. The exit status is 0, or 2 for an error.",
      .flags = {{"hal", "VERSION"}, {"out", "FILE"}},
      .run = &WriteMustPassList,
  };
}

}  // namespace nncert
