// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Stress tests of one client process: the same work again and again.

#ifndef NNCERT_MLTS_STRESS_LOOP_TESTS_H_
#define NNCERT_MLTS_STRESS_LOOP_TESTS_H_

#include "mlts/stress/stress_setting.h"

namespace nncert {

/// See StressTests.
StressOutcome InferenceStress(const StressSetting& setting);
StressOutcome ModelLoadingStress(const StressSetting& setting);
StressOutcome ParallelInferenceStress(const StressSetting& setting);

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_LOOP_TESTS_H_
