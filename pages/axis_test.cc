// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "pages/axis.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Pointwise;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLargest = std::numeric_limits<double>::max();

TEST(AxisTest, MapsValuesToPositions) {
  const Axis linear = Axis::Linear({10, 20}, 100, 300);
  EXPECT_DOUBLE_EQ(linear.At(10), 100);
  EXPECT_DOUBLE_EQ(linear.At(15), 200);
  EXPECT_DOUBLE_EQ(linear.At(20), 300);
  const Axis upwards = Axis::Logarithmic({1, 100}, 80, 0);
  EXPECT_DOUBLE_EQ(upwards.At(1), 80);
  EXPECT_DOUBLE_EQ(upwards.At(10), 40);
  EXPECT_DOUBLE_EQ(upwards.At(100), 0);
}

TEST(AxisTest, WhatIsBeyondTheExtentIsAtItsEnds) {
  for (const Axis& axis : {Axis::Linear({1, 2}, 0, 8), Axis::Logarithmic({1, 2}, 0, 8)}) {
    EXPECT_EQ(axis.At(-1), 0);
    EXPECT_EQ(axis.At(0), 0);
    EXPECT_EQ(axis.At(kNan), 0);
    EXPECT_EQ(axis.At(-kInfinity), 0);
    EXPECT_EQ(axis.At(3), 8);
    EXPECT_EQ(axis.At(kInfinity), 8);
  }
}

TEST(AxisTest, ExtentsThatAreNoneAreReplaced) {
  EXPECT_TRUE(std::isfinite(Axis::Linear({3, 3}, 0, 8).At(3)));
  EXPECT_TRUE(std::isfinite(Axis::Linear({-kLargest, kLargest}, 0, 8).At(3)));
  EXPECT_TRUE(std::isfinite(Axis::Linear({kNan, 2}, 0, 8).At(3)));
  EXPECT_TRUE(std::isfinite(Axis::Logarithmic({0, 2}, 0, 8).At(1)));
  EXPECT_TRUE(std::isfinite(Axis::Logarithmic({1, kInfinity}, 0, 8).At(1)));
}

TEST(AxisTest, TicksAreRound) {
  EXPECT_THAT(Axis::Linear({0, 10}, 0, 1).Ticks(5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(Axis::Linear({0.13, 0.38}, 0, 1).Ticks(5),
              Pointwise(DoubleEq(), {0.15, 0.2, 0.25, 0.3, 0.35}));
  EXPECT_THAT(Axis::Logarithmic({1e-6, 1e6}, 0, 1).Ticks(4),
              Pointwise(DoubleEq(), {1e-6, 1e-3, 1.0, 1e3, 1e6}));
  EXPECT_THAT(Axis::Logarithmic({1, 10}, 0, 1).Ticks(5), ElementsAre(1, 2, 5, 10));
}

TEST(AxisTest, TicksAreFewWhateverTheExtent) {
  for (const Extent& extent :
       {Extent{1e100, 1.0000000001e100}, Extent{-1e100, 1e100}, Extent{1e-100, 1e100},
        Extent{1e16, 1e16 + 4}, Extent{5e-324, 1e-320}, Extent{0, 5e-324}}) {
    for (const Axis& axis : {Axis::Linear(extent, 0, 1), Axis::Logarithmic(extent, 0, 1)}) {
      EXPECT_LE(axis.Ticks(5).size(), 12U) << extent.low << " to " << extent.high;
    }
  }
}

TEST(ExtentTest, IsOfTheNumbersAlone) {
  const Extent extent = ExtentOf({kNan, 3, -2, kInfinity, -kInfinity});
  EXPECT_EQ(extent.low, -2);
  EXPECT_EQ(extent.high, 3);
  const Extent positive = PositiveExtentOf({kNan, 3, -2, 0, 5});
  EXPECT_EQ(positive.low, 3);
  EXPECT_EQ(positive.high, 5);
}

TEST(ExtentTest, IsWiderThanNothing) {
  for (const std::vector<double>& values :
       {std::vector<double>{}, {kNan}, {0}, {7}, {-7, -7}, {kLargest}, {-kLargest, kLargest}}) {
    EXPECT_LT(ExtentOf(values).low, ExtentOf(values).high);
    EXPECT_TRUE(std::isfinite(ExtentOf(values).high - ExtentOf(values).low));
    EXPECT_LT(PositiveExtentOf(values).low, PositiveExtentOf(values).high);
    EXPECT_GT(PositiveExtentOf(values).low, 0);
  }
}

}  // namespace
}  // namespace nncert
