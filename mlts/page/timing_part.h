// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How fast a network is executed and prepared, and what that leaves behind, as parts of the page.

#ifndef NNCERT_MLTS_PAGE_TIMING_PART_H_
#define NNCERT_MLTS_PAGE_TIMING_PART_H_

#include <optional>

#include "mlts/results/results.h"
#include "pages/markup.h"

namespace nncert {

/// How long the driver takes, as a multiple of the baseline's time: of medians of the first way of
/// executing that both have. The interval is that of the worst of both: wider than 95 of 100 runs
/// need. Nothing when either is missing or takes no time.
std::optional<Estimate> TimeAgainstBaseline(const BenchmarkResult& benchmark,
                                            const MltsResults& results);

/// Latencies and throughput as drawings and tables.
Markup LatencyPart(const BenchmarkResult& benchmark, const MltsResults& results);

/// Times of preparation, with and without a cache.
Markup CompilationPart(const BenchmarkResult& benchmark, const MltsResults& results);

/// What loads leave behind.
Markup LeakPart(const BenchmarkResult& benchmark);

}  // namespace nncert

#endif  // NNCERT_MLTS_PAGE_TIMING_PART_H_
