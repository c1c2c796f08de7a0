// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What two runs of the same cases do not have in common: how long they took, and on what.

#ifndef NNCERT_CERTIFYING_TIMING_H_
#define NNCERT_CERTIFYING_TIMING_H_

#include <string>

#include "absl/time/time.h"
#include "certifying/report.h"

namespace nncert {

/// The version of what TimingToJson writes, counted up when a member changes its meaning, or goes.
inline constexpr int kTimingFormat = 1;

/// A duration in seconds, rounded to thousandths, as people are told of it.
double RoundedSeconds(absl::Duration duration);

/// {"format", "start": the date, "seconds", "process": {"restarts", "cpuSeconds",
/// "peakMemoryBytes"} when the driver had a process of its own, "suites": [{"name", "seconds"}]},
/// indented. Suites of cases share the time of all cases as their results say.
std::string TimingToJson(const RunReport& report);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_TIMING_H_
