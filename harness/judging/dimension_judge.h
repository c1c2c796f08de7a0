// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Verdicts on the dimensions of outputs.

#ifndef NNCERT_HARNESS_JUDGING_DIMENSION_JUDGE_H_
#define NNCERT_HARNESS_JUDGING_DIMENSION_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cases/test_case.h"
#include "harness/judging/judgement.h"
#include "harness/judging/oracle.h"

namespace nncert {

/// Judges an output of example number `example` that has `found` for dimensions, which are not
/// those that the case expects: FAIL; UNDECIDED where the enclosure of the values that they depend
/// on leaves them open; WRONG_EXPECTATION where they are the reference's. `oracle` is that of the
/// case, null when nothing is to be explained.
Judgement JudgeDimensions(const TestCase& test_case, Oracle* oracle, size_t example, size_t output,
                          const std::vector<uint32_t>& found);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_DIMENSION_JUDGE_H_
