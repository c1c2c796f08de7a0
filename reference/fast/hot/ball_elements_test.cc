// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Balls element by element, at every level that this machine has, against BallArithmetic.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reference/fast/hot/testing/level_test.h"
#include "reference/number/arithmetic.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert::hot {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

const double* DoublesOf(const std::vector<Ball>& balls) { return &balls.data()->midpoint; }
double* DoublesOf(std::vector<Ball>& balls) { return &balls.data()->midpoint; }

BallPrecision PrecisionOf(const Precision& precision) {
  return {precision.unit_roundoff, precision.underflow, precision.largest_finite};
}

class BallElementsTest : public LevelTest {};

// Whether `ball` is `expected` but for the last bits of doubles of the size of `reach`.
testing::AssertionResult IsAlmost(const Ball& ball, const Ball& expected, double reach) {
  const auto failure = [&] {
    return testing::AssertionFailure() << ball.midpoint << " +/- " << ball.radius << " for "
                                       << expected.midpoint << " +/- " << expected.radius;
  };
  if (ball.IsBounded() != expected.IsBounded()) return failure();
  if (!expected.IsBounded()) return testing::AssertionSuccess();
  if (std::isnan(expected.midpoint) != std::isnan(ball.midpoint)) return failure();
  if (ball.IsExact() != expected.IsExact()) return failure();
  if (!std::isfinite(expected.midpoint)) {
    const bool is_same = std::isnan(ball.midpoint) || ball.midpoint == expected.midpoint;
    return is_same ? testing::AssertionSuccess() : failure();
  }
  const double tolerance = 4e-15 * reach;
  if (!(std::abs(ball.midpoint - expected.midpoint) <= tolerance)) return failure();
  if (!(std::abs(ball.radius - expected.radius) <= tolerance)) return failure();
  return testing::AssertionSuccess();
}

// What BallArithmetic says of the result before it is limited.
Ball Unlimited(const BallArithmetic& arithmetic, const BallBinary& binary, const Ball& a,
               const Ball& b) {
  Ball result;
  switch (binary.operation) {
    case BinaryOperation::kAdd:
      result = arithmetic.Add(a, b);
      break;
    case BinaryOperation::kSubtract:
      result = arithmetic.Subtract(a, b);
      break;
    case BinaryOperation::kMultiply:
      result = arithmetic.Multiply(a, b);
      break;
    case BinaryOperation::kDivide:
      result = arithmetic.Divide(a, b);
      break;
  }
  return result;
}

// What BallArithmetic makes of it by Max and Min, less what these lose to one after the other.
Ball Limited(const BallArithmetic& arithmetic, const BallBinary& binary, const Ball& ball) {
  if (binary.lowest == -kInfinity && binary.highest == kInfinity) return ball;
  const Ball limited =
      arithmetic.Min(arithmetic.Max(ball, {binary.lowest, 0}), {binary.highest, 0});
  if (!limited.IsBounded() || limited.IsExact() || limited.midpoint == ball.midpoint) {
    return limited;
  }
  return Ball::FromBounds(std::clamp(ball.Lower(), binary.lowest, binary.highest),
                          std::clamp(ball.Upper(), binary.lowest, binary.highest));
}

// Balls of all kinds: zeros, exact ones, wide ones, specials, some beyond the range of halves or of
// binary32, and some below it.
std::vector<Ball> BallsOfAllKinds(TestRandom& random, size_t count) {
  const std::vector<Ball> kinds = {
      {0, 0},          {-0.0, 0},  {1, 0},           {-3.5, 0},        {1, 0x1p-24},
      {0, 0.25},       {-2, 1e-3}, {0.5, 2},         {70000, 0},       {1e38, 1e30},
      {-3e38, 0},      {1e300, 0}, {1e-30, 0},       {0x1p-127, 0},    {kInfinity, 0},
      {-kInfinity, 0}, {kNan, 0},  Ball::Anything(), {1e-300, 1e-300}, {0x1p-126, 0}};
  std::vector<Ball> balls(count);
  for (size_t i = 0; i < count; ++i) {
    if (random.Uniform(0, 1) < 0.6) {
      balls[i] = kinds[static_cast<size_t>(random.Uniform(0, static_cast<double>(kinds.size())))];
    } else {
      balls[i] = {random.WithExponent(-20, 20), std::abs(random.WithExponent(-40, 0))};
    }
  }
  return balls;
}

constexpr BinaryOperation kOperations[] = {BinaryOperation::kAdd, BinaryOperation::kSubtract,
                                           BinaryOperation::kMultiply, BinaryOperation::kDivide};

TEST_P(BallElementsTest, BinaryIsThatOfBallArithmetic) {
  TestRandom random(1);
  struct Limits {
    double lowest;
    double highest;
  };
  for (const Precision& precision : {kFloat32Precision, kFloat16Precision}) {
    const BallArithmetic arithmetic(precision);
    for (const BinaryOperation operation : kOperations) {
      for (const Limits& limits :
           {Limits{-kInfinity, kInfinity}, Limits{0, kInfinity}, Limits{-1, 1}, Limits{0, 6}}) {
        for (const size_t count : {1, 7, 64, 1003}) {
          const std::vector<Ball> a = BallsOfAllKinds(random, count);
          const std::vector<Ball> b = BallsOfAllKinds(random, count);
          for (const size_t a_step : {0, 1}) {
            for (const size_t b_step : {0, 1}) {
              std::vector<Ball> result(count + 1, Ball{99, 99});
              const BallBinary binary = {.operation = operation,
                                         .count = count,
                                         .a = DoublesOf(a),
                                         .a_step = a_step,
                                         .b = DoublesOf(b),
                                         .b_step = b_step,
                                         .quotient_roundings = 2 * BallArithmetic::kQuotientUlps,
                                         .precision = PrecisionOf(precision),
                                         .lowest = limits.lowest,
                                         .highest = limits.highest,
                                         .result = DoublesOf(result)};
              kernels().ball_binary(binary);
              for (size_t i = 0; i < count; ++i) {
                const Ball& x = a[i * a_step];
                const Ball& y = b[i * b_step];
                const Ball ball = Unlimited(arithmetic, binary, x, y);
                ASSERT_TRUE(IsAlmost(result[i], Limited(arithmetic, binary, ball),
                                     std::abs(ball.midpoint) + ball.radius))
                    << "operation " << static_cast<int>(operation) << " of " << x.midpoint
                    << " +/- " << x.radius << " and " << y.midpoint << " +/- " << y.radius
                    << ", limited to " << limits.lowest << " and " << limits.highest;
              }
              ASSERT_EQ(result[count].midpoint, 99);
            }
          }
        }
      }
    }
  }
}

TEST_P(BallElementsTest, WhatIsLimitedDoesNotReachBelowZero) {
  TestRandom random(4);
  for (int round = 0; round < 1000; ++round) {
    const std::vector<Ball> a(9, Ball{random.Uniform(-1, 1), 2 * random.Uniform(0.5, 1)});
    const std::vector<Ball> b(9, Ball{0, 0});
    std::vector<Ball> result(9);
    kernels().ball_binary({.operation = BinaryOperation::kAdd,
                           .count = 9,
                           .a = DoublesOf(a),
                           .b = DoublesOf(b),
                           .precision = PrecisionOf(kFloat32Precision),
                           .lowest = 0,
                           .highest = kInfinity,
                           .result = DoublesOf(result)});
    for (const Ball& ball : result) ASSERT_EQ(ball.Lower(), 0);
  }
}

// The exponentials that BallArithmetic gives one by one.
std::vector<Ball> ExpectedExponentials(const BallArithmetic& arithmetic, double beta,
                                       const std::vector<Ball>& x) {
  Ball maximum = x[0];
  for (const Ball& ball : x) maximum = arithmetic.Max(maximum, ball);
  std::vector<Ball> expected;
  for (const Ball& ball : x) {
    expected.push_back(
        arithmetic.Exp(arithmetic.Multiply(arithmetic.Subtract(ball, maximum), {beta, 0})));
  }
  return expected;
}

TEST_P(BallElementsTest, ExponentialsEncloseThoseOfBallArithmetic) {
  TestRandom random(2);
  for (const Precision& precision : {kFloat32Precision, kFloat16Precision}) {
    const BallArithmetic arithmetic(precision);
    for (const double beta : {1.0, 0.25, 3.0}) {
      for (const size_t count : {1, 5, 8, 64, 1001}) {
        for (const double radius : {0.0, 0x1p-20}) {
          std::vector<Ball> x(count);
          for (Ball& ball : x) ball = {random.Uniform(-40, 4), radius};
          const std::vector<Ball> expected = ExpectedExponentials(arithmetic, beta, x);
          std::vector<Ball> result(count + 1, Ball{99, 99});
          BallTotals totals;
          ASSERT_TRUE(kernels().ball_exponentials({.count = count,
                                                   .x = DoublesOf(x),
                                                   .beta = beta,
                                                   .function_ulps = BallArithmetic::kFunctionUlps,
                                                   .precision = PrecisionOf(precision),
                                                   .result = DoublesOf(result)},
                                                  totals));
          double midpoints = 0;
          double radii = 0;
          for (size_t i = 0; i < count; ++i) {
            // An exponential of an inexact argument may lie a trifle elsewhere, and reach as far.
            const double margin = 0x1p-48 * (expected[i].midpoint + expected[i].radius);
            ASSERT_LE(result[i].Lower(), expected[i].Lower() + margin);
            ASSERT_GE(result[i].Upper(), expected[i].Upper() - margin);
            // The square of an argument's radius is what it may be wider.
            const double spread = result[i].radius / std::max(result[i].midpoint, 1e-300);
            ASSERT_LE(result[i].radius, expected[i].radius * (1 + 2 * spread + 0x1p-40));
            midpoints += result[i].midpoint;
            radii += result[i].radius;
          }
          EXPECT_NEAR(totals.midpoints, midpoints, 1e-12 * midpoints);
          EXPECT_NEAR(totals.radii, radii, 1e-12 * radii);
          EXPECT_NEAR(totals.magnitudes, midpoints + radii, 1e-12 * (midpoints + radii));
          EXPECT_EQ(result[count].midpoint, 99);
        }
      }
    }
  }
}

// Whatever numbers the balls hold, and whatever an honest machine makes of them.
TEST_P(BallElementsTest, ExponentialsHoldThoseOfNumbersInTheBalls) {
  TestRandom random(3);
  for (int round = 0; round < 200; ++round) {
    std::vector<Ball> x(13);
    for (Ball& ball : x) ball = {random.Uniform(-30, 5), std::abs(random.WithExponent(-20, -3))};
    std::vector<Ball> result(x.size());
    BallTotals totals;
    ASSERT_TRUE(kernels().ball_exponentials({.count = x.size(),
                                             .x = DoublesOf(x),
                                             .beta = 0.5,
                                             .function_ulps = BallArithmetic::kFunctionUlps,
                                             .precision = PrecisionOf(kFloat32Precision),
                                             .result = DoublesOf(result)},
                                            totals));
    std::vector<double> numbers;
    double maximum = -kInfinity;
    for (const Ball& ball : x) {
      numbers.push_back(ball.midpoint + random.Uniform(-1, 1) * ball.radius);
      maximum = std::max(maximum, numbers.back());
    }
    for (size_t i = 0; i < x.size(); ++i) {
      const auto difference = static_cast<float>(numbers[i] - maximum);
      const float exponential = std::exp(difference * 0.5F);
      ASSERT_TRUE(result[i].Contains(std::exp((numbers[i] - maximum) * 0.5)));
      ASSERT_TRUE(result[i].Contains(exponential));
    }
  }
}

TEST_P(BallElementsTest, ExponentialsDeclineWhatTheyCannotEnclose) {
  for (const Ball& misfit :
       {Ball{kInfinity, 0}, Ball{-kInfinity, 0}, Ball{kNan, 0}, Ball::Anything(), Ball{1, 0.2}}) {
    for (const size_t where : {0, 6, 10}) {
      std::vector<Ball> x(11, Ball{1, 0});
      x[where] = misfit;
      std::vector<Ball> result(x.size());
      BallTotals totals;
      EXPECT_FALSE(kernels().ball_exponentials({.count = x.size(),
                                                .x = DoublesOf(x),
                                                .function_ulps = BallArithmetic::kFunctionUlps,
                                                .precision = PrecisionOf(kFloat32Precision),
                                                .result = DoublesOf(result)},
                                               totals))
          << misfit.midpoint << " +/- " << misfit.radius;
    }
  }
}

TEST_P(BallElementsTest, FloatsAreWidened) {
  for (const size_t count : {0, 1, 7, 8, 64, 101}) {
    std::vector<float> floats(count);
    for (size_t i = 0; i < count; ++i) floats[i] = 0.1F * static_cast<float>(i) - 3;
    std::vector<double> doubles(count + 1, 99);
    std::vector<Ball> balls(count + 1, Ball{99, 99});
    kernels().floats_to_doubles(count, floats.data(), doubles.data());
    EXPECT_TRUE(kernels().floats_to_balls(count, floats.data(), DoublesOf(balls)));
    for (size_t i = 0; i < count; ++i) {
      ASSERT_EQ(doubles[i], double{floats[i]});
      ASSERT_EQ(balls[i].midpoint, double{floats[i]});
      ASSERT_EQ(balls[i].radius, 0);
    }
    EXPECT_EQ(doubles[count], 99);
    EXPECT_EQ(balls[count].midpoint, 99);
  }
}

TEST_P(BallElementsTest, SubnormalFloatsAreFound) {
  for (size_t where = 0; where < 21; ++where) {
    std::vector<float> floats(21, 0x1p-126F);
    std::vector<Ball> balls(21);
    floats[3] = 0;
    floats[7] = std::numeric_limits<float>::infinity();
    floats[11] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(kernels().floats_to_balls(21, floats.data(), DoublesOf(balls)));
    floats[where] = -0x1p-127F;
    EXPECT_FALSE(kernels().floats_to_balls(21, floats.data(), DoublesOf(balls)));
  }
}

TEST_P(BallElementsTest, FloatsAreSplit) {
  for (size_t where = 0; where < 21; ++where) {
    std::vector<float> floats(21);
    for (size_t i = 0; i < floats.size(); ++i) floats[i] = static_cast<float>(i) - 10.3F;
    floats[5] = 0;
    std::vector<double> midpoints(22, 99);
    std::vector<float> magnitudes(22, 99);
    const auto split = [&] {
      return kernels().split_floats(21, floats.data(), midpoints.data(), magnitudes.data());
    };
    EXPECT_TRUE(split());
    for (size_t i = 0; i < floats.size(); ++i) {
      ASSERT_EQ(midpoints[i], double{floats[i]});
      ASSERT_EQ(magnitudes[i], std::abs(floats[i]));
    }
    EXPECT_EQ(midpoints[21], 99);
    EXPECT_EQ(magnitudes[21], 99);
    for (const float misfit : {0x1p-61F, -0x1p41F, std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN()}) {
      floats[where] = misfit;
      EXPECT_FALSE(split()) << misfit;
    }
  }
}

NNCERT_TEST_EVERY_LEVEL(BallElementsTest);

}  // namespace
}  // namespace nncert::hot
