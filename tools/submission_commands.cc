// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "certifying/report.h"
#include "certifying/submission/must_pass_list.h"
#include "certifying/submission/package.h"
#include "certifying/submission/verification.h"
#include "hal/version.h"
#include "system/digest.h"
#include "system/whole_file.h"
#include "tools/certification_plan.h"
#include "tools/commands.h"
#include "tools/flags.h"

namespace nncert {
namespace {

absl::StatusOr<ExitStatus> Submit(absl::Span<const std::string> folders) {
  if (folders.size() != 1) {
    return absl::InvalidArgumentError("expected one folder, that of a complete certification");
  }
  const std::string path = absl::GetFlag(FLAGS_out).path.value_or("submission.tar.gz");
  const absl::StatusOr<std::string> package = PackFolder(folders[0]);
  if (!package.ok()) return package.status();
  if (absl::Status status = WriteTextFile(path, *package); !status.ok()) return status;
  std::cout << path << ": " << package->size() << " bytes, SHA-256 " << Sha256(*package)
            << std::endl;
  return ExitStatus::kSuccess;
}

absl::StatusOr<MustPassList> ListOf(std::string_view hal_version) {
  const std::optional<hal::HalVersion> version = hal::halVersionFromString(hal_version);
  if (!version.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no HAL version \"", std::string(hal_version), "\""));
  }
  return MakeMustPassList(*version);
}

absl::StatusOr<ExitStatus> VerifyPackage(absl::Span<const std::string> paths) {
  if (paths.size() != 1) return absl::InvalidArgumentError("expected one package");
  const absl::StatusOr<std::string> package = ReadWholeFile(paths[0]);
  if (!package.ok()) return package.status();
  const absl::StatusOr<std::vector<PackagedFile>> files = ReadPackage(*package);
  if (!files.ok()) {
    std::cout << "REFUSED: " << files.status().message() << std::endl;
    return ExitStatus::kFailure;
  }
  const absl::StatusOr<Verification> verification = VerifySubmission(*files, &ListOf);
  if (!verification.ok()) return verification.status();
  std::cout << DescribeVerification(*verification) << std::flush;
  return verification->problems.empty() ? ExitStatus::kSuccess : ExitStatus::kFailure;
}

}  // namespace

Command SubmitCommand() {
  return {
      .name = "submit",
      .arguments = "FOLDER",
      .minimum_arguments = 1,
      .summary = "packs a complete certification",
      .description =
          "Packs what a complete run of certify wrote into FOLDER as one .tar.gz: statement, "
          "must-pass list,\nverdicts, report, waivers, failing cases, and the SHA-256 of each. "
          "The same folder gives the same bytes.",
      .flags = {{"out", "FILE"}},
      .run = &Submit,
  };
}

Command VerifySubmissionCommand() {
  return {
      .name = "verify-submission",
      .arguments = "FILE",
      .minimum_arguments = 1,
      .summary = "says whether a package is whole, complete, and agrees with itself",
      .description =
          "Verifies a package that nncert submit wrote: every bit of it, that every test of the "
          "must-pass list of\nits HAL version, which is made anew, has a verdict in its order, "
          "and that report, verdicts, statement,\nwaivers and failing cases agree "
          "(docs/certification.md). Nothing is unpacked to any file. The last lines\nbegin with "
          "ACCEPTED, or with REFUSED and why; the exit status is 0 or 1, or 2 when the file "
          "cannot be\nread.",
      .run = &VerifyPackage,
  };
}

}  // namespace nncert
