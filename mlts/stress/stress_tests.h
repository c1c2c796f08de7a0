// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The tests of MLTS's crash test suite, by MLTS's names.

#ifndef NNCERT_MLTS_STRESS_STRESS_TESTS_H_
#define NNCERT_MLTS_STRESS_STRESS_TESTS_H_

#include <string_view>

#include "absl/types/span.h"
#include "mlts/stress/stress_setting.h"

namespace nncert {

/// A test.
struct StressTest {
  std::string_view name;
  StressOutcome (*run)(const StressSetting& setting);
};

/// All of them, in the order in which they are run. In each, results are those that the driver gave
/// before (see LoadNetwork), and what its process has must not grow from round to round (see
/// ResourceTrend).
///
/// - inference-stress: each network is executed in all ways, again and again.
/// - model-loading-stress: each network is prepared, executed once and released, again and again.
/// - parallel-inference-stress: 8 threads load and execute all networks at the same time.
/// - client-early-termination: client processes of 4 threads are killed while they execute, or
///   prepare; another client goes on all the while and is answered, as a new one is in the end.
/// - multi-process-inference: 6 client processes of 2 threads at a time; in the second half of the
///   time four fifths of them are killed.
/// - multi-process-model-load: the same, which only prepare; none, a half and then all are killed.
/// - inference-random: random graphs, judged as those of `nncert fuzz` are.
/// - performance-degradation: the mean latency beside a client that prepares networks, of each in
///   turn, is at most half as much again as it is alone, in turns; or that much more than what
///   becomes of the reference's on the same machine.
absl::Span<const StressTest> StressTests();

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_STRESS_TESTS_H_
