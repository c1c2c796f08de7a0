// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/number/arithmetic.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <vector>

#include "reference/number/testing/honest_machine.h"

namespace nncert {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// Checks an operation of two numbers on balls against machines that do it on numbers in the balls,
// and against the exact result.
struct BinaryCase {
  const char* name;
  Ball (BallArithmetic::*enclose)(const Ball&, const Ball&) const;
  double (HonestMachine::*compute)(double, double) const;
  std::function<long double(long double, long double)> exact;
};

std::vector<BinaryCase> BinaryCases() {
  return {
      {"Add", &BallArithmetic::Add, &HonestMachine::Add, [](auto x, auto y) { return x + y; }},
      {"Subtract", &BallArithmetic::Subtract, &HonestMachine::Subtract,
       [](auto x, auto y) { return x - y; }},
      {"Multiply", &BallArithmetic::Multiply, &HonestMachine::Multiply,
       [](auto x, auto y) { return x * y; }},
      {"Divide", &BallArithmetic::Divide, &HonestMachine::Divide,
       [](auto x, auto y) { return x / y; }},
      {"Divide by the reciprocal", &BallArithmetic::Divide, &HonestMachine::DivideByReciprocal,
       [](auto x, auto y) { return x / y; }},
  };
}

TEST(BallArithmeticTest, BinaryOperationsHoldWhatHonestMachinesGive) {
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    const bool is_half = machine.precision().largest_finite < 1e5;
    const int range = is_half ? 15 : 127;
    for (const BinaryCase& binary : BinaryCases()) {
      TestRandom random(7);
      int bounded = 0;
      for (int i = 0; i < 60000; ++i) {
        // All exponents, those below the normal range included; and near each other.
        const int spread = i % 2 == 0 ? range : 2;
        const Sample x = RandomSample(machine, random, -spread - (i % 2 == 0 ? 8 : 0), spread);
        const Sample y = RandomSample(machine, random, -spread - (i % 2 == 0 ? 8 : 0), spread);
        const Ball result = (arithmetic.*binary.enclose)(x.ball, y.ball);
        const double computed = (machine.*binary.compute)(x.value, y.value);
        ASSERT_TRUE(result.Contains(computed))
            << machine.name() << " " << binary.name << "(" << x.value << ", " << y.value
            << ") = " << computed << " is not in " << result.midpoint << " +/- " << result.radius;
        if (y.value != 0) {
          ASSERT_TRUE(ContainsExactly(result, binary.exact(x.value, y.value)))
              << machine.name() << " " << binary.name << "(" << x.value << ", " << y.value << ")";
        }
        bounded += result.IsBounded() ? 1 : 0;
      }
      EXPECT_GT(bounded, 15000) << machine.name() << " " << binary.name;
    }
  }
}

TEST(BallArithmeticTest, BinaryOperationsOnExactNumbersAreTight) {
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    const double u = machine.precision().unit_roundoff;
    const double underflow = machine.precision().underflow;
    EXPECT_LE(arithmetic.Add({1, 0}, {2, 0}).radius, 3 * u * 1.001 + underflow);
    EXPECT_LE(arithmetic.Multiply({3, 0}, {2, 0}).radius, 6 * u * 1.001 + underflow);
    EXPECT_LE(arithmetic.Divide({3, 0}, {2, 0}).radius, 5 * 1.5 * u * 1.001 + underflow);
    // The spread of the operands is that of the product to first order.
    EXPECT_LE(arithmetic.Multiply({3, 0.01}, {2, 0.01}).radius, 0.0501 + 6.1 * u + underflow);
  }
}

TEST(BallArithmeticTest, CancellationKeepsTheErrorOfTheOperands) {
  const BallArithmetic arithmetic(kFloat32Precision);
  const Ball third = arithmetic.Divide({1, 0}, {3, 0});
  const Ball zero = arithmetic.Subtract(third, arithmetic.Divide({1, 0}, {3, 0}));
  EXPECT_TRUE(zero.Contains(0));
  EXPECT_GE(zero.radius, 2 * third.radius);
}

TEST(BallArithmeticTest, SumsThatAreExactlyZeroStayExact) {
  const BallArithmetic arithmetic(kFloat16Precision);
  EXPECT_TRUE(arithmetic.Subtract({5, 0}, {5, 0}).IsExact());
  EXPECT_TRUE(arithmetic.Multiply({0, 0}, {5, 0}).IsExact());
  EXPECT_FALSE(arithmetic.Multiply({0, 0}, Ball::Anything()).IsBounded());
}

TEST(BallArithmeticTest, OverflowIsAnything) {
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    const Ball large = {machine.precision().largest_finite, 0};
    EXPECT_FALSE(arithmetic.Add(large, large).IsBounded());
    EXPECT_FALSE(arithmetic.Multiply(large, large).IsBounded());
    EXPECT_FALSE(arithmetic.Divide(large, {0.5, 0}).IsBounded());
    EXPECT_FALSE(arithmetic.Exp({100, 0}).IsBounded());
    EXPECT_FALSE(arithmetic.Exp({1000, 0}).IsBounded());
    EXPECT_FALSE(arithmetic.Exp({1000, 1}).IsBounded());
    EXPECT_FALSE(arithmetic.Constant(machine.precision().largest_finite * 2).IsBounded());
    BallArithmetic::Accumulator sum;
    sum.Add(large);
    sum.Add(large);
    sum.Add({-large.midpoint, 0});
    EXPECT_FALSE(arithmetic.Finish(sum).IsBounded());
  }
  // Even where a double overflows.
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_FALSE(arithmetic.Multiply({1e200, 0}, {1e200, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Divide({1e200, 0}, {1e-200, 0}).IsBounded());
  BallArithmetic::Accumulator sum;
  sum.MultiplyAdd({1e200, 0}, {1e200, 0});
  EXPECT_FALSE(arithmetic.Finish(sum).IsBounded());
}

TEST(BallArithmeticTest, DivisionByZeroIsAnything) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_FALSE(arithmetic.Divide({1, 0}, {0, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Divide({0, 0}, {0, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Divide({kInfinity, 0}, {0, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Divide({1, 0}, {1, 1}).IsBounded());
  EXPECT_FALSE(arithmetic.Divide({1, 0}, {1e-3, 2e-3}).IsBounded());
  // What may be flushed to zero before it is divided by.
  EXPECT_FALSE(arithmetic.Divide({1, 0}, {1e-39, 0}).IsBounded());
}

TEST(BallArithmeticTest, TheReciprocalOfALargeDivisorMayBeFlushed) {
  // 1 / 32768 is below the normal range of halves.
  const HonestMachine machine(true, true);
  EXPECT_EQ(machine.DivideByReciprocal(32768, 32768), 0);
  const BallArithmetic arithmetic(machine.precision());
  EXPECT_TRUE(arithmetic.Divide({32768, 0}, {32768, 0}).Contains(0));
  EXPECT_FALSE(arithmetic.Divide({8192, 0}, {8192, 0}).Contains(0));
}

TEST(BallArithmeticTest, InfinitiesAndNaNOfTheOperandsAreKnownExactly) {
  const BallArithmetic arithmetic(kFloat16Precision);
  const Ball infinity = {kInfinity, 0};
  const Ball nan = {kNaN, 0};
  const auto is = [](const Ball& ball, double value) {
    return ball.IsExact() &&
           (std::isnan(value) ? std::isnan(ball.midpoint) : ball.midpoint == value);
  };
  EXPECT_TRUE(is(arithmetic.Add(infinity, {1, 0}), kInfinity));
  EXPECT_TRUE(is(arithmetic.Subtract(infinity, infinity), kNaN));
  EXPECT_TRUE(is(arithmetic.Multiply(infinity, {-2, 0}), -kInfinity));
  EXPECT_TRUE(is(arithmetic.Multiply(infinity, {0, 0}), kNaN));
  EXPECT_TRUE(is(arithmetic.Multiply(nan, {2, 0}), kNaN));
  EXPECT_TRUE(is(arithmetic.Divide(infinity, {-2, 0}), -kInfinity));
  EXPECT_TRUE(is(arithmetic.Divide({2, 0}, infinity), 0));
  EXPECT_TRUE(is(arithmetic.Divide(nan, {2, 0}), kNaN));
  EXPECT_TRUE(is(arithmetic.Divide({2, 0}, nan), kNaN));
  EXPECT_TRUE(is(arithmetic.Exp(infinity), kInfinity));
  EXPECT_TRUE(is(arithmetic.Exp(nan), kNaN));
  EXPECT_TRUE(is(arithmetic.Sqrt(infinity), kInfinity));
  EXPECT_TRUE(is(arithmetic.Sqrt({-1, 0}), kNaN));
  EXPECT_TRUE(is(arithmetic.Floor(infinity), kInfinity));
  EXPECT_TRUE(is(arithmetic.Truncate({-kInfinity, 0}), -kInfinity));
  EXPECT_TRUE(is(arithmetic.Negate(infinity), -kInfinity));
  EXPECT_TRUE(is(arithmetic.Constant(kInfinity), kInfinity));
  EXPECT_TRUE(is(arithmetic.Round(nan), kNaN));
  EXPECT_TRUE(is(arithmetic.Max(infinity, {1, 1}), kInfinity));
  EXPECT_TRUE(is(arithmetic.Min(infinity, {1, 0}), 1));
  BallArithmetic::Accumulator sum;
  sum.Add({1, 0.5});
  sum.MultiplyAdd(infinity, {2, 0});
  EXPECT_TRUE(is(arithmetic.Finish(sum), kInfinity));
  sum.Add({-kInfinity, 0});
  EXPECT_TRUE(is(arithmetic.Finish(sum), kNaN));
}

TEST(BallArithmeticTest, SpecialsWithNumbersThatAreOnlyEnclosedAreNotDecided) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_FALSE(arithmetic.Multiply({kInfinity, 0}, {0, 1}).IsBounded());
  EXPECT_FALSE(arithmetic.Add({kInfinity, 0}, Ball::Anything()).IsBounded());
  EXPECT_FALSE(arithmetic.Divide({kInfinity, 0}, {2, 0.5}).IsBounded());
  EXPECT_TRUE(arithmetic.Divide({2, 0.5}, {kInfinity, 0}).Contains(0));
  EXPECT_FALSE(arithmetic.Divide(Ball::Anything(), {kInfinity, 0}).IsBounded());
}

TEST(BallArithmeticTest, AnythingStaysAnything) {
  const BallArithmetic arithmetic(kFloat32Precision);
  const Ball anything = Ball::Anything();
  for (const Ball& other : {Ball{1, 0}, Ball{1, 0.5}, Ball{0, 0}, anything}) {
    EXPECT_FALSE(arithmetic.Add(anything, other).IsBounded());
    EXPECT_FALSE(arithmetic.Subtract(other, anything).IsBounded());
    EXPECT_FALSE(arithmetic.Multiply(anything, other).IsBounded());
    EXPECT_FALSE(arithmetic.Divide(anything, other).IsBounded());
    EXPECT_FALSE(arithmetic.Divide(other, anything).IsBounded());
    EXPECT_FALSE(arithmetic.Max(anything, other).IsBounded());
    EXPECT_FALSE(arithmetic.Min(other, anything).IsBounded());
    EXPECT_EQ(arithmetic.Less(anything, other), Truth::kUndecided);
    EXPECT_EQ(arithmetic.Equal(other, anything), Truth::kUndecided);
    BallArithmetic::Accumulator sum;
    sum.Add({kInfinity, 0});
    sum.MultiplyAdd(anything, other);
    EXPECT_FALSE(arithmetic.Finish(sum).IsBounded());
    EXPECT_FALSE(arithmetic.AddToSum(anything, other, 3).IsBounded());
  }
  EXPECT_FALSE(arithmetic.Negate(anything).IsBounded());
  EXPECT_FALSE(arithmetic.Square(anything).IsBounded());
  EXPECT_FALSE(arithmetic.Exp(anything).IsBounded());
  EXPECT_FALSE(arithmetic.Sqrt(anything).IsBounded());
  EXPECT_FALSE(arithmetic.Floor(anything).IsBounded());
  EXPECT_FALSE(arithmetic.Round(anything).IsBounded());
}

TEST(BallArithmeticTest, ConstantsAreHeldToThePrecision) {
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    TestRandom random(11);
    for (int i = 0; i < 20000; ++i) {
      const double value = random.WithExponent(-140, 14);
      const Ball ball = arithmetic.Constant(value);
      ASSERT_TRUE(ball.Contains(machine.Round(value))) << machine.name() << " " << value;
      ASSERT_TRUE(ball.Contains(value)) << machine.name() << " " << value;
    }
    EXPECT_TRUE(arithmetic.Constant(6).IsExact());
    EXPECT_FALSE(arithmetic.Constant(0.1).IsExact());
    EXPECT_TRUE(arithmetic.Constant(1e-46).Contains(0));
  }
}

TEST(BallArithmeticTest, MinimumAndMaximumHoldThoseOfEveryChoice) {
  const HonestMachine machine(false, false);
  const BallArithmetic arithmetic(machine.precision());
  TestRandom random(13);
  for (int i = 0; i < 50000; ++i) {
    const Sample x = RandomSample(machine, random, -1, 2);
    const Sample y = RandomSample(machine, random, -1, 2);
    ASSERT_TRUE(arithmetic.Max(x.ball, y.ball).Contains(std::max(x.value, y.value)));
    ASSERT_TRUE(arithmetic.Min(x.ball, y.ball).Contains(std::min(x.value, y.value)));
    const double clamped = std::clamp(x.value, -1.0, 1.0);
    ASSERT_TRUE(Clamp(arithmetic, x.ball, -1, 1).Contains(clamped));
    ASSERT_LE(Clamp(arithmetic, x.ball, -1, 1).radius, 1 + 0x1p-50);
  }
}

TEST(BallArithmeticTest, MinimumAndMaximumWithNaNMayBeTheOtherOne) {
  // (x < y) ? y : x gives either, by the order of its operands.
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_FALSE(arithmetic.Max({kNaN, 0}, {1, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Max({1, 0.5}, {kNaN, 0}).IsBounded());
  EXPECT_FALSE(arithmetic.Min({1, 0}, {kNaN, 0}).IsBounded());
}

TEST(BallArithmeticTest, FloorAndTruncateAreStepFunctions) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_TRUE(arithmetic.Floor({2.5, 0.25}).IsExact());
  EXPECT_EQ(arithmetic.Floor({2.5, 0.25}).midpoint, 2);
  EXPECT_EQ(arithmetic.Floor({-0.5, 0}).midpoint, -1);
  EXPECT_EQ(arithmetic.Truncate({-0.5, 0.25}).midpoint, 0);
  EXPECT_EQ(arithmetic.Truncate({-2.5, 0}).midpoint, -2);
  // So little below 3 that no double tells.
  const Ball almost = arithmetic.Floor({3, 0x1p-80});
  EXPECT_TRUE(almost.Contains(2));
  EXPECT_TRUE(almost.Contains(3));
  EXPECT_FALSE(almost.Contains(4));
  // The ball of two integers stays that.
  EXPECT_EQ(arithmetic.Floor(Ball::FromBounds(2, 3)).Lower(), 2);
}

TEST(BallArithmeticTest, ComparisonsAreOnlyDecidedWhenEveryChoiceAgrees) {
  const HonestMachine machine(false, false);
  const BallArithmetic arithmetic(machine.precision());
  TestRandom random(17);
  int decided = 0;
  for (int i = 0; i < 100000; ++i) {
    const Sample x = RandomSample(machine, random, 0, 1);
    Sample y = RandomSample(machine, random, 0, 1);
    if (i % 8 == 0) y = {x.value, {x.value, 0}};
    const Truth less = arithmetic.Less(x.ball, y.ball);
    const Truth equal = arithmetic.Equal(x.ball, y.ball);
    if (less != Truth::kUndecided) {
      ASSERT_EQ(less, ToTruth(x.value < y.value));
    }
    if (equal != Truth::kUndecided) {
      ASSERT_EQ(equal, ToTruth(x.value == y.value));
    }
    decided += less != Truth::kUndecided ? 1 : 0;
  }
  EXPECT_GT(decided, 20000);
}

TEST(BallArithmeticTest, ComparisonsOfTouchingBalls) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_EQ(arithmetic.Less({1, 0.5}, {2, 0.5}), Truth::kUndecided);
  EXPECT_EQ(arithmetic.Less({2, 0.5}, {1, 0.5}), Truth::kFalse);
  EXPECT_EQ(arithmetic.Less({1, 0x1p-80}, {1, 0}), Truth::kUndecided);
  EXPECT_EQ(arithmetic.Less({1, 0}, {1, 0}), Truth::kFalse);
  EXPECT_EQ(arithmetic.Equal({1, 0}, {1, 0}), Truth::kTrue);
  EXPECT_EQ(arithmetic.Equal({1, 0}, {1, 0x1p-80}), Truth::kUndecided);
  EXPECT_EQ(arithmetic.Equal({1, 0.25}, {2, 0.25}), Truth::kFalse);
}

TEST(BallArithmeticTest, ComparisonsOfSpecialsAreThoseOfIEEE754) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_EQ(arithmetic.Less({1, 0}, {kInfinity, 0}), Truth::kTrue);
  EXPECT_EQ(arithmetic.Less({1, 0.5}, {kInfinity, 0}), Truth::kTrue);
  EXPECT_EQ(arithmetic.Less({kInfinity, 0}, {1, 0.5}), Truth::kFalse);
  EXPECT_EQ(arithmetic.Equal({kInfinity, 0}, {kInfinity, 0}), Truth::kTrue);
  EXPECT_EQ(arithmetic.Equal({kNaN, 0}, {kNaN, 0}), Truth::kFalse);
  EXPECT_EQ(arithmetic.Less({kNaN, 0}, {1, 0}), Truth::kFalse);
  EXPECT_EQ(arithmetic.Less({kNaN, 0}, {1, 0.5}), Truth::kUndecided);
}

TEST(BallArithmeticTest, SelectGivesBothWhenUndecided) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_EQ(arithmetic.Select(Truth::kTrue, {1, 0}, {2, 0}).midpoint, 1);
  EXPECT_EQ(arithmetic.Select(Truth::kFalse, {1, 0}, {2, 0}).midpoint, 2);
  const Ball both = arithmetic.Select(Truth::kUndecided, {1, 0}, {2, 0});
  EXPECT_TRUE(both.Contains(1) && both.Contains(2));
}

TEST(BallArithmeticTest, EitherOfTwoWaysToComputeIsEnclosed) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_TRUE(arithmetic.EitherOf({1, 0}, {2, 0}).Contains(1));
  EXPECT_TRUE(arithmetic.EitherOf({1, 0}, {2, 0}).Contains(2));
  EXPECT_EQ(DoubleArithmetic().EitherOf(1, 2), 1);
}

TEST(BallArithmeticTest, LooseningAddsRoundingsOfTheMagnitude) {
  const BallArithmetic arithmetic(kFloat32Precision);
  const Ball loosened = arithmetic.Loosen({1, 0.5}, {-100, 0}, 3);
  EXPECT_EQ(loosened.midpoint, 1);
  EXPECT_NEAR(loosened.radius, 0.5 + 300 * 0x1p-24, 1e-9);
  EXPECT_FALSE(arithmetic.Loosen({1, 0}, Ball::Anything(), 3).IsBounded());
  EXPECT_EQ(DoubleArithmetic().Loosen(1, 100, 3), 1);
}

TEST(BallArithmeticTest, UnspecifiedIsAnything) {
  EXPECT_FALSE(BallArithmetic(kFloat32Precision).Unspecified().IsBounded());
  EXPECT_EQ(DoubleArithmetic().Unspecified(), 0);
}

TEST(BallArithmeticTest, SquaresAreNotNegative) {
  const BallArithmetic arithmetic(kFloat32Precision);
  const Ball square = arithmetic.Square({0.5, 1});
  EXPECT_EQ(square.Lower(), 0);
  EXPECT_TRUE(square.Contains(2.25));
  EXPECT_TRUE(arithmetic.Square({3, 0.5}).Contains(6.25));
  EXPECT_TRUE(arithmetic.Square({-3, 0.5}).Contains(12.25));
}

// Functions as computed by correctly rounding machines, and as computed from exponentials.
struct FunctionCase {
  const char* name;
  Ball (BallArithmetic::*enclose)(const Ball&) const;
  double lowest;
  double highest;
  std::vector<std::function<double(const HonestMachine&, double)>> machines;
  std::function<long double(long double)> exact;
};

std::vector<FunctionCase> FunctionCases() {
  return {
      {"Exp",
       &BallArithmetic::Exp,
       -20,
       10,
       {[](const HonestMachine& machine, double x) { return machine.Exp(x); }},
       [](long double x) { return std::exp(x); }},
      {"Sqrt",
       &BallArithmetic::Sqrt,
       0.001,
       100,
       {[](const HonestMachine& machine, double x) { return machine.Sqrt(x); },
        [](const HonestMachine& machine, double x) {
          return machine.Multiply(x, machine.Divide(1, machine.Sqrt(x)));
        }},
       [](long double x) { return std::sqrt(x); }},
      {"Rsqrt",
       &BallArithmetic::Rsqrt,
       0.001,
       100,
       {[](const HonestMachine& machine, double x) { return machine.Round(1 / std::sqrt(x)); },
        [](const HonestMachine& machine, double x) { return machine.Divide(1, machine.Sqrt(x)); }},
       [](long double x) { return 1 / std::sqrt(x); }},
      {"Log",
       &BallArithmetic::Log,
       0.001,
       100,
       {[](const HonestMachine& machine, double x) { return machine.Round(std::log(x)); },
        [](const HonestMachine& machine, double x) {
          return machine.Multiply(machine.Round(std::log2(x)), std::log(2.0));
        }},
       [](long double x) { return std::log(x); }},
      {"Sin",
       &BallArithmetic::Sin,
       -100,
       100,
       {[](const HonestMachine& machine, double x) { return machine.Round(std::sin(x)); },
        [](const HonestMachine& machine, double x) {
          // Brought near zero in the machine's own precision: sin(x) = sin(k pi / 2 + rest).
          const double k = std::round(x / std::asin(1.0));
          const double rest = machine.Subtract(x, machine.Multiply(k, std::asin(1.0)));
          const bool is_cosine = std::fmod(k, 2) != 0;
          const double value = machine.Round(is_cosine ? std::cos(rest) : std::sin(rest));
          return std::fmod(std::floor(k / 2), 2) != 0 ? -value : value;
        }},
       [](long double x) { return std::sin(x); }},
      {"Tanh",
       &BallArithmetic::Tanh,
       -5,
       5,
       {[](const HonestMachine& machine, double x) { return machine.Round(std::tanh(x)); },
        [](const HonestMachine& machine, double x) {
          const double exponential = machine.Exp(machine.Multiply(2, x));
          return machine.Divide(machine.Subtract(exponential, 1), machine.Add(exponential, 1));
        }},
       [](long double x) { return std::tanh(x); }},
      {"Logistic",
       &BallArithmetic::Logistic,
       -10,
       10,
       {[](const HonestMachine& machine, double x) { return machine.Round(LogisticOf(x)); },
        [](const HonestMachine& machine, double x) {
          return machine.Divide(1, machine.Add(1, machine.Exp(-x)));
        },
        [](const HonestMachine& machine, double x) {
          const double exponential = machine.Exp(x);
          return machine.Divide(exponential, machine.Add(exponential, 1));
        }},
       [](long double x) { return 1 / (1 + std::exp(-x)); }},
  };
}

TEST(BallArithmeticTest, FunctionsHoldWhatHonestMachinesGive) {
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    for (const FunctionCase& function : FunctionCases()) {
      TestRandom random(19);
      for (int i = 0; i < 20000; ++i) {
        const double x = machine.Round(random.Uniform(function.lowest, function.highest));
        const double radius = i % 2 == 0 ? 0 : std::abs(x) * random.Uniform(0, 0x1p-8);
        const double midpoint = x + random.Uniform(-radius, radius);
        const Ball result = (arithmetic.*function.enclose)(Around(midpoint, radius, x));
        ASSERT_TRUE(result.IsBounded());
        ASSERT_TRUE(ContainsExactly(result, function.exact(x))) << function.name << "(" << x << ")";
        for (size_t k = 0; k < function.machines.size(); ++k) {
          const double computed = function.machines[k](machine, x);
          ASSERT_TRUE(result.Contains(computed))
              << machine.name() << " " << function.name << "(" << x << "), way " << k << ", is "
              << computed << ", not in " << result.midpoint << " +/- " << result.radius;
        }
      }
    }
  }
}

TEST(BallArithmeticTest, FunctionsGrantTheDocumentedUnitsInTheLastPlaceAndNotMuchMore) {
  const BallArithmetic arithmetic(kFloat32Precision);
  for (float x = -8; x < 8; x += 0.0371F) {
    const auto nearest = static_cast<float>(std::exp(static_cast<double>(x)));
    const float unit = std::nextafter(nearest, 1e30F) - nearest;
    const Ball ball = arithmetic.Exp({x, 0});
    EXPECT_TRUE(ball.Contains(nearest + 4.4F * unit)) << x;
    EXPECT_TRUE(ball.Contains(nearest - 4.4F * unit)) << x;
    EXPECT_FALSE(ball.Contains(nearest + 12.0F * unit)) << x;
    EXPECT_FALSE(ball.Contains(nearest - 12.0F * unit)) << x;
  }
}

TEST(BallArithmeticTest, SquareRootOfWhatMayBeNegativeIsAnything) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_FALSE(arithmetic.Sqrt({1e-10, 2e-10}).IsBounded());
  EXPECT_TRUE(arithmetic.Sqrt({1e-10, 1e-10}).IsBounded());
}

TEST(BallArithmeticTest, RoundingIsThatOfOneConversion) {
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    TestRandom random(23);
    for (int i = 0; i < 20000; ++i) {
      const double value = random.WithExponent(-30, 14);
      ASSERT_TRUE(arithmetic.Round({value, 0}).Contains(machine.Round(value)));
      const Ball around = {value * 1.01, std::abs(value) * 0.0101};
      ASSERT_TRUE(arithmetic.Round(around).Contains(machine.Round(value)));
    }
    EXPECT_TRUE(arithmetic.Round({0.5, 0}).IsExact());
  }
}

TEST(RealArithmeticTest, NaNPassesThroughMinimumAndMaximum) {
  const FloatArithmetic arithmetic;
  const auto nan = static_cast<float>(kNaN);
  EXPECT_TRUE(std::isnan(arithmetic.Max(nan, 1)));
  EXPECT_TRUE(std::isnan(arithmetic.Max(1, nan)));
  EXPECT_TRUE(std::isnan(arithmetic.Min(nan, 1)));
  EXPECT_TRUE(std::isnan(arithmetic.Min(1, nan)));
  EXPECT_TRUE(std::isnan(Clamp(arithmetic, nan, 0, 6)));
}

TEST(RealArithmeticTest, LogisticDoesNotOverflow) {
  EXPECT_EQ(LogisticOf(1e4), 1);
  EXPECT_EQ(LogisticOf(-1e4), 0);
  EXPECT_EQ(LogisticOf(0.0), 0.5);
  EXPECT_EQ(LogisticOf(kInfinity), 1);
  EXPECT_EQ(LogisticOf(-kInfinity), 0);
  EXPECT_TRUE(std::isnan(LogisticOf(kNaN)));
  EXPECT_EQ(LogisticOf(1e4F), 1);
  // Far below one, where 1 - logistic(-x) would be zero.
  EXPECT_NEAR(LogisticOf(-100.0) / std::exp(-100.0), 1, 1e-14);
}

TEST(RealArithmeticTest, ElementaryOperations) {
  const DoubleArithmetic arithmetic;
  EXPECT_EQ(arithmetic.Add(2, 3), 5);
  EXPECT_EQ(arithmetic.Subtract(2, 3), -1);
  EXPECT_EQ(arithmetic.Multiply(2, 3), 6);
  EXPECT_EQ(arithmetic.Square(3), 9);
  EXPECT_EQ(arithmetic.Divide(3, 2), 1.5);
  EXPECT_EQ(arithmetic.Negate(3), -3);
  EXPECT_EQ(arithmetic.Min(2, 3), 2);
  EXPECT_EQ(arithmetic.Max(2, 3), 3);
  EXPECT_EQ(arithmetic.Floor(-1.5), -2);
  EXPECT_EQ(arithmetic.Truncate(-1.5), -1);
  EXPECT_EQ(arithmetic.Sqrt(9), 3);
  EXPECT_EQ(arithmetic.Round(0.1), 0.1);
  EXPECT_EQ(arithmetic.AddToSum(1, 2, 5), 3);
  EXPECT_EQ(arithmetic.Less(1, 2), Truth::kTrue);
  EXPECT_EQ(arithmetic.Equal(1, 2), Truth::kFalse);
  EXPECT_EQ(arithmetic.Select(Truth::kFalse, 1, 2), 2);
  DoubleArithmetic::Accumulator sum;
  sum.MultiplyAdd(2, 3);
  sum.Add(1);
  EXPECT_EQ(arithmetic.Finish(sum), 7);
}

}  // namespace
}  // namespace nncert
