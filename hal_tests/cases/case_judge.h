// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Judges what a driver gives for the first example of a case, as the specs are judged.

#ifndef NNCERT_HAL_TESTS_CASES_CASE_JUDGE_H_
#define NNCERT_HAL_TESTS_CASES_CASE_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/cases/case_execution.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "harness/judging/oracle.h"

namespace nncert {

/// What suites ask when a driver gives something else than they have at hand. It takes as much as
/// running the case, so it is to be made when there is a question.
class CaseJudge {
 public:
  /// The case outlives the judge.
  explicit CaseJudge(const CaseInMode& test_case);
  CaseJudge(const CaseJudge&) = delete;
  CaseJudge& operator=(const CaseJudge&) = delete;

  /// What is wrong with the dimensions of an output; nothing when they are the documented ones, or
  /// the documentation leaves them open.
  std::optional<Problem> WrongDimensions(size_t output, const std::vector<uint32_t>& found);

  /// What is wrong with the outputs of an execution that succeeded, on a device of `version`;
  /// nothing when they are within the documented precision or honest rounding explains them.
  std::optional<Problem> WrongOutputs(hal::HalVersion version, const GuardedRequest& request,
                                      const ExecutionOutcome& outcome, const ExecutionWay& way);

 private:
  const CaseInMode case_;
  TestCase complete_;
  Oracle oracle_;
  // Why there is nothing to judge by.
  absl::Status status_;
};

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CASES_CASE_JUDGE_H_
