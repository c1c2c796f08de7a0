// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Balls by the vector, at every level that this machine has, against BallArithmetic.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "reference/fast/hot/testing/level_test.h"
#include "reference/number/arithmetic.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert::hot {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class BallsTest : public LevelTest {
 protected:
  BallSurvey Survey(const std::vector<Ball>& balls) {
    return kernels().survey_balls(balls.size(), &balls.data()->midpoint);
  }
};

TEST_P(BallsTest, SurveysLookAtEveryBall) {
  for (size_t where = 0; where < 21; ++where) {
    std::vector<Ball> balls(21, Ball{-1.5, 0});
    EXPECT_TRUE(Survey(balls).are_exact);
    EXPECT_TRUE(Survey(balls).fit_floats);
    balls[where] = {0, 0x1p-60};
    EXPECT_FALSE(Survey(balls).are_exact);
    EXPECT_TRUE(Survey(balls).fit_floats);
    for (const Ball& misfit :
         {Ball{0x1p-61, 0}, Ball{-0x1p41, 0}, Ball{1, 0x1p-61}, Ball::Anything(),
          Ball{kInfinity, 0}, Ball{std::numeric_limits<double>::quiet_NaN(), 0}}) {
      balls[where] = misfit;
      EXPECT_FALSE(Survey(balls).fit_floats) << misfit.midpoint << " +/- " << misfit.radius;
    }
  }
}

TEST_P(BallsTest, SplitsRoundUpwards) {
  TestRandom random(1);
  for (const size_t count : {1, 7, 64, 101}) {
    std::vector<Ball> balls(count);
    for (Ball& ball : balls) {
      ball = {random.WithExponent(-59, 39), std::abs(random.WithExponent(-59, 39))};
    }
    balls[0] = {0, 0};
    std::vector<double> midpoints(count);
    std::vector<float> magnitudes(count);
    std::vector<float> radii(count);
    kernels().split_balls(count, &balls.data()->midpoint, midpoints.data(), magnitudes.data(),
                          radii.data());
    for (size_t i = 0; i < count; ++i) {
      const auto bounds_closely = [](double bound, double number) {
        return bound >= number && bound <= number * (1 + 0x1p-22);
      };
      ASSERT_EQ(midpoints[i], balls[i].midpoint);
      ASSERT_TRUE(bounds_closely(magnitudes[i], std::abs(balls[i].midpoint)));
      ASSERT_TRUE(bounds_closely(radii[i], balls[i].radius));
    }
    kernels().split_balls(count, &balls.data()->midpoint, midpoints.data(), magnitudes.data(),
                          nullptr);
  }
}

// Sums of products, and the ball that BallArithmetic makes of them.
struct SumCase {
  size_t rows;
  size_t columns;
  double lowest;
  double highest;
};

Ball Expected(const BallArithmetic& arithmetic, const BallSums& sums, size_t i, const Ball& bias) {
  const double spread = sums.spreads == nullptr ? 0 : sums.inflation * double{sums.spreads[i]};
  const double reach = sums.inflation * double{sums.magnitudes[i]} + spread;
  const double error = SumError(arithmetic.precision(), sums.terms, reach);
  Ball ball = Ball::Anything();
  if (reach + error <= arithmetic.precision().largest_finite) {
    ball = {sums.midpoints[i], spread + error};
  }
  ball = arithmetic.AddToSum(ball, bias, static_cast<size_t>(sums.terms_with_bias));
  if (sums.lowest > -kInfinity) ball = arithmetic.Max(ball, {sums.lowest, 0});
  if (sums.highest < kInfinity) ball = arithmetic.Min(ball, {sums.highest, 0});
  return ball;
}

TEST_P(BallsTest, SumsAreFinishedAsByBallArithmetic) {
  TestRandom random(2);
  for (const Precision& precision : {kFloat32Precision, kFloat16Precision, kQuantizedPrecision}) {
    const BallArithmetic arithmetic(precision);
    for (const SumCase& sum_case :
         {SumCase{1, 1, -kInfinity, kInfinity}, SumCase{3, 8, 0, kInfinity}, SumCase{5, 37, 0, 6},
          SumCase{4, 64, -1, 1}}) {
      for (const bool has_spreads : {false, true}) {
        const size_t count = sum_case.rows * sum_case.columns;
        std::vector<double> midpoints(count);
        std::vector<float> magnitudes(count);
        std::vector<float> spreads(count);
        for (size_t i = 0; i < count; ++i) {
          if (i % 7 == 3) continue;  // zeros
          magnitudes[i] = static_cast<float>(std::abs(random.WithExponent(-20, 4)));
          // Some leave the range of halves.
          if (i % 11 == 5) magnitudes[i] = 70000;
          midpoints[i] = random.Uniform(-1, 1) * double{magnitudes[i]};
          spreads[i] = static_cast<float>(std::abs(random.WithExponent(-30, 0)));
        }
        std::vector<Ball> bias(sum_case.columns);
        for (size_t c = 0; c < bias.size(); ++c) {
          if (c % 3 != 0) bias[c] = {random.Uniform(-2, 2), c % 3 == 1 ? 0 : 0.001};
        }
        std::vector<Ball> result(count + 1, Ball{99, 99});
        BallSums sums;
        sums.rows = sum_case.rows;
        sums.columns = sum_case.columns;
        sums.midpoints = midpoints.data();
        sums.magnitudes = magnitudes.data();
        sums.spreads = has_spreads ? spreads.data() : nullptr;
        sums.inflation = 1 + 0x1p-16;
        sums.terms = 100;
        sums.terms_with_bias = 120;
        sums.bias = &bias.data()->midpoint;
        sums.unit_roundoff = precision.unit_roundoff;
        sums.underflow = precision.underflow;
        sums.largest_finite = precision.largest_finite;
        sums.sum_roundoff = precision.sum_roundoff;
        sums.lowest = sum_case.lowest;
        sums.highest = sum_case.highest;
        sums.result = &result.data()->midpoint;
        kernels().finish_balls(sums);
        for (size_t i = 0; i < count; ++i) {
          const Ball expected = Expected(arithmetic, sums, i, bias[i % sum_case.columns]);
          ASSERT_EQ(result[i].IsBounded(), expected.IsBounded()) << "element " << i;
          if (!expected.IsBounded()) continue;
          const double tolerance = 1e-14 * (std::abs(expected.midpoint) + expected.radius);
          ASSERT_NEAR(result[i].midpoint, expected.midpoint, tolerance);
          ASSERT_NEAR(result[i].radius, expected.radius, tolerance);
          ASSERT_EQ(result[i].IsExact(), expected.IsExact());
        }
        ASSERT_EQ(result[count].midpoint, 99);
      }
    }
  }
}

TEST_P(BallsTest, LimitsHoldTheBoundsThatTheyKeep) {
  TestRandom random(3);
  const BallArithmetic arithmetic(kFloat32Precision);
  for (int i = 0; i < 2000; ++i) {
    // Without an error of its own, the ball is the midpoint and its spread.
    const double midpoint = random.WithExponent(-6, 3);
    const float spread = static_cast<float>(std::abs(random.WithExponent(-20, 3)));
    const float no_magnitude = 0;
    const Ball no_bias;
    Ball result;
    BallSums sums;
    sums.rows = 1;
    sums.columns = 1;
    sums.midpoints = &midpoint;
    sums.magnitudes = &no_magnitude;
    sums.spreads = &spread;
    sums.bias = &no_bias.midpoint;
    sums.largest_finite = kFloat32Precision.largest_finite;
    sums.lowest = 0;
    sums.highest = 6;
    sums.result = &result.midpoint;
    kernels().finish_balls(sums);
    for (const double end : {midpoint - double{spread}, midpoint + double{spread}}) {
      ASSERT_TRUE(result.Contains(std::clamp(end, 0.0, 6.0)))
          << midpoint << " +/- " << spread << " became " << result.midpoint << " +/- "
          << result.radius;
    }
  }
}

NNCERT_TEST_EVERY_LEVEL(BallsTest);

}  // namespace
}  // namespace nncert::hot
