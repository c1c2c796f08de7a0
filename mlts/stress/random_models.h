// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The stress test of random models.

#ifndef NNCERT_MLTS_STRESS_RANDOM_MODELS_H_
#define NNCERT_MLTS_STRESS_RANDOM_MODELS_H_

#include "mlts/stress/stress_setting.h"

namespace nncert {

/// See StressTests: a campaign of random graphs, in processes of its own.
StressOutcome InferenceRandom(const StressSetting& setting);

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_RANDOM_MODELS_H_
