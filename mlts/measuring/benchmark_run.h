// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One benchmark on one driver: everything that is measured of it.

#ifndef NNCERT_MLTS_MEASURING_BENCHMARK_RUN_H_
#define NNCERT_MLTS_MEASURING_BENCHMARK_RUN_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "mlts/measuring/benchmark_source.h"
#include "mlts/measuring/measured_driver.h"
#include "mlts/measuring/timing_plan.h"
#include "mlts/results/results.h"

namespace nncert {

/// How much is measured.
struct MeasuringOptions {
  /// How many sequences of a data set at the most, the first ones; 0 for all.
  size_t samples = 0;
  TimingPlan plan;
  /// How long a driver may take for one call.
  absl::Duration deadline = kDefaultDeadline;
};

/// How far a benchmark is.
struct MeasuringStep {
  /// What is measured at the moment: "accuracy".
  std::string what;
  /// The share of the benchmark that is done, roughly.
  double share = 0;
};

/// What became of a benchmark.
struct BenchmarkRun {
  BenchmarkResult result;
  /// What the driver's claim of its speed on such networks is found under, see SubjectOfClaim;
  /// empty when the network could not be read.
  std::string subject;
  /// It was told not to go on: the result has what was measured until then.
  bool is_interrupted = false;
};

/// Measures a benchmark on `driver` beside `baselines`, the first of which is the reference:
/// accuracy and, when that is wrong, the first diverging operation; latency, compilation, leaks,
/// the error by layer, and throughput. Whatever a driver does wrong, or cannot be read, is in the
/// result. `observe` is told of each step, and says whether to go on.
BenchmarkRun MeasureBenchmark(const BenchmarkSource& source, MeasuredDriver& driver,
                              absl::Span<const std::unique_ptr<MeasuredDriver>> baselines,
                              const MeasuringOptions& options,
                              const std::function<bool(const MeasuringStep& step)>& observe);

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_BENCHMARK_RUN_H_
