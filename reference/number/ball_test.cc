// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/number/ball.h"

#include <gtest/gtest.h>

#include "reference/number/testing/honest_machine.h"

namespace nncert {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(AddUpwardsTest, IsTheLeastDoubleNotBelowTheSum) {
  TestRandom random(1);
  for (int i = 0; i < 100000; ++i) {
    // Within 2^10 of each other, the exact sum fits the 64 bits of a long double.
    const double x = random.WithExponent(0, 10);
    const double y = random.WithExponent(0, 10);
    const double up = AddUpwards(x, y);
    const long double exact = static_cast<long double>(x) + y;
    ASSERT_GE(static_cast<long double>(up), exact) << x << " + " << y;
    ASSERT_LT(static_cast<long double>(std::nextafter(up, -kInfinity)), exact) << x << " + " << y;
  }
}

TEST(AddUpwardsTest, SeesWhatRoundingLoses) {
  EXPECT_GT(AddUpwards(1, 0x1p-200), 1);
  EXPECT_EQ(AddUpwards(1, -0x1p-200), 1);
  EXPECT_EQ(AddUpwards(-1, 0x1p-200), -1 + 0x1p-53);
  EXPECT_EQ(AddUpwards(0.5, 0.25), 0.75);
  EXPECT_EQ(AddUpwards(std::numeric_limits<double>::max(), 0x1p-200), kInfinity);
  EXPECT_EQ(AddUpwards(1e308, 1e308), kInfinity);
}

TEST(BallTest, FromBoundsHoldsBothBounds) {
  TestRandom random(2);
  for (int i = 0; i < 100000; ++i) {
    const double a = random.WithExponent(-60, 60);
    const double b = random.WithExponent(-60, 60);
    const Ball ball = Ball::FromBounds(std::min(a, b), std::max(a, b));
    ASSERT_TRUE(ball.Contains(a) && ball.Contains(b)) << a << " and " << b;
    ASSERT_LE(ball.Lower(), std::min(a, b));
    ASSERT_GE(ball.Upper(), std::max(a, b));
    const double roundoff = 0x1p-50 * std::max(std::abs(a), std::abs(b));
    ASSERT_LE(ball.Upper() - ball.Lower(), std::abs(b - a) + roundoff);
  }
}

TEST(BallTest, FromBoundsOfIntegersIsExact) {
  const Ball ball = Ball::FromBounds(2, 5);
  EXPECT_EQ(ball.midpoint, 3.5);
  EXPECT_EQ(ball.radius, 1.5);
  EXPECT_EQ(ball.Lower(), 2);
  EXPECT_EQ(ball.Upper(), 5);
}

TEST(BallTest, FromBoundsOfOneNumberIsThatNumber) {
  EXPECT_TRUE(Ball::FromBounds(0.1, 0.1).IsExact());
  EXPECT_TRUE(Ball::FromBounds(kInfinity, kInfinity).IsExactSpecial());
}

TEST(BallTest, FromBoundsOfNonsenseIsAnything) {
  EXPECT_FALSE(Ball::FromBounds(2, 1).IsBounded());
  EXPECT_FALSE(Ball::FromBounds(0, kInfinity).IsBounded());
  EXPECT_FALSE(Ball::FromBounds(-kInfinity, kInfinity).IsBounded());
  EXPECT_FALSE(Ball::FromBounds(kNaN, 1).IsBounded());
  EXPECT_FALSE(Ball::FromBounds(kNaN, kNaN).IsBounded());
}

TEST(BallTest, FromBoundsDoesNotOverflow) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(Ball::FromBounds(-largest, largest).radius, largest);
}

TEST(BallTest, BoundsAreRoundedOutwards) {
  const Ball ball = {1, 0x1p-80};
  EXPECT_LT(ball.Lower(), 1);
  EXPECT_GT(ball.Upper(), 1);
  EXPECT_EQ((Ball{1, 0}.Lower()), 1);
  EXPECT_EQ(Ball::Anything().Lower(), -kInfinity);
  EXPECT_EQ(Ball::Anything().Upper(), kInfinity);
}

TEST(BallTest, ContainsItsNumbersAlone) {
  const Ball ball = {1, 0.5};
  EXPECT_TRUE(ball.Contains(0.5));
  EXPECT_TRUE(ball.Contains(1.5));
  EXPECT_FALSE(ball.Contains(1.6));
  EXPECT_FALSE(ball.Contains(kNaN));
  EXPECT_FALSE(ball.Contains(kInfinity));
}

TEST(BallTest, AnythingContainsInfinitiesAndNaN) {
  EXPECT_TRUE(Ball::Anything().Contains(kNaN));
  EXPECT_TRUE(Ball::Anything().Contains(-kInfinity));
  EXPECT_TRUE(Ball::Anything().Contains(3));
}

TEST(BallTest, AnExactSpecialContainsItselfAlone) {
  EXPECT_TRUE((Ball{kInfinity, 0}.Contains(kInfinity)));
  EXPECT_FALSE((Ball{kInfinity, 0}.Contains(-kInfinity)));
  EXPECT_FALSE((Ball{kInfinity, 0}.Contains(kNaN)));
  EXPECT_TRUE((Ball{kNaN, 0}.Contains(kNaN)));
  EXPECT_FALSE((Ball{kNaN, 0}.Contains(0)));
}

TEST(HullTest, HoldsBothBalls) {
  const Ball hull = Hull({1, 0.25}, {4, 1});
  EXPECT_EQ(hull.Lower(), 0.75);
  EXPECT_EQ(hull.Upper(), 5);
  EXPECT_EQ(Hull({2, 0.5}, {2, 1}).radius, 1);
}

TEST(HullTest, OfSpecialsIsAnythingUnlessTheyAreTheSame) {
  EXPECT_TRUE(Hull({kInfinity, 0}, {kInfinity, 0}).IsExactSpecial());
  EXPECT_TRUE(Hull({kNaN, 0}, {kNaN, 0}).IsExactSpecial());
  EXPECT_FALSE(Hull({kInfinity, 0}, {-kInfinity, 0}).IsBounded());
  EXPECT_FALSE(Hull({kInfinity, 0}, {1, 0}).IsBounded());
  EXPECT_FALSE(Hull({1, 0}, {kNaN, 0}).IsBounded());
  EXPECT_FALSE(Hull({1, 0}, Ball::Anything()).IsBounded());
}

TEST(TruthTest, NotKeepsUndecided) {
  EXPECT_EQ(Not(Truth::kTrue), Truth::kFalse);
  EXPECT_EQ(Not(Truth::kFalse), Truth::kTrue);
  EXPECT_EQ(Not(Truth::kUndecided), Truth::kUndecided);
}

}  // namespace
}  // namespace nncert
