// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How right a network's results are, as a part of the page.

#ifndef NNCERT_MLTS_PAGE_ACCURACY_PART_H_
#define NNCERT_MLTS_PAGE_ACCURACY_PART_H_

#include <cstddef>
#include <string>

#include "mlts/results/results.h"
#include "pages/markup.h"

namespace nncert {

/// Which colour a driver has: 0 the driver under test, 1 the run's baseline, 2 any other.
size_t SeriesOf(const std::string& driver, const MltsResults& results);

/// The shares of top-1 as a drawing, the table of accuracies, the comparison with the baseline in
/// words, and the error by layer; nothing when the benchmark has none of them.
Markup AccuracyPart(const BenchmarkResult& benchmark, const MltsResults& results);

}  // namespace nncert

#endif  // NNCERT_MLTS_PAGE_ACCURACY_PART_H_
