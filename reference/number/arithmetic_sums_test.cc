// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Sums on balls: BallArithmetic's Accumulator, and AddToSum.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "reference/number/arithmetic.h"
#include "reference/number/testing/honest_machine.h"

namespace nncert {
namespace {

TEST(BallAccumulatorTest, HoldsSumsInEveryOrder) {
  TestRandom random(29);
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    for (int round = 0; round < 400; ++round) {
      const size_t count = 1 + random.Bits() % 300;
      // Alternately of one size, with cancellation, and of very different sizes.
      const int spread = round % 3 == 0 ? 0 : (round % 3 == 1 ? 4 : 6);
      std::vector<double> x(count);
      std::vector<double> y(count);
      BallArithmetic::Accumulator products;
      BallArithmetic::Accumulator sum;
      for (size_t i = 0; i < count; ++i) {
        const Sample from_x = RandomSample(machine, random, -spread, 0);
        const Sample from_y = RandomSample(machine, random, -spread, 0);
        x[i] = from_x.value;
        y[i] = from_y.value;
        if (i % 2 == 1 && round % 2 == 0) {
          // Cancels the term before.
          x[i] = -x[i - 1];
          y[i] = y[i - 1];
        }
        products.MultiplyAdd({x[i], 0}, {y[i], 0});
        sum.Add({x[i], 0});
      }
      const Ball dot = arithmetic.Finish(products);
      const Ball total = arithmetic.Finish(sum);
      long double exact_dot = 0;
      long double exact_total = 0;
      for (size_t i = 0; i < count; ++i) {
        exact_dot += static_cast<long double>(x[i]) * y[i];
        exact_total += x[i];
      }
      ASSERT_TRUE(ContainsExactly(dot, exact_dot));
      ASSERT_TRUE(ContainsExactly(total, exact_total));
      for (const SumOrder order : kSumOrders) {
        ASSERT_TRUE(dot.Contains(machine.DotProduct(x, y, order)))
            << machine.name() << " order " << static_cast<int>(order) << " of " << count;
        ASSERT_TRUE(total.Contains(machine.Sum(x, order)))
            << machine.name() << " order " << static_cast<int>(order) << " of " << count;
      }
    }
  }
}

TEST(BallAccumulatorTest, HoldsSumsOfNumbersThatAreOnlyEnclosed) {
  TestRandom random(31);
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    for (int round = 0; round < 400; ++round) {
      const size_t count = 1 + random.Bits() % 100;
      std::vector<double> x(count);
      std::vector<double> y(count);
      BallArithmetic::Accumulator products;
      for (size_t i = 0; i < count; ++i) {
        const Sample from_x = RandomSample(machine, random, -3, 0);
        const Sample from_y = RandomSample(machine, random, -3, 0);
        x[i] = from_x.value;
        y[i] = from_y.value;
        products.MultiplyAdd(from_x.ball, from_y.ball);
      }
      for (const SumOrder order : kSumOrders) {
        ASSERT_TRUE(arithmetic.Finish(products).Contains(machine.DotProduct(x, y, order)));
      }
    }
  }
}

TEST(BallAccumulatorTest, HoldsSumsOfProductsBelowTheNormalRange) {
  // A thousand products of 2^-130, each of which a machine may flush, add up to 2^-120.
  const HonestMachine machine(false, true);
  const BallArithmetic arithmetic(machine.precision());
  BallArithmetic::Accumulator products;
  for (int i = 0; i < 1024; ++i) products.MultiplyAdd({0x1p-65, 0}, {0x1p-65, 0});
  EXPECT_TRUE(arithmetic.Finish(products).Contains(0));
  EXPECT_TRUE(arithmetic.Finish(products).Contains(0x1p-120));
}

TEST(BallAccumulatorTest, HoldsSumsInWhichEveryAdditionLosesAllItCan) {
  // Each term after the first is just below half a unit in the last place of the sum so far.
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    std::vector<double> terms = {1};
    for (int i = 1; i < 100; ++i) terms.push_back(machine.precision().unit_roundoff * 0.9990234375);
    BallArithmetic::Accumulator sum;
    for (const double term : terms) sum.Add({term, 0});
    ASSERT_EQ(machine.Sum(terms, SumOrder::kForward), 1);
    EXPECT_TRUE(arithmetic.Finish(sum).Contains(1)) << machine.name();
  }
}

TEST(BallAccumulatorTest, OfNothingIsZero) {
  const BallArithmetic arithmetic(kFloat32Precision);
  EXPECT_TRUE(arithmetic.Finish({}).IsExact());
  EXPECT_EQ(arithmetic.Finish({}).midpoint, 0);
}

TEST(BallAccumulatorTest, QuantizedSumsAreOnlyRoundedOnce) {
  const BallArithmetic arithmetic(kQuantizedPrecision);
  BallArithmetic::Accumulator products;
  for (int i = 0; i < 4096; ++i) products.MultiplyAdd({255, 0}, {i % 2 == 0 ? 127.0 : -127.0, 0});
  const double magnitude = 4096 * 255.0 * 127;
  EXPECT_LE(arithmetic.Finish(products).radius, magnitude * 0x1p-23);
  EXPECT_TRUE(arithmetic.Finish(products).Contains(0));
}

TEST(AddToSumTest, HoldsSumsThatStartWithTheAddend) {
  TestRandom random(37);
  for (const HonestMachine& machine : HonestMachines()) {
    const BallArithmetic arithmetic(machine.precision());
    for (int round = 0; round < 400; ++round) {
      const size_t count = 1 + random.Bits() % 100;
      // An addend much larger than the terms makes every addition after it round.
      const double addend = machine.Round(random.WithExponent(6, 8));
      std::vector<double> terms(count);
      BallArithmetic::Accumulator sum;
      for (double& term : terms) {
        term = machine.Round(random.WithExponent(-3, 0));
        sum.Add({term, 0});
      }
      const Ball ball = arithmetic.AddToSum(arithmetic.Finish(sum), {addend, 0}, count);
      double first = addend;
      for (const double term : terms) first = machine.Add(first, term);
      ASSERT_TRUE(ball.Contains(first)) << machine.name() << " " << count;
      ASSERT_TRUE(ball.Contains(machine.Add(machine.Sum(terms, SumOrder::kForward), addend)));
    }
  }
}

}  // namespace
}  // namespace nncert
