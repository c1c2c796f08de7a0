// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Stress tests of several client processes, some of which are killed.

#ifndef NNCERT_MLTS_STRESS_PROCESS_TESTS_H_
#define NNCERT_MLTS_STRESS_PROCESS_TESTS_H_

#include "mlts/stress/stress_setting.h"

namespace nncert {

/// See StressTests.
StressOutcome ClientEarlyTermination(const StressSetting& setting);
StressOutcome MultiProcessInference(const StressSetting& setting);
StressOutcome MultiProcessModelLoad(const StressSetting& setting);

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_PROCESS_TESTS_H_
