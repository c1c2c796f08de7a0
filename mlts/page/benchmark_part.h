// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One benchmark on the page.

#ifndef NNCERT_MLTS_PAGE_BENCHMARK_PART_H_
#define NNCERT_MLTS_PAGE_BENCHMARK_PART_H_

#include <cstddef>
#include <string>

#include "mlts/results/results.h"
#include "pages/markup.h"

namespace nncert {

/// How many of the checks failed.
size_t CountFailedChecks(const BenchmarkResult& benchmark);

/// "right", "2 of 5 checks failed", "not supported".
std::string OutcomeInWords(const BenchmarkResult& benchmark);

/// A link to a benchmark's part of the page, by its position in the results.
Markup BenchmarkLink(const MltsResults& results, size_t index);

/// All that is known of a benchmark, by its position in the results.
Markup BenchmarkPart(const MltsResults& results, size_t index);

}  // namespace nncert

#endif  // NNCERT_MLTS_PAGE_BENCHMARK_PART_H_
