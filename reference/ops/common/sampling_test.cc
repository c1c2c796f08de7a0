// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/common/sampling.h"

#include <gtest/gtest.h>

#include "reference/number/testing/honest_machine.h"

namespace nncert {
namespace {

TEST(PositionTest, IsExactWhereQuotientAndProductAre) {
  // 2 / 4 and 6 / 4 have few bits.
  for (const size_t index : {0, 1, 2, 3}) {
    EXPECT_TRUE(PositionAt(kFloat16Precision, index, 2, 4).IsExact());
    EXPECT_TRUE(PositionAt(kFloat16Precision, index, 6, 4).IsExact());
    EXPECT_EQ(PositionAt(kFloat16Precision, index, 6, 4).midpoint,
              1.5 * static_cast<double>(index));
  }
  // 2049 has too many for a half.
  EXPECT_FALSE(PositionAt(kFloat16Precision, 2049, 4000, 4000).IsExact());
  EXPECT_TRUE(PositionAt(kFloat32Precision, 2049, 4000, 4000).IsExact());
}

TEST(PositionTest, LosesTwoRoundingsOtherwise) {
  const Ball position = PositionAt(kFloat32Precision, 5, 2, 3);
  EXPECT_DOUBLE_EQ(position.midpoint, 10.0 / 3);
  EXPECT_GE(position.radius, 2 * 10.0 / 3 * 0x1p-24);
  EXPECT_LT(position.radius, 2.01 * 10.0 / 3 * 0x1p-24);
}

TEST(PositionTest, NothingIsKnownBeyondTheRange) {
  EXPECT_FALSE(PositionAt(kFloat16Precision, 1, 70000, 3).IsBounded());
  EXPECT_FALSE(PositionAt(kFloat16Precision, 1, 3, 70000).IsBounded());
  EXPECT_TRUE(PositionAt(kFloat32Precision, 4294967294, 4294967295, 4294967295).IsBounded());
}

TEST(PositionTest, HoldsWhatHonestMachinesGive) {
  TestRandom random(94);
  for (const bool is_half : {false, true}) {
    const HonestMachine machine(is_half, true);
    for (int repetition = 0; repetition < 2000; ++repetition) {
      const size_t input = 1 + random.Bits() % 3000;
      const size_t output = 1 + random.Bits() % 3000;
      const size_t index = random.Bits() % output;
      const Ball position = PositionAt(machine.precision(), index, input, output);
      const auto from = static_cast<double>(index);
      const auto numerator = static_cast<double>(input);
      const auto denominator = static_cast<double>(output);
      EXPECT_TRUE(position.Contains(machine.Multiply(from, machine.Divide(numerator, denominator))))
          << machine.name() << ": " << index << " * " << input << " / " << output;
    }
  }
}

TEST(SamplingTest, RealPositionsHaveOneStretch) {
  const Sampling<double> linear = LinearSampling(DoubleArithmetic(), 3, 4);
  ASSERT_EQ(linear.size(), 4u);
  const size_t lows[] = {0, 0, 1, 2};
  const size_t highs[] = {1, 1, 2, 2};
  const double fractions[] = {0, 0.75, 0.5, 0.25};
  const Sampling<double> floors = FloorSampling(DoubleArithmetic(), 3, 4);
  for (size_t i = 0; i < 4; ++i) {
    ASSERT_EQ(linear.end(i) - linear.begin(i), 1);
    EXPECT_EQ(linear.begin(i)->low, lows[i]);
    EXPECT_EQ(linear.begin(i)->high, highs[i]);
    EXPECT_EQ(linear.begin(i)->fraction, fractions[i]);
    ASSERT_EQ(floors.end(i) - floors.begin(i), 1);
    EXPECT_EQ(floors.begin(i)->low, lows[i]);
  }
}

TEST(SamplingTest, PositionsThatMayBeOnEitherSideOfAnElementHaveTwoStretches) {
  // 3 * (3 / 9) is 1 or a neighbour of it.
  const Sampling<Ball> linear = LinearSampling(BallArithmetic(kFloat32Precision), 3, 9);
  ASSERT_EQ(linear.end(3) - linear.begin(3), 2);
  EXPECT_EQ(linear.begin(3)->low, 0u);
  EXPECT_TRUE(linear.begin(3)->fraction.Contains(1));
  EXPECT_EQ((linear.begin(3) + 1)->low, 1u);
  EXPECT_TRUE((linear.begin(3) + 1)->fraction.Contains(0));
  const Sampling<Ball> floors = FloorSampling(BallArithmetic(kFloat32Precision), 3, 9);
  ASSERT_EQ(floors.end(3) - floors.begin(3), 2);
  EXPECT_EQ(floors.begin(3)->low, 0u);
  EXPECT_EQ((floors.begin(3) + 1)->low, 1u);
  ASSERT_EQ(floors.end(4) - floors.begin(4), 1);
}

TEST(SamplingTest, BehindTheLastElementItIsInterpolatedWithItself) {
  // Positions 4/3 of 2, and 1/2 of 1.
  const Sampling<Ball> inexact = LinearSampling(BallArithmetic(kFloat32Precision), 2, 3);
  ASSERT_EQ(inexact.end(2) - inexact.begin(2), 1);
  EXPECT_EQ(inexact.begin(2)->low, 1u);
  EXPECT_EQ(inexact.begin(2)->high, 1u);
  EXPECT_FALSE(inexact.begin(2)->fraction.IsExact());
  const Sampling<Ball> exact = LinearSampling(BallArithmetic(kFloat32Precision), 1, 2);
  EXPECT_EQ(exact.begin(1)->high, 0u);
  EXPECT_EQ(exact.begin(1)->fraction.midpoint, 0.5);
}

TEST(SamplingTest, ExactPositionsHaveOneStretch) {
  const Sampling<Ball> linear = LinearSampling(BallArithmetic(kFloat16Precision), 5, 5);
  const Sampling<Ball> floors = FloorSampling(BallArithmetic(kFloat16Precision), 5, 10);
  for (size_t i = 0; i < 5; ++i) {
    ASSERT_EQ(linear.end(i) - linear.begin(i), 1);
    EXPECT_EQ(linear.begin(i)->low, i);
    EXPECT_TRUE(linear.begin(i)->fraction.IsExact());
    ASSERT_EQ(floors.end(2 * i) - floors.begin(2 * i), 1);
    EXPECT_EQ(floors.begin(2 * i)->low, i);
  }
}

TEST(SamplingTest, PositionsThatAreTooUncertainHaveNone) {
  // 1 / 3 of 40000, give or take 13 elements.
  const Sampling<Ball> linear = LinearSampling(BallArithmetic(kFloat16Precision), 40000, 3);
  EXPECT_EQ(linear.end(0) - linear.begin(0), 1);
  EXPECT_EQ(linear.end(1) - linear.begin(1), 0);
}

}  // namespace
}  // namespace nncert
