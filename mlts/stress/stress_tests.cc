// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/stress_tests.h"

#include "mlts/stress/degradation.h"
#include "mlts/stress/loop_tests.h"
#include "mlts/stress/process_tests.h"
#include "mlts/stress/random_models.h"

namespace nncert {

absl::Span<const StressTest> StressTests() {
  static constexpr StressTest kTests[] = {
      {"inference-stress", &InferenceStress},
      {"model-loading-stress", &ModelLoadingStress},
      {"parallel-inference-stress", &ParallelInferenceStress},
      {"client-early-termination", &ClientEarlyTermination},
      {"multi-process-inference", &MultiProcessInference},
      {"multi-process-model-load", &MultiProcessModelLoad},
      {"inference-random", &InferenceRandom},
      {"performance-degradation", &PerformanceDegradation},
  };
  return kTests;
}

}  // namespace nncert
