// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a submission is what it says.

#ifndef NNCERT_CERTIFYING_SUBMISSION_VERIFICATION_H_
#define NNCERT_CERTIFYING_SUBMISSION_VERIFICATION_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "certifying/submission/must_pass_list.h"
#include "certifying/submission/package.h"

namespace nncert {

/// The file of a submission that certify has not written: the names of failing cases
/// ("failures/1.case" and so on).
inline constexpr char kFailureListFile[] = "failures.txt";

/// Packs the folder that a complete certification wrote: statement, must-pass list, verdicts,
/// report, timing, waivers if there are any, and the failing cases of its specs and systematic
/// cases, in that order. FailedPrecondition when the run was not complete; else fails as reading
/// does.
absl::StatusOr<std::string> PackFolder(const std::string& folder);

/// What a submission comes to.
struct Verification {
  /// What is wrong with it, a sentence without a full stop each; none when it holds together.
  std::vector<std::string> problems;
  /// What it says of itself.
  std::string driver;
  std::string driver_version;
  std::string driver_sha256;
  std::string hal_version;
  std::string nncert;
  std::string certification;
  std::string reason;
  std::string list_sha256;
  uint64_t tests = 0;
  uint64_t failing_cases = 0;
};

/// Makes the must-pass list of a HAL version.
using ListMaker = std::function<absl::StatusOr<MustPassList>(std::string_view hal_version)>;

/// Verifies the files of a package: that all are there and no other; that the list is the one that
/// `make_list` makes, where it is of the same version of nncert; that every test of it has a
/// verdict, in its order; that the report has the same verdicts and counts, and the certification
/// that follows from them; that waivers waive what is WAIVED; that failing cases can be read; that
/// statement and report are of one driver. Fails when `make_list` does.
absl::StatusOr<Verification> VerifySubmission(absl::Span<const PackagedFile> files,
                                              const ListMaker& make_list);

/// What an engineer reads; lines end with newlines.
std::string DescribeVerification(const Verification& verification);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_VERIFICATION_H_
