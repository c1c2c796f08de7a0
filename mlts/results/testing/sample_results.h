// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Made-up results, for tests of what is made of results.

#ifndef NNCERT_MLTS_RESULTS_TESTING_SAMPLE_RESULTS_H_
#define NNCERT_MLTS_RESULTS_TESTING_SAMPLE_RESULTS_H_

#include "mlts/results/results.h"

namespace nncert {

/// A run of eight benchmarks on a driver "acme_npu" with two baselines: some right, some with
/// failed checks, one each UNSUPPORTED, FAILED and UNREADABLE; every member has a value somewhere,
/// and figures are as unlike each other as they are in life.
MltsResults SampleResults();

/// A run whose strings are hostile to whatever shows them (markup, scripts, formulas, bytes that
/// are not UTF-8, right-to-left marks, very long words) and whose numbers are extreme: NaN,
/// infinities, 0, negative times, the largest and the smallest ones, empty quantiles.
MltsResults HostileResults();

}  // namespace nncert

#endif  // NNCERT_MLTS_RESULTS_TESTING_SAMPLE_RESULTS_H_
