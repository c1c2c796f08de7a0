// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/declare.h"
#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "certifying/report.h"
#include "certifying/submission/must_pass_list.h"
#include "certifying/submission/package.h"
#include "certifying/submission/package_page.h"
#include "certifying/submission/stored_report.h"
#include "certifying/submission/verification.h"
#include "hal/version.h"
#include "hal_tests/check.h"
#include "random_graph/campaign_report.h"
#include "system/digest.h"
#include "system/escape.h"
#include "system/whole_file.h"
#include "tools/commands/certification_plan.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(std::string, html);

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

// What this nncert says of itself, of cases that are loaded when they are needed first.
class Own {
 public:
  OwnCertification Certification() {
    return {.make_list = [this](std::string_view version) { return ListOf(version); },
            .make_cases = [this] { return Cases(); },
            .jobs = absl::GetFlag(FLAGS_jobs).OrProcessors()};
  }

 private:
  absl::Status Load() {
    if (cases_ != nullptr) return absl::OkStatus();
    absl::StatusOr<std::unique_ptr<const OwnCases>> loaded = LoadOwnCases();
    if (!loaded.ok()) return loaded.status();
    cases_ = *std::move(loaded);
    return absl::OkStatus();
  }

  absl::StatusOr<MustPassList> ListOf(std::string_view hal_version) {
    const std::optional<hal::HalVersion> version = hal::halVersionFromString(hal_version);
    if (!version.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no HAL version \"", std::string(hal_version), "\""));
    }
    if (absl::Status loaded = Load(); !loaded.ok()) return loaded;
    return MakeMustPassList(*version, cases_->specs, cases_->systematic);
  }

  absl::StatusOr<std::vector<CaseInMode>> Cases() {
    if (absl::Status loaded = Load(); !loaded.ok()) return loaded;
    std::vector<CaseInMode> cases = cases_->specs;
    cases.insert(cases.end(), cases_->systematic.begin(), cases_->systematic.end());
    return cases;
  }

  std::unique_ptr<const OwnCases> cases_;
};

// What reports call the suites whose tests are no cases.
std::vector<SuiteWords> WordsOfSuites() {
  std::vector<SuiteWords> words;
  for (const Suite& suite : AllSuites()) {
    words.push_back({std::string(suite.name), std::string(suite.member), std::string(suite.tests)});
  }
  words.push_back({kRandomGraphs, kGraphsMember, kGraphsWord});
  return words;
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
  Own own;
  const absl::StatusOr<Verification> verification = VerifySubmission(*files, own.Certification());
  if (!verification.ok()) return verification.status();
  absl::StatusOr<std::string> page;
  if (const std::string path = absl::GetFlag(FLAGS_html); !path.empty()) {
    page = PageOfPackage(*files, *verification, Sha256(*package), WordsOfSuites());
    if (page.ok()) {
      if (absl::Status written = WriteTextFile(path, *page); !written.ok()) return written;
      std::cout << "Page: " << path << "\n";
    } else if (verification->problems.empty()) {
      return page.status();
    } else {
      std::cout << "No page: " << EscapeForTerminal(std::string(page.status().message())) << "\n";
    }
  }
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
          "must-pass list,\nverdicts, report, what the driver answered, waivers, failing cases, "
          "and the SHA-256 of each. The same folder\ngives the same bytes.",
      .flags = {{"out", "FILE"}},
      .run = &Submit,
  };
}

Command VerifySubmissionCommand() {
  return {
      .name = "verify-submission",
      .arguments = "FILE",
      .minimum_arguments = 1,
      .summary = "judges a package again, and says whether it is whole and complete",
      .description =
          "Verifies a package that nncert submit wrote: every bit of it, that every test of the "
          "must-pass list of\nits HAL version, which is made anew, has a verdict in its order, "
          "that report, verdicts, statement,\nwaivers and failing cases agree, and that each case "
          "of the specs and each systematic one comes to its\nverdict when what the driver "
          "answered is judged again (docs/certification.md). Nothing is unpacked to\nany file; "
          "--html writes the page of the report. The last lines begin with ACCEPTED, or with "
          "REFUSED and\nwhy; the exit status is 0 or 1, or 2 when the file cannot be read.",
      .flags = {{"jobs", "N"}, {"html", "FILE"}},
      .run = &VerifyPackage,
  };
}

}  // namespace nncert
