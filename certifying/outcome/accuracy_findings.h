// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the elements of all results of a run, taken together, say of a driver.

#ifndef NNCERT_CERTIFYING_OUTCOME_ACCURACY_FINDINGS_H_
#define NNCERT_CERTIFYING_OUTCOME_ACCURACY_FINDINGS_H_

#include <vector>

#include "absl/types/span.h"
#include "harness/records/accuracy.h"
#include "harness/records/case_result.h"
#include "harness/records/finding.h"

namespace nncert {

/// The findings SUSPECT and BIASED, by operation and type in the order of their names, and
/// UNDIVIDED, which says how many models of several operations were judged as a whole alone.
///
/// SUSPECT says how many elements the documentation accepts that lie outside of the enclosure of
/// every honest implementation.
///
/// BIASED looks at those elements of which honest implementations may differ, each number once, and
/// at their errors as a share of what they may differ by, from -1 (towards zero) to 1 (away from
/// it). With rounding to nearest the mean is zero, and fixed-point requantization that rounds twice
/// goes up or away from zero; what truncates, rounds down, or loses its rounding constant goes
/// towards zero. The mean m of n errors is a finding when m < -a - sqrt(2 ln(1 / p) / n), for a =
/// 1/8 and p = 1e-9: by Hoeffding's inequality (1963, theorem 2), errors whose expectation is -a or
/// more come to that in one of 1e9 runs. `a` is what an approximation of a function may prefer one
/// side by.
std::vector<Finding> FindingsOf(absl::Span<const CaseResult> results);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_OUTCOME_ACCURACY_FINDINGS_H_
