// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The page of a report, from a package.

#ifndef NNCERT_CERTIFYING_SUBMISSION_PACKAGE_PAGE_H_
#define NNCERT_CERTIFYING_SUBMISSION_PACKAGE_PAGE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "certifying/submission/package.h"
#include "certifying/submission/stored_report.h"
#include "certifying/submission/verification.h"

namespace nncert {

/// The page of the report in a package of these files, which was verified: that of the run, byte
/// for byte, with what became of the verification behind its head, whether it was accepted or not.
/// `sha256` is that of the package; `suites` says what sections are called. Drawings are made anew
/// of the smallest cases, by files in a temporary folder. InvalidArgument when the package is of
/// another version of nncert, or its files are not as they should be.
absl::StatusOr<std::string> PageOfPackage(absl::Span<const PackagedFile> files,
                                          const Verification& verification,
                                          const std::string& sha256,
                                          absl::Span<const SuiteWords> suites);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_PACKAGE_PAGE_H_
