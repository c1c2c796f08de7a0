// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// results.csv: every figure of a run as a row of its own, which pivot tables and data frames take
// as it is.
//
// RFC 4180, UTF-8, one line of names, then for each figure:
//
//   section    run, benchmark, accuracy, comparison, layer, latency, throughput, compilation, leak,
//              check, problem, claim or stress
//   benchmark  its name; empty for what belongs to the run as a whole
//   driver     what was measured: the driver, or a baseline; empty where nothing was
//   baseline   what the driver was compared with, in comparisons
//   executor   sync, async or burst, of latencies
//   threads    how many called at once, of throughput
//   item       what of several: a layer "12 CONV_2D", a check's name, a kind of compilation, a
//              clock, an operand type, a stress test
//   figure     what it is: top 1, p95, bytes per load
//   value, low, high  the figure, and the interval that holds it in 95 of 100 runs, where there is
//   one unit       us, share, percent, bytes, inferences/s, s; empty for counts and for what has
//   none text       of what is no number: PASS, a checksum, a sentence
//
// A number that is none (NaN or an infinity) is an empty value with the text "not a number". Times
// and shares are as measured, without rounding. Quantiles, which plots are made of, are left to
// results.json.

#ifndef NNCERT_MLTS_RESULTS_RESULTS_CSV_H_
#define NNCERT_MLTS_RESULTS_RESULTS_CSV_H_

#include <string>

#include "mlts/results/results.h"

namespace nncert {

/// The results as CSV, in the order of their members. The same results give the same bytes.
std::string MltsResultsToCsv(const MltsResults& results);

}  // namespace nncert

#endif  // NNCERT_MLTS_RESULTS_RESULTS_CSV_H_
