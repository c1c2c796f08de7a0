// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a submission is what it says.

#ifndef NNCERT_CERTIFYING_SUBMISSION_VERIFICATION_H_
#define NNCERT_CERTIFYING_SUBMISSION_VERIFICATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "certifying/submission/must_pass_list.h"
#include "certifying/submission/package.h"
#include "certifying/submission/second_judgement.h"

namespace nncert {

/// The file of a submission that certify has not written: the names of failing cases
/// ("failures/1.case" and so on).
inline constexpr char kFailureListFile[] = "failures.txt";

/// The name of the smallest case of a kind of failure, by its place among those of the report that
/// have one, from 1 on: "smallest/1.case".
std::string NameOfSmallest(size_t place);

/// Packs the folder that a complete certification wrote: statement, must-pass list, verdicts,
/// report, timing, the names of failing cases, what the driver answered, waivers if there are any,
/// the failing cases of its specs and systematic cases, and the smallest case of each kind of
/// failure, in that order. FailedPrecondition when the run was not complete, or not all answers are
/// there; else fails as reading does.
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
  bool is_strict = false;
  std::string certification;
  std::string reason;
  std::string list_sha256;
  uint64_t tests = 0;
  uint64_t failing_cases = 0;
  /// Cases of specs, and those that are made from the catalogue.
  uint64_t cases = 0;
  /// Nothing where answers were not judged again, since something is wrong that was seen before.
  std::optional<SecondJudgement> second;
};

/// Makes the must-pass list of a HAL version.
using ListMaker = std::function<absl::StatusOr<MustPassList>(std::string_view hal_version)>;

/// Gives the cases of the bundled specs and those that are made from the catalogue, in all of their
/// modes, as must-pass lists have them; they are to outlive the verification.
using CaseMaker = std::function<absl::StatusOr<std::vector<CaseInMode>>()>;

/// What this nncert says of itself, and how it is to work.
struct OwnCertification {
  ListMaker make_list;
  CaseMaker make_cases;
  /// On how many threads to judge; at least 1.
  size_t jobs = 1;
};

/// Verifies the files of a package: that all are there and no other; that the list is the one that
/// this nncert makes, which is to be of the same version; that every test of it has a verdict, in
/// its order; that the report has the same verdicts and counts, and the certification that follows
/// from them; that waivers waive what is WAIVED; that failing cases can be read; that statement and
/// report are of one driver; and then, if nothing is wrong, that each case comes to its verdict
/// when what the driver answered is judged again (JudgeAgain). Fails when `own` does.
absl::StatusOr<Verification> VerifySubmission(absl::Span<const PackagedFile> files,
                                              const OwnCertification& own);

/// What was judged again and what was not, in a line without its end.
std::string DescribeSecondJudgement(const Verification& verification);

/// What an engineer reads; lines end with newlines.
std::string DescribeVerification(const Verification& verification);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_VERIFICATION_H_
