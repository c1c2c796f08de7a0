// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/mlts_thresholds.h"

#include <limits>
#include <optional>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlts/metrics/intervals.h"

namespace nncert {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

using Outcome = CheckResult::Outcome;

// The check that there is of a share of top-1.
CheckResult Top1(uint64_t right, uint64_t of, double expected) {
  AccuracyResult result;
  result.top_k.assign(5, ShareOf(right, of));
  const std::vector<CheckResult> checks = MltsChecks(result, Evaluator::TOP_K, expected);
  EXPECT_THAT(checks, SizeIs(1));
  return checks[0];
}

TEST(MltsThresholdsTest, Top1MayBeBelowByTheMargin) {
  EXPECT_EQ(Top1(5500, 10000, 0.6).outcome, Outcome::PASS);
  const CheckResult check = Top1(5499, 10000, 0.6);
  EXPECT_EQ(check.outcome, Outcome::FAIL);
  EXPECT_EQ(check.name, "MLTS top_1");
  EXPECT_EQ(check.detail, "0.5499 in [0.5401, 0.5596]; at least 0.5500, expected 0.6000");
}

TEST(MltsThresholdsTest, FewSamplesDecideNothing) {
  // 5 of 10 may well be 60 percent.
  EXPECT_EQ(Top1(5, 10, 0.6).outcome, Outcome::NOT_RUN);
  EXPECT_EQ(Top1(0, 10, 0.6).outcome, Outcome::FAIL);
}

TEST(MltsThresholdsTest, WithoutAnExpectationNothingIsDemanded) {
  EXPECT_THAT(MltsChecks({}, Evaluator::TOP_K, std::nullopt), IsEmpty());
  EXPECT_THAT(MltsChecks({}, Evaluator::NONE, 0.5), IsEmpty());
}

TEST(MltsThresholdsTest, WhatWasNotMeasuredIsNotRun) {
  for (const Evaluator evaluator :
       {Evaluator::TOP_K, Evaluator::MEL_CEP_LOG_F0, Evaluator::PHONE_ERROR_RATE}) {
    for (const CheckResult& check : MltsChecks({}, evaluator, 0.5)) {
      EXPECT_EQ(check.outcome, Outcome::NOT_RUN) << check.name;
    }
  }
}

TEST(MltsThresholdsTest, SpeechIsHeldToBothLimits) {
  AccuracyResult result;
  result.mel_cepstral_distance = 4.0;
  result.log_f0_error = 0.01;
  std::vector<CheckResult> checks = MltsChecks(result, Evaluator::MEL_CEP_LOG_F0, std::nullopt);
  ASSERT_THAT(checks, SizeIs(2));
  EXPECT_EQ(checks[0].outcome, Outcome::PASS);
  EXPECT_EQ(checks[1].outcome, Outcome::PASS);
  result.mel_cepstral_distance = 4.001;
  result.log_f0_error = std::numeric_limits<double>::quiet_NaN();
  checks = MltsChecks(result, Evaluator::MEL_CEP_LOG_F0, std::nullopt);
  EXPECT_EQ(checks[0].name, "MLTS max_mel_cep_distortion");
  EXPECT_EQ(checks[0].outcome, Outcome::FAIL);
  EXPECT_EQ(checks[0].detail, "4.001; at most 4");
  EXPECT_EQ(checks[1].name, "MLTS max_log_f0_error");
  EXPECT_EQ(checks[1].outcome, Outcome::FAIL);
}

TEST(MltsThresholdsTest, PhonesAreHeldToMltsRate) {
  AccuracyResult result;
  result.phone_error_rate_mlts = 5.0;
  result.phone_error_rate = 80;
  EXPECT_EQ(MltsChecks(result, Evaluator::PHONE_ERROR_RATE, std::nullopt)[0].outcome,
            Outcome::PASS);
  result.phone_error_rate_mlts = 5.1;
  const CheckResult check = MltsChecks(result, Evaluator::PHONE_ERROR_RATE, std::nullopt)[0];
  EXPECT_EQ(check.outcome, Outcome::FAIL);
  EXPECT_EQ(check.detail, "5.1 %; at most 5 %");
}

}  // namespace
}  // namespace nncert
