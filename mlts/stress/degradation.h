// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The stress test of latency while somebody prepares networks.

#ifndef NNCERT_MLTS_STRESS_DEGRADATION_H_
#define NNCERT_MLTS_STRESS_DEGRADATION_H_

#include "mlts/stress/stress_setting.h"

namespace nncert {

/// How many times as long an inference may take beside a client that prepares networks, as MLTS has
/// it.
inline constexpr double kMostDegradation = 1.5;

/// See StressTests.
StressOutcome PerformanceDegradation(const StressSetting& setting);

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_DEGRADATION_H_
