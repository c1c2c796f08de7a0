// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What MLTS demands of results.

#ifndef NNCERT_MLTS_METRICS_MLTS_THRESHOLDS_H_
#define NNCERT_MLTS_METRICS_MLTS_THRESHOLDS_H_

#include <optional>
#include <vector>

#include "mlts/data_sets/benchmark.h"
#include "mlts/results/results.h"

namespace nncert {

/// By how much the share of top-1 may lie below expectedTop1.
inline constexpr double kMltsTop1Margin = 0.05;
/// The greatest max_mel_cep_distortion.
inline constexpr double kMltsMelCepstralDistance = 4.0;
/// The greatest max_log_f0_error.
inline constexpr double kMltsLogF0Error = 0.01;
/// The greatest max_phone_error_rate, in percent.
inline constexpr double kMltsPhoneErrorRate = 5.0;

/// Whether a result is what MLTS demands of the evaluator: a check for each of its thresholds,
/// named as MLTS names the figure ("MLTS top_1", "MLTS max_mel_cep_distortion"). NOT_RUN when what
/// it is about was not measured, and for a share of top-1 that is below the threshold, but of so
/// few samples that its interval holds the expected share.
std::vector<CheckResult> MltsChecks(const AccuracyResult& result, Evaluator evaluator,
                                    std::optional<double> expected_top_1);

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_MLTS_THRESHOLDS_H_
