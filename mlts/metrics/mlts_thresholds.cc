// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/mlts_thresholds.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace nncert {
namespace {

using Outcome = CheckResult::Outcome;

// A figure that must not exceed a limit; a NaN does.
CheckResult AtMost(const std::string& name, const std::optional<double>& value, double limit,
                   const std::string& unit) {
  CheckResult check;
  check.name = absl::StrCat("MLTS ", name);
  if (!value) {
    check.outcome = Outcome::NOT_RUN;
    check.detail = "there are no golden outputs";
    return check;
  }
  check.outcome = *value <= limit ? Outcome::PASS : Outcome::FAIL;
  check.detail = absl::StrFormat("%.6g%s; at most %g%s", *value, unit, limit, unit);
  return check;
}

CheckResult Top1(const AccuracyResult& result, double expected) {
  CheckResult check;
  check.name = "MLTS top_1";
  if (result.top_k.empty()) {
    check.outcome = Outcome::NOT_RUN;
    check.detail = "there are no labels";
    return check;
  }
  const Estimate& share = result.top_k[0];
  const double least = expected - kMltsTop1Margin;
  check.detail = absl::StrFormat("%.4f in [%.4f, %.4f]; at least %.4f, expected %.4f", share.value,
                                 share.low, share.high, least, expected);
  if (share.value < least) {
    check.outcome = share.high < expected ? Outcome::FAIL : Outcome::NOT_RUN;
    if (check.outcome == Outcome::NOT_RUN) {
      absl::StrAppend(&check.detail, ": too few samples to tell it from what is expected");
    }
  }
  return check;
}

}  // namespace

std::vector<CheckResult> MltsChecks(const AccuracyResult& result, Evaluator evaluator,
                                    std::optional<double> expected_top_1) {
  switch (evaluator) {
    case Evaluator::NONE:
      return {};
    case Evaluator::TOP_K:
      if (!expected_top_1) return {};
      return {Top1(result, *expected_top_1)};
    case Evaluator::MEL_CEP_LOG_F0:
      return {AtMost("max_mel_cep_distortion", result.mel_cepstral_distance,
                     kMltsMelCepstralDistance, ""),
              AtMost("max_log_f0_error", result.log_f0_error, kMltsLogF0Error, "")};
    case Evaluator::PHONE_ERROR_RATE:
      return {
          AtMost("max_phone_error_rate", result.phone_error_rate_mlts, kMltsPhoneErrorRate, " %")};
  }
  return {};
}

}  // namespace nncert
