// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// report.html: the results of a run on a page for people.

#ifndef NNCERT_MLTS_PAGE_RESULTS_PAGE_H_
#define NNCERT_MLTS_PAGE_RESULTS_PAGE_H_

#include <string>

#include "mlts/results/results.h"

namespace nncert {

/// A page of one file that asks nobody for anything: the driver, the machine and the run; how many
/// benchmarks are right, and what failed; a table of all benchmarks; what the driver claims of its
/// speed; stress; and a part for each benchmark. Every figure of results.json is in it: quantiles
/// as ticks of drawings, all others as text, each in a <data> element that has its exact value.
std::string MltsResultsToHtml(const MltsResults& results);

}  // namespace nncert

#endif  // NNCERT_MLTS_PAGE_RESULTS_PAGE_H_
