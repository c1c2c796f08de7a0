// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Expected values are computed in rational or 40-digit decimal arithmetic from the formulas of the
// sources that intervals.h names, and agree with what those publish where they publish any.

#include "mlts/metrics/intervals.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using testing::AllOf;
using testing::DoubleEq;
using testing::DoubleNear;
using testing::Field;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Matches an Estimate to ten digits; bounds may be infinite.
auto Is(double value, double low, double high) {
  return AllOf(Field("value", &Estimate::value, DoubleNear(value, 1e-10)),
               Field("low", &Estimate::low,
                     std::isinf(low) ? testing::Matcher<double>(DoubleEq(low))
                                     : testing::Matcher<double>(DoubleNear(low, 1e-10))),
               Field("high", &Estimate::high,
                     std::isinf(high) ? testing::Matcher<double>(DoubleEq(high))
                                      : testing::Matcher<double>(DoubleNear(high, 1e-10))));
}

// 1, 2, ... count.
std::vector<double> Ranks(size_t count) {
  std::vector<double> ranks(count);
  std::iota(ranks.begin(), ranks.end(), 1);
  return ranks;
}

TEST(ShareTest, IsWilsons) {
  // The examples of R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, table I.
  EXPECT_THAT(ShareOf(81, 263), Is(81.0 / 263, 0.255288519878, 0.366209576983));
  EXPECT_THAT(ShareOf(15, 148), Is(15.0 / 148, 0.062386399531, 0.160487241723));
  EXPECT_THAT(ShareOf(0, 20), Is(0, 0, 0.161125158053));
  EXPECT_THAT(ShareOf(1, 29), Is(1.0 / 29, 0.006113214293, 0.171755218793));
  EXPECT_THAT(ShareOf(29, 29), Is(1, 0.883030201500, 1));
}

TEST(ShareTest, EndsAreExact) {
  for (uint64_t trials = 1; trials < 100; ++trials) {
    EXPECT_EQ(ShareOf(0, trials).low, 0);
    EXPECT_EQ(ShareOf(trials, trials).high, 1);
  }
}

TEST(ShareTest, OfNothingNothingIsKnown) { EXPECT_THAT(ShareOf(0, 0), Is(0, 0, 1)); }

TEST(DifferenceOfSharesTest, IsNewcombes) {
  // The first, third and fifth are in table II of the paper, to four digits.
  EXPECT_THAT(DifferenceOfShares({36, 12, 2, 0}), Is(0.2, 0.0569295840, 0.3404276030));
  EXPECT_THAT(DifferenceOfShares({20, 12, 2, 16}), Is(0.2, 0.0561564248, 0.3292069954));
  EXPECT_THAT(DifferenceOfShares({36, 14, 0, 0}), Is(0.28, 0.1528395179, 0.4166512370));
  EXPECT_THAT(DifferenceOfShares({2, 97, 1, 0}), Is(0.96, 0.8721164783, 0.9853664502));
  EXPECT_THAT(DifferenceOfShares({50, 0, 0, 0}), Is(0, -0.0713475991, 0.0713475991));
  EXPECT_THAT(DifferenceOfShares({180, 5, 11, 104}), Is(-0.02, -0.0468668579, 0.0068597118));
  EXPECT_THAT(DifferenceOfShares({0, 30, 0, 0}), Is(1, 0.8394678199, 1));
}

TEST(DifferenceOfSharesTest, IsTheOppositeOfTheOtherWayRound) {
  const Estimate one = DifferenceOfShares({180, 5, 11, 104});
  EXPECT_THAT(DifferenceOfShares({180, 11, 5, 104}), Is(-one.value, -one.high, -one.low));
}

TEST(DifferenceOfSharesTest, OfNothingNothingIsKnown) {
  EXPECT_THAT(DifferenceOfShares({}), Is(0, -1, 1));
}

TEST(McNemarTest, IsExact) {
  EXPECT_NEAR(McNemarProbability(5, 11), 6885.0 / 32768, 1e-12);
  EXPECT_NEAR(McNemarProbability(0, 6), 1.0 / 32, 1e-12);
  EXPECT_NEAR(McNemarProbability(6, 0), 1.0 / 32, 1e-12);
  EXPECT_NEAR(McNemarProbability(3, 1), 5.0 / 8, 1e-12);
  EXPECT_NEAR(McNemarProbability(59, 121), 4.434449263755176e-06, 1e-15);
}

TEST(McNemarTest, EvenSplitsAreNoSurprise) {
  EXPECT_EQ(McNemarProbability(0, 0), 1);
  EXPECT_EQ(McNemarProbability(1, 0), 1);
  EXPECT_EQ(McNemarProbability(10, 10), 1);
}

TEST(SlopeTest, IsThatOfLeastSquares) {
  // Student's t with 3 degrees of freedom: 3.182446305284263.
  EXPECT_THAT(SlopeOf({10, 12, 13, 17, 18}), Is(2.1, 1.299101909865490, 2.900898090134510));
}

TEST(SlopeTest, OfOneDegreeOfFreedomIsWide) {
  // t is 12.706204736174704; the residuals are 1/6, -1/3, 1/6, their squares 1/6 in sum, and those
  // of the positions 2.
  const double half = 12.706204736174704 * std::sqrt(1.0 / 6 / 2);
  EXPECT_THAT(SlopeOf({0, 0.5, 2}), Is(1, 1 - half, 1 + half));
}

TEST(SlopeTest, OfALineIsKnown) { EXPECT_THAT(SlopeOf({1, 3, 5, 7}), Is(2, 2, 2)); }

TEST(SlopeTest, OfLargeNumbersIsThatOfTheirDifferences) {
  EXPECT_THAT(SlopeOf({0x1p40 + 10, 0x1p40 + 12, 0x1p40 + 13, 0x1p40 + 17, 0x1p40 + 18}),
              AllOf(Field(&Estimate::value, DoubleNear(2.1, 1e-3)),
                    Field(&Estimate::low, DoubleNear(1.2991, 1e-3)),
                    Field(&Estimate::high, DoubleNear(2.9009, 1e-3))));
}

TEST(SlopeTest, TooFewValuesTellNoInterval) {
  EXPECT_THAT(SlopeOf({}), Is(0, -kInfinity, kInfinity));
  EXPECT_THAT(SlopeOf({7}), Is(0, -kInfinity, kInfinity));
  EXPECT_THAT(SlopeOf({7, 9}), Is(2, -kInfinity, kInfinity));
}

TEST(QuantileTest, LiesBetweenTheRanksThatTheBinomialDistributionSays) {
  EXPECT_THAT(QuantileOf(Ranks(6), 0.5), Is(3, 1, 6));
  EXPECT_THAT(QuantileOf(Ranks(10), 0.5), Is(5, 2, 9));
  EXPECT_THAT(QuantileOf(Ranks(20), 0.5), Is(10, 6, 15));
  EXPECT_THAT(QuantileOf(Ranks(100), 0.5), Is(50, 40, 61));
  EXPECT_THAT(QuantileOf(Ranks(100), 0.9), Is(90, 84, 96));
  EXPECT_THAT(QuantileOf(Ranks(100), 0.95), Is(95, 90, 100));
  EXPECT_THAT(QuantileOf(Ranks(36), 0.9), Is(33, 29, 36));
  EXPECT_THAT(QuantileOf(Ranks(1000), 0.95), Is(950, 936, 964));
  EXPECT_THAT(QuantileOf(Ranks(1000), 0.99), Is(990, 983, 997));
}

TEST(QuantileTest, BoundsThatTooFewValuesTellAreInfinite) {
  EXPECT_THAT(QuantileOf(Ranks(5), 0.5), Is(3, -kInfinity, kInfinity));
  EXPECT_THAT(QuantileOf(Ranks(35), 0.9), Is(32, 28, kInfinity));
  EXPECT_THAT(QuantileOf(Ranks(100), 0.99), Is(99, 97, kInfinity));
  EXPECT_THAT(QuantileOf(Ranks(367), 0.99), Is(364, 359, kInfinity));
  EXPECT_THAT(QuantileOf(Ranks(368), 0.99), Is(365, 360, 368));
  EXPECT_THAT(QuantileOf({}, 0.5), Is(0, -kInfinity, kInfinity));
}

TEST(QuantileTest, EqualValuesMakeANarrowInterval) {
  EXPECT_THAT(QuantileOf(std::vector<double>(50, 3), 0.5), Is(3, 3, 3));
}

TEST(RatioOfMediansTest, DividesBoundsCrosswise) {
  // At 97.5 percent, the median of 20 lies between ranks 5 and 16, that of 100 between 39 and 62.
  EXPECT_THAT(RatioOfMedians(Ranks(20), Ranks(100)), Is(10.0 / 50, 5.0 / 62, 16.0 / 39));
}

TEST(RatioOfMediansTest, TooFewValuesTellNoBounds) {
  EXPECT_THAT(RatioOfMedians(Ranks(6), Ranks(100)), Is(3.0 / 50, 0, kInfinity));
  EXPECT_THAT(RatioOfMedians(Ranks(100), Ranks(3)), Is(50.0 / 2, 0, kInfinity));
  EXPECT_THAT(RatioOfMedians({}, Ranks(3)), Is(0, 0, kInfinity));
}

}  // namespace
}  // namespace nncert
