// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Functions that are not defined, or not monotonic, everywhere; arithmetic_test.cc has their
// accuracy where they are well-behaved.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "reference/number/arithmetic.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.141592653589793;

bool Is(const Ball& ball, double value) {
  return ball.IsExact() && (std::isnan(value) ? std::isnan(ball.midpoint) : ball.midpoint == value);
}

TEST(BallFunctionsTest, AbsoluteValuesAreNotRounded) {
  const BallArithmetic arithmetic(kFloat16Precision);
  EXPECT_TRUE(Is(arithmetic.Abs({-3, 0}), 3));
  EXPECT_TRUE(Is(arithmetic.Abs({3, 0}), 3));
  EXPECT_TRUE(Is(arithmetic.Abs({-kInfinity, 0}), kInfinity));
  EXPECT_TRUE(Is(arithmetic.Abs({kNaN, 0}), kNaN));
  EXPECT_EQ(arithmetic.Abs({-3, 1}).midpoint, 3);
  EXPECT_EQ(arithmetic.Abs({-3, 1}).radius, 1);
  EXPECT_EQ(arithmetic.Abs({3, 1}).midpoint, 3);
  EXPECT_FALSE(arithmetic.Abs(Ball::Anything()).IsBounded());
}

TEST(BallFunctionsTest, TheAbsoluteValueOfABallAroundZeroReachesFromZero) {
  const BallArithmetic arithmetic(kFloat32Precision);
  for (const Ball& ball : {Ball{-1, 3}, Ball{1, 3}}) {  // [-4, 2] and [-2, 4]
    const Ball magnitude = arithmetic.Abs(ball);
    EXPECT_EQ(magnitude.Lower(), 0);
    EXPECT_EQ(magnitude.Upper(), 4);
  }
}

TEST(BallFunctionsTest, LogarithmsAndReciprocalRootsOfNegativeNumbersAreNaN) {
  const BallArithmetic arithmetic(kFloat32Precision);
  for (const Ball& negative : {Ball{-1, 0}, Ball{-1, 0.5}, Ball{-kInfinity, 0}}) {
    EXPECT_TRUE(Is(arithmetic.Log(negative), kNaN));
    EXPECT_TRUE(Is(arithmetic.Rsqrt(negative), kNaN));
  }
  EXPECT_TRUE(Is(arithmetic.Log({kNaN, 0}), kNaN));
  EXPECT_TRUE(Is(arithmetic.Rsqrt({kNaN, 0}), kNaN));
}

TEST(BallFunctionsTest, LogarithmsAndReciprocalRootsOfWhatMayBeZeroAreAnything) {
  const BallArithmetic arithmetic(kFloat32Precision);
  // Zero, a number that may be flushed to zero, one that may be negative, one that touches zero.
  for (const Ball& edge : {Ball{0, 0}, Ball{-0.0, 0}, Ball{1e-40, 0}, Ball{-1e-40, 0}, Ball{1, 2},
                           Ball{1, 1}, Ball{-1, 1}, Ball::Anything()}) {
    EXPECT_FALSE(arithmetic.Log(edge).IsBounded()) << edge.midpoint << " " << edge.radius;
    EXPECT_FALSE(arithmetic.Rsqrt(edge).IsBounded()) << edge.midpoint << " " << edge.radius;
  }
}

TEST(BallFunctionsTest, LogarithmsAndReciprocalRootsOfInfinity) {
  const BallArithmetic arithmetic(kFloat16Precision);
  EXPECT_TRUE(Is(arithmetic.Log({kInfinity, 0}), kInfinity));
  EXPECT_TRUE(arithmetic.Rsqrt({kInfinity, 0}).Contains(0));
  EXPECT_LE(arithmetic.Rsqrt({kInfinity, 0}).radius, 0x1p-14);
}

TEST(BallFunctionsTest, LogarithmsNearOneHaveAnAbsoluteError) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_TRUE(Is(arithmetic.Log({1, 0}), 0));
  const double x = 1 + 0x1p-20;
  const Ball near = arithmetic.Log({x, 0});
  EXPECT_TRUE(near.Contains(std::log(x) + 0x1p-21));
  EXPECT_TRUE(near.Contains(std::log(x) - 0x1p-21));
  EXPECT_LT(near.radius, 0x1p-20);
}

TEST(BallFunctionsTest, LogarithmsAndReciprocalRootsOfBallsReachFromEndToEnd) {
  const BallArithmetic arithmetic(kFloat32Precision);
  const Ball logarithm = arithmetic.Log({2.5, 1.5});  // [1, 4]
  EXPECT_NEAR(logarithm.Lower(), 0, 3e-6);
  EXPECT_NEAR(logarithm.Upper(), std::log(4), 3e-6);
  const Ball root = arithmetic.Rsqrt({2.125, 1.875});  // [0.25, 4]
  EXPECT_NEAR(root.Lower(), 0.5, 3e-6);
  EXPECT_NEAR(root.Upper(), 2, 3e-6);
}

TEST(BallFunctionsTest, SinesReachTheirExtremesWhereTheArgumentPassesThem) {
  const BallArithmetic arithmetic(kFloat32Precision);
  const Ball over_maximum = arithmetic.Sin({kPi / 2, 0.5});
  EXPECT_NEAR(over_maximum.Lower(), std::cos(0.5), 5e-6);
  EXPECT_NEAR(over_maximum.Upper(), 1, 5e-6);
  const Ball over_minimum = arithmetic.Sin({-kPi / 2, 0.5});
  EXPECT_NEAR(over_minimum.Lower(), -1, 5e-6);
  EXPECT_NEAR(over_minimum.Upper(), -std::cos(0.5), 5e-6);
  const Ball between = arithmetic.Sin({kPi, 0.5});
  EXPECT_NEAR(between.Lower(), -std::sin(0.5), 5e-6);
  EXPECT_NEAR(between.Upper(), std::sin(0.5), 5e-6);
  // A turn further on, over both extremes.
  const Ball both = arithmetic.Sin({2 * kPi, 2});
  EXPECT_NEAR(both.Lower(), -1, 5e-6);
  EXPECT_NEAR(both.Upper(), 1, 5e-6);
  const Ball turn = arithmetic.Sin({0.3, 10});
  EXPECT_NEAR(turn.Lower(), -1, 5e-6);
  EXPECT_NEAR(turn.Upper(), 1, 5e-6);
}

TEST(BallFunctionsTest, SinesOfBallsHoldThoseOfEveryNumberInThem) {
  const BallArithmetic arithmetic(kFloat32Precision);
  TestRandom random(29);
  for (int i = 0; i < 50000; ++i) {
    const double radius = std::abs(random.WithExponent(-20, 2));
    const double midpoint = random.Uniform(-50, 50);
    const double x = midpoint + random.Uniform(-radius, radius);
    const Ball sine = arithmetic.Sin({midpoint, radius});
    ASSERT_TRUE(sine.Contains(std::sin(x))) << midpoint << " +/- " << radius << ": " << x;
    ASSERT_LE(sine.radius, radius + 1e-4);
  }
}

TEST(BallFunctionsTest, SinesOfLargeArgumentsLoseEverythingButTheirRange) {
  const auto radius = [](const Precision& precision, double x) {
    return BallArithmetic(precision).Sin({x, 0}).radius;
  };
  EXPECT_LT(radius(kFloat32Precision, 0.5), 1e-6);
  EXPECT_LT(radius(kFloat32Precision, 3), 1.5e-6);
  EXPECT_LT(radius(kFloat32Precision, 100), 2e-5);
  EXPECT_LT(radius(kFloat16Precision, 0.5), 0.008);
  EXPECT_LT(radius(kFloat16Precision, 3), 0.012);
  for (const double x : {5000.0, 65504.0, -30000.0}) {
    EXPECT_GT(radius(kFloat16Precision, x), 1);
    EXPECT_LT(radius(kFloat16Precision, x), 1.01);
  }
  EXPECT_LT(radius(kFloat32Precision, 1e38), 1.00001);
}

TEST(BallFunctionsTest, SinesOfSpecials) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_TRUE(Is(arithmetic.Sin({kInfinity, 0}), kNaN));
  EXPECT_TRUE(Is(arithmetic.Sin({-kInfinity, 0}), kNaN));
  EXPECT_TRUE(Is(arithmetic.Sin({kNaN, 0}), kNaN));
  EXPECT_FALSE(arithmetic.Sin(Ball::Anything()).IsBounded());
}

// What a machine makes of a power, in each way.
std::vector<double> PowersOf(const HonestMachine& machine, double base, double exponent) {
  std::vector<double> powers = {machine.Round(std::pow(base, exponent))};
  const double magnitude = std::abs(base);
  const bool is_integer = std::floor(exponent) == exponent;
  const double sign = base < 0 && std::fmod(exponent, 2) != 0 ? -1 : 1;
  const double natural = machine.Multiply(exponent, machine.Round(std::log(magnitude)));
  powers.push_back(sign * machine.Exp(natural));
  const double binary = machine.Multiply(exponent, machine.Round(std::log2(magnitude)));
  powers.push_back(sign * machine.Round(std::exp2(binary)));
  if (is_integer) {
    double product = 1;
    for (int i = 0; i < std::abs(exponent); ++i) product = machine.Multiply(product, base);
    powers.push_back(exponent < 0 ? machine.Divide(1, product) : product);
  }
  return powers;
}

TEST(BallPowerTest, HoldsWhatHonestMachinesGive) {
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    TestRandom random(31);
    int bounded = 0;
    for (int i = 0; i < 60000; ++i) {
      double base = std::abs(machine.Round(random.WithExponent(-5, 5)));
      double exponent = machine.Round(random.Uniform(-6, 6));
      if (i % 3 == 0) exponent = std::round(exponent);
      if (i % 6 == 0) base = -base;
      // Exact numbers, and the base or the exponent of a positive base somewhere in a ball.
      const double base_radius = i % 4 == 1 ? std::abs(base) * random.Uniform(0, 0x1p-6) : 0;
      const double exponent_radius = i % 4 == 2 && base > 0 ? random.Uniform(0, 0x1p-6) : 0;
      const Ball base_ball =
          Around(base + random.Uniform(-base_radius, base_radius), base_radius, base);
      const Ball exponent_ball = Around(
          exponent + random.Uniform(-exponent_radius, exponent_radius), exponent_radius, exponent);
      const Ball power = arithmetic.Power(base_ball, exponent_ball);
      bounded += power.IsBounded() ? 1 : 0;
      ASSERT_TRUE(ContainsExactly(
          power, std::pow(static_cast<long double>(base), static_cast<long double>(exponent))))
          << machine.name() << " " << base << "^" << exponent;
      const std::vector<double> ways = PowersOf(machine, base, exponent);
      for (size_t way = 0; way < ways.size(); ++way) {
        ASSERT_TRUE(power.Contains(ways[way]))
            << machine.name() << " " << base << "^" << exponent << ", way " << way << ", is "
            << ways[way] << ", not in " << power.midpoint << " +/- " << power.radius;
      }
    }
    EXPECT_GT(bounded, 40000) << machine.name();
  }
}

TEST(BallPowerTest, IsTightWhereThePowerIsWellConditioned) {
  const auto radius = [](const Precision& precision, double base, double exponent) {
    return BallArithmetic(precision).Power({base, 0}, {exponent, 0}).radius;
  };
  EXPECT_LT(radius(kFloat32Precision, 3, 2), 9 * 5e-6);
  EXPECT_LT(radius(kFloat32Precision, 0.5, 3), 0.125 * 5e-6);
  EXPECT_LT(radius(kFloat32Precision, 1, 1000), 1e-6);
  EXPECT_LT(radius(kFloat16Precision, 3, 2), 9 * 0.05);
  EXPECT_LT(radius(kFloat32Precision, 7, 0), 1e-6);
}

TEST(BallPowerTest, NegativeBasesHavePowersWithIntegersOnly) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_TRUE(arithmetic.Power({-2, 0}, {3, 0}).Contains(-8));
  EXPECT_LT(arithmetic.Power({-2, 0}, {3, 0}).radius, 1e-4);
  EXPECT_TRUE(arithmetic.Power({-2, 0}, {2, 0}).Contains(4));
  EXPECT_LT(arithmetic.Power({-2, 0}, {2, 0}).radius, 1e-4);
  EXPECT_TRUE(arithmetic.Power({-2, 0}, {-1, 0}).Contains(-0.5));
  EXPECT_TRUE(arithmetic.Power({-2, 0}, {0, 0}).Contains(1));
  // 2^24 is even, whatever the doubles around it.
  EXPECT_TRUE(arithmetic.Power({-1, 0}, {0x1p24, 0}).Contains(1));
  EXPECT_FALSE(arithmetic.Power({-1, 0}, {0x1p24, 0}).Contains(-1));
  EXPECT_TRUE(Is(arithmetic.Power({-2, 0}, {0.5, 0}), kNaN));
  EXPECT_TRUE(Is(arithmetic.Power({-2, 0.5}, {0.5, 0.25}), kNaN));
  // The exponent may be an integer, and may not.
  EXPECT_FALSE(arithmetic.Power({-2, 0}, {2, 0x1p-20}).IsBounded());
  EXPECT_FALSE(arithmetic.Power({-2, 0}, {2.5, 1}).IsBounded());
}

TEST(BallPowerTest, BasesThatMayBeZeroHavePowersWithPositiveExponentsOnly) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_TRUE(Is(arithmetic.Power({0, 0}, {2.5, 0}), 0));
  EXPECT_FALSE(arithmetic.Power({0, 0}, {0, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Power({0, 0}, {-1, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Power({1, 1}, {-1, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Power({1, 1}, {1, 2}).IsBounded());
  // An exponent that may be flushed to zero.
  EXPECT_FALSE(arithmetic.Power({0, 0}, {1e-40, 0}).IsBounded());
  const Ball root = arithmetic.Power({2, 2}, {0.5, 0});  // [0, 4] to the power 1/2
  EXPECT_EQ(root.Lower(), 0);
  EXPECT_NEAR(root.Upper(), 2, 2e-5);
  const Ball between = arithmetic.Power({2, 2}, {1, 0.5});  // [0, 4] to the powers 1/2 to 3/2
  EXPECT_EQ(between.Lower(), 0);
  EXPECT_NEAR(between.Upper(), 8, 1e-4);
  const Ball below_normal = arithmetic.Power({1e-40, 0}, {2, 0});
  EXPECT_TRUE(below_normal.Contains(0));
  EXPECT_LT(below_normal.radius, 1e-37);
}

TEST(BallPowerTest, BasesOfEitherSign) {
  const BallArithmetic arithmetic(kFloat32Precision);
  const Ball square = arithmetic.Power({-1, 2}, {2, 0});  // [-3, 1] squared
  EXPECT_EQ(square.Lower(), 0);
  EXPECT_NEAR(square.Upper(), 9, 1e-4);
  const Ball cube = arithmetic.Power({-1, 2}, {3, 0});
  EXPECT_NEAR(cube.Lower(), -27, 1e-3);
  EXPECT_NEAR(cube.Upper(), 1, 1e-3);
  EXPECT_FALSE(arithmetic.Power({-1, 2}, {2.5, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Power({0, 1e30}, {3, 0}).IsBounded());
}

TEST(BallPowerTest, OverflowIsAnythingAndUnderflowIsNotMuch) {
  const BallArithmetic arithmetic(kFloat16Precision);
  EXPECT_FALSE(arithmetic.Power({300, 0}, {2, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Power({30000, 0}, {30000, 0}).IsBounded());
  // Even where the exponent of e is beyond the range of halves.
  for (const double exponent : {-2.0, -100.0, -60000.0}) {
    const Ball tiny = arithmetic.Power({300, 0}, {exponent, 0});
    EXPECT_TRUE(tiny.Contains(0)) << exponent;
    EXPECT_LT(tiny.radius, 0x1p-13) << exponent;
  }
}

TEST(BallPowerTest, NegativePowersMayBeReciprocalsOfWhatIsFlushed) {
  // 0.125^-5 = 32768 is a half; 0.125^5 = 2^-15 is below the normal range.
  const BallArithmetic arithmetic(kFloat16Precision);
  EXPECT_FALSE(arithmetic.Power({0.125, 0}, {-5, 0}).IsBounded());
  EXPECT_TRUE(arithmetic.Power({0.125, 0}, {-4, 0}).IsBounded());
  EXPECT_TRUE(arithmetic.Power({8, 0}, {5, 0}).IsBounded());
}

TEST(BallPowerTest, SpecialsAreKnownWhereEveryWayToComputeAgrees) {
  const BallArithmetic arithmetic(kFloat32Precision);
  const auto power = [&](double base, double exponent) {
    return arithmetic.Power({base, 0}, {exponent, 0});
  };
  EXPECT_TRUE(Is(power(kNaN, 2), kNaN));
  EXPECT_TRUE(Is(power(2, kNaN), kNaN));
  EXPECT_TRUE(Is(power(kInfinity, 2), kInfinity));
  EXPECT_TRUE(Is(power(kInfinity, -2), 0));
  EXPECT_TRUE(Is(power(2, kInfinity), kInfinity));
  EXPECT_TRUE(Is(power(2, -kInfinity), 0));
  EXPECT_TRUE(Is(power(0.5, kInfinity), 0));
  EXPECT_TRUE(Is(power(0.5, -kInfinity), kInfinity));
  EXPECT_FALSE(power(1, kNaN).IsBounded());
  EXPECT_FALSE(power(kNaN, 0).IsBounded());
  EXPECT_FALSE(power(1, kInfinity).IsBounded());
  EXPECT_FALSE(power(kInfinity, 0).IsBounded());
  EXPECT_FALSE(power(-2, kInfinity).IsBounded());
  EXPECT_FALSE(power(-kInfinity, 3).IsBounded());
  EXPECT_FALSE(power(0, kInfinity).IsBounded());
  EXPECT_FALSE(arithmetic.Power({2, 0.5}, {kInfinity, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Power({kInfinity, 0}, {2, 0.5}).IsBounded());
  EXPECT_FALSE(arithmetic.Power(Ball::Anything(), {2, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Power({2, 0}, Ball::Anything()).IsBounded());
}

TEST(BallComparisonTest, LessOrEqualIsDecidedByBallsThatOnlyTouch) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_EQ(arithmetic.LessOrEqual({1, 0}, {1, 0}), Truth::kTrue);
  EXPECT_EQ(arithmetic.LessOrEqual({2, 0}, {1, 0}), Truth::kFalse);
  EXPECT_EQ(arithmetic.LessOrEqual({1, 0.5}, {2, 0.5}), Truth::kTrue);
  EXPECT_EQ(arithmetic.LessOrEqual({2, 0.5}, {1, 0.5}), Truth::kUndecided);
  EXPECT_EQ(arithmetic.LessOrEqual({3, 0.5}, {1, 0.5}), Truth::kFalse);
  EXPECT_EQ(arithmetic.LessOrEqual({1, 0.5}, {1, 0.5}), Truth::kUndecided);
  EXPECT_EQ(arithmetic.LessOrEqual({1, 0.5}, {kInfinity, 0}), Truth::kTrue);
  EXPECT_EQ(arithmetic.LessOrEqual({kNaN, 0}, {1, 0}), Truth::kFalse);
  EXPECT_EQ(arithmetic.LessOrEqual({kNaN, 0}, {1, 0.5}), Truth::kUndecided);
  EXPECT_EQ(arithmetic.LessOrEqual(Ball::Anything(), {1, 0}), Truth::kUndecided);
  EXPECT_EQ(arithmetic.LessOrEqual({1, 0}, Ball::Anything()), Truth::kUndecided);
}

TEST(RealFunctionsTest, AreThoseOfTheFormulas) {
  const DoubleArithmetic arithmetic;
  EXPECT_EQ(arithmetic.Abs(-2), 2);
  EXPECT_EQ(arithmetic.Rsqrt(4), 0.5);
  EXPECT_EQ(arithmetic.Log(1), 0);
  EXPECT_EQ(arithmetic.Sin(0), 0);
  EXPECT_NEAR(arithmetic.Sin(kPi / 6), 0.5, 1e-15);
  EXPECT_EQ(arithmetic.Power(2, 10), 1024);
  EXPECT_EQ(arithmetic.Power(-2, 3), -8);
  EXPECT_TRUE(std::isnan(arithmetic.Power(-2, 0.5)));
  EXPECT_EQ(arithmetic.LessOrEqual(1, 1), Truth::kTrue);
  EXPECT_EQ(arithmetic.LessOrEqual(2, 1), Truth::kFalse);
  EXPECT_EQ(arithmetic.LessOrEqual(kNaN, 1), Truth::kFalse);
  EXPECT_EQ(FloatArithmetic().Rsqrt(16), 0.25F);
}

}  // namespace
}  // namespace nncert
