// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/worker_report.h"

#include <algorithm>
#include <limits>

namespace nncert {

void Add(const WorkerReport& more, WorkerReport& sum) {
  constexpr int kMost = std::numeric_limits<int>::max();
  sum.restarts = more.restarts > kMost - sum.restarts ? kMost : sum.restarts + more.restarts;
  sum.cpu_time += more.cpu_time;
  sum.peak_memory = std::max(sum.peak_memory, more.peak_memory);
  sum.findings.insert(sum.findings.end(), more.findings.begin(), more.findings.end());
}

}  // namespace nncert
