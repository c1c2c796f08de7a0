// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/package_page.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "certifying/page/report_page.h"
#include "certifying/report_folder.h"
#include "certifying/version.h"
#include "hal/validate.h"
#include "harness/records/failure_dump.h"
#include "system/subprocess.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

// The content of a file; null where there is no such file.
const std::string* Find(absl::Span<const PackagedFile> files, const std::string& name) {
  for (const PackagedFile& file : files) {
    if (file.name == name) return &file.content;
  }
  return nullptr;
}

// Draws the smallest cases into a folder, and says in the report where.
absl::Status Draw(absl::Span<const PackagedFile> files, const std::string& folder,
                  RunReport& report) {
  size_t place = 0;
  for (FailureKind& kind : report.failures) {
    if (!kind.reproducer.has_value()) continue;
    const std::string name = NameOfSmallest(++place);
    const std::string* const bytes = Find(files, name);
    if (bytes == nullptr) return absl::InvalidArgumentError(absl::StrCat(name, " is not there"));
    const auto parsed = ParseCaseFile(
        absl::MakeSpan(reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size()));
    if (!parsed.ok()) return parsed.status();
    if (parsed->cases.size() != 1) {
      return absl::InvalidArgumentError(
          absl::StrCat(name, " has ", parsed->cases.size(), " cases; expected one"));
    }
    const TestCase& test_case = parsed->cases.front();
    if (const absl::Status valid = hal::validateModelStructure(test_case.model); !valid.ok()) {
      return absl::InvalidArgumentError(absl::StrCat(name, ": ", valid.message()));
    }
    kind.reproducer->drawing = absl::StrCat(folder, "/", place, ".dot");
    if (absl::Status written = WriteWholeFile(kind.reproducer->drawing,
                                              DrawingOf(test_case.model, DumpName(test_case)));
        !written.ok()) {
      return written;
    }
  }
  return absl::OkStatus();
}

PageVerification VerificationPart(const Verification& verification, const std::string& sha256) {
  PageVerification part;
  part.is_accepted = verification.problems.empty();
  part.paragraphs.push_back(absl::StrCat(part.is_accepted ? "ACCEPTED" : "REFUSED",
                                         ": the package with the SHA-256 ", sha256, ", by nncert ",
                                         kVersion));
  part.paragraphs.push_back(DescribeSecondJudgement(verification));
  for (const std::string& problem : verification.problems) part.paragraphs.push_back(problem);
  return part;
}

}  // namespace

absl::StatusOr<std::string> PageOfPackage(absl::Span<const PackagedFile> files,
                                          const Verification& verification,
                                          const std::string& sha256,
                                          absl::Span<const SuiteWords> suites) {
  if (verification.nncert != kVersion) {
    return absl::InvalidArgumentError(
        absl::StrCat("the page of a package that was made by ",
                     verification.nncert.empty() ? "nobody knows which nncert"
                                                 : absl::StrCat("nncert ", verification.nncert),
                     " cannot be written by nncert ", kVersion));
  }
  const std::string* const report = Find(files, kJsonReportFile);
  const std::string* const timing = Find(files, kTimingFile);
  if (report == nullptr || timing == nullptr) {
    return absl::InvalidArgumentError("there is no report in the package");
  }
  absl::StatusOr<StoredReport> stored =
      ReadStoredReport(*report, *timing, verification.is_strict, suites);
  if (!stored.ok()) return stored.status();
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
  if (!folder.ok()) return folder.status();
  if (absl::Status drawn = Draw(files, folder->path(), stored->report); !drawn.ok()) return drawn;
  return ReportToHtml(stored->report, stored->conclusion, VerificationPart(verification, sha256));
}

}  // namespace nncert
