// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What elements that passed are like.

#ifndef NNCERT_HARNESS_JUDGING_SCRUTINY_H_
#define NNCERT_HARNESS_JUDGING_SCRUTINY_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"
#include "harness/judging/comparator.h"
#include "harness/records/accuracy.h"
#include "reference/number/ball.h"

namespace nncert {

/// An output that passed: within its criterion, element by element. What is referred to must live
/// as long as this.
struct PassedOutput {
  const hal::V1_2::Model& model;
  /// Which operand of the model it is, and what number it has in messages.
  uint32_t operand;
  size_t number;
  Criterion criterion;
  const ExpectedOutput& expected;
  /// As many bytes as are expected.
  absl::Span<const uint8_t> actual;
};

/// Whether it is just what is expected, which is honest, or the case is wrong: it need not be held
/// against any enclosure.
bool IsAsExpected(const PassedOutput& output);

/// Whose elements they are, and how many.
OperationAccuracy AccuracyOf(const PassedOutput& output);

/// Holds each element against its enclosure, and adds what comes of it to `accuracy`. (Enclosures
/// by fast kernels contain those by definitions, so what is outside of the former is outside of the
/// latter.) Does nothing and returns false unless there is an enclosure for each.
bool HoldAgainst(absl::Span<const Ball> enclosures, const PassedOutput& output,
                 OperationAccuracy& accuracy);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_SCRUTINY_H_
