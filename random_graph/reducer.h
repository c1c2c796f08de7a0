// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Makes failing cases small: the smallest model that still shows the failure.

#ifndef NNCERT_RANDOM_GRAPH_REDUCER_H_
#define NNCERT_RANDOM_GRAPH_REDUCER_H_

#include <cstddef>
#include <functional>
#include <limits>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cases/test_case.h"
#include "harness/case_worker.h"
#include "harness/records/case_result.h"

namespace nncert {

/// What came of making a case smaller.
struct Reduction {
  /// The smallest case that was found, with expected outputs left to the reference.
  TestCase smallest;
  /// How many cases were tried: valid ones, that were smaller than the smallest before.
  size_t tries = 0;
  /// How many of them took its place.
  size_t steps = 0;
  /// Whether no way to make it still smaller is known. If not, a limit was reached.
  bool is_minimal = false;
};

/// When making a case smaller ends, though it could go on.
struct ReductionLimits {
  absl::Duration time = absl::InfiniteDuration();
  /// Of cases that are tried. Where this is reached before `time`, the same comes of it on a busy
  /// machine.
  size_t tries = std::numeric_limits<size_t>::max();
};

/// Makes a case smaller (see ShrinksOf), step by step, as long as `fails` says of the smaller case
/// that it fails as the case did, within `limits`. It begins with the first that does so of: an
/// example by itself, constants of pools put into the model; all examples, likewise; the same with
/// pools. The same case, and the same answers, give the same smaller one. Fails when the reference
/// does not execute the case, and with FailedPrecondition when none of them fails so.
absl::StatusOr<Reduction> Reduce(const TestCase& test_case,
                                 const std::function<bool(const TestCase&)>& fails,
                                 const ReductionLimits& limits);

/// Whether a smaller case may fail on another type.
enum class FailingType { kSame, kAny };

/// The same of a case that failed on a driver with `result`, run by `worker` as it was then: the
/// smaller case fails with the same verdict, in the same operation, whose type may be another one
/// if `type` says so.
absl::StatusOr<Reduction> ReduceFailure(const TestCase& test_case, const CaseResult& result,
                                        CaseWorker& worker, const RunOptions& options,
                                        const ReductionLimits& limits,
                                        FailingType type = FailingType::kSame);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_REDUCER_H_
