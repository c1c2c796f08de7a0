// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Several cases on one driver, whose calls are made all at once: most of the time that a small
// model takes is spent on waking whoever makes its calls.

#ifndef NNCERT_HARNESS_CASES_TOGETHER_H_
#define NNCERT_HARNESS_CASES_TOGETHER_H_

#include <cstddef>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "cases/test_case.h"
#include "harness/case_runner.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_session.h"
#include "harness/records/case_result.h"

namespace nncert {

/// A case that is to be run.
struct CaseToRun {
  const TestCase* test_case = nullptr;  ///< never null; not owned
  TestMode mode = TestMode::kStatic;
  RunOptions options;
};

/// Whether no more cases should be run together with these, of so many operations in all: the calls
/// of large models take longer than to wake whoever makes them.
constexpr bool AreEnoughTogether(size_t cases, size_t operations) {
  return cases >= 8 || operations >= 80;
}

/// What came of cases that were run together.
struct TogetherOutcome {
  /// One for each case, in their order. None when the driver did not do all that it must, or not
  /// within a short time, or cannot be called so: then nothing is known of any of them.
  std::vector<CaseResult> results;
  /// What it did that is not allowed; nothing when it did nothing, or was merely slow.
  std::optional<Problem> problem;
};

/// Runs cases as RunCase does each of them, but has the calls of all made at once where that can be
/// (RunOptions::at_once), so that the driver has all their models at the same time. Nothing is
/// dumped. Of a driver in another process that is lost, nothing is said.
TogetherOutcome RunTogether(DriverSession& session, absl::Span<const CaseToRun> cases);

}  // namespace nncert

#endif  // NNCERT_HARNESS_CASES_TOGETHER_H_
