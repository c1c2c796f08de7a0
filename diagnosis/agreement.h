// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How far a prediction agrees with what a driver gave.

#ifndef NNCERT_DIAGNOSIS_AGREEMENT_H_
#define NNCERT_DIAGNOSIS_AGREEMENT_H_

#include <cstdint>
#include <vector>

#include "diagnosis/answer.h"
#include "harness/judging/comparator.h"

namespace nncert {

/// Counts of elements, of all outputs, examples and ways to execute that differ.
struct Agreement {
  /// Those that the driver has wrong: outside the documented threshold around the honest answer;
  /// all of an output whose dimensions are wrong, and at least one of it; as many as the honest
  /// answer has where the execution fails.
  uint64_t of = 0;
  /// Those of them that are as predicted.
  uint64_t explained = 0;
  /// Those that the driver has right, and the prediction not.
  uint64_t contradicted = 0;
  /// Those that are predicted to the last bit.
  uint64_t identical = 0;

  void Add(const Agreement& other);

  /// What share of all that the driver, or the prediction, has wrong is as predicted: in [0, 1].
  double Share() const;
};

/// Compares a prediction with what a driver gave and with the honest answer, all of them to the
/// same case, whose outputs are held to `criteria`.
///
/// An element that is wrong is as predicted where it is within the threshold around the prediction
/// and at most a quarter as far from that as from the honest answer. A NaN is like a NaN alone, an
/// infinity like the same one.
Agreement Compare(const std::vector<Criterion>& criteria, const Answer& driver,
                  const Answer& honest, const Answer& predicted);

}  // namespace nncert

#endif  // NNCERT_DIAGNOSIS_AGREEMENT_H_
