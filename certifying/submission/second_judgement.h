// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Judges what a driver answered in a run that is over, by the code that judges a run.

#ifndef NNCERT_CERTIFYING_SUBMISSION_SECOND_JUDGEMENT_H_
#define NNCERT_CERTIFYING_SUBMISSION_SECOND_JUDGEMENT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "harness/case_driver.h"
#include "harness/records/verdict.h"

namespace nncert {

/// What a run says that a case came to.
struct ClaimedResult {
  /// The full name of the case.
  std::string name;
  Verdict verdict = Verdict::MISSING;
  std::string detail = {};
};

/// What judging again came to.
struct SecondJudgement {
  /// Cases of which the driver executed something, and cases of which it executed nothing, or
  /// nothing was kept: it refused the model, or crashed before. The verdicts of the latter follow
  /// from what the driver said, as far as it said anything.
  uint64_t judged = 0;
  uint64_t without_outputs = 0;
  /// What is wrong, a sentence without a full stop each; after kMostOtherVerdicts cases no further
  /// ones are looked at.
  std::vector<std::string> problems = {};
};

/// How many cases that are judged otherwise are told of.
inline constexpr size_t kMostOtherVerdicts = 20;

/// Judges the answers of `driver` to `cases`, as CompleteAnswers (harness/records/answers_file.h)
/// has them, on `jobs` threads, at least 1: RunCase is given them in place of the driver's. A
/// problem where a case is not judged as `claimed` says, which has one for each case. What was
/// WAIVED or is FLAKY must fail, and what has no answers that a verdict follows from must not have
/// passed.
SecondJudgement JudgeAgain(std::string_view answers, absl::Span<const CaseInMode> cases,
                           absl::Span<const ClaimedResult> claimed, const AnsweringDriver& driver,
                           size_t jobs);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_SECOND_JUDGEMENT_H_
