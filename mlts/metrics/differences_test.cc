// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/differences.h"

#include <limits>

#include "gtest/gtest.h"

namespace nncert {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(DifferencesTest, NumbersAreSubtracted) { EXPECT_EQ(DifferenceOf(1, 3), -2); }

TEST(DifferencesTest, WhatIsTheSameDoesNotDiffer) {
  EXPECT_EQ(DifferenceOf(kNan, kNan), 0);
  EXPECT_EQ(DifferenceOf(kInfinity, kInfinity), 0);
  EXPECT_EQ(DifferenceOf(-kInfinity, -kInfinity), 0);
}

TEST(DifferencesTest, WhatIsNoNumberIsInfinitelyFar) {
  EXPECT_EQ(DifferenceOf(kNan, 1), kInfinity);
  EXPECT_EQ(DifferenceOf(1, kNan), kInfinity);
  EXPECT_EQ(DifferenceOf(kNan, -kInfinity), kInfinity);
  EXPECT_EQ(DifferenceOf(kInfinity, 1), kInfinity);
  EXPECT_EQ(DifferenceOf(-kInfinity, 1), -kInfinity);
  EXPECT_EQ(DifferenceOf(kInfinity, -kInfinity), kInfinity);
}

}  // namespace
}  // namespace nncert
