// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/summarize.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(SummarizeTest, OfNoTimesEverythingIsZero) {
  const TimeStatistics statistics = Summarize({});
  EXPECT_EQ(statistics.count, 0);
  EXPECT_EQ(statistics.mean, 0);
  EXPECT_EQ(statistics.p99.high, 0);
  EXPECT_THAT(statistics.quantiles, IsEmpty());
}

TEST(SummarizeTest, OrderDoesNotMatter) {
  const TimeStatistics statistics = Summarize({4, 1, 9, 2, 4});
  EXPECT_EQ(statistics.count, 5);
  EXPECT_DOUBLE_EQ(statistics.mean, 4);
  // 0 + 9 + 25 + 4 + 0, by 4.
  EXPECT_DOUBLE_EQ(statistics.deviation, std::sqrt(9.5));
  EXPECT_EQ(statistics.minimum, 1);
  EXPECT_EQ(statistics.maximum, 9);
  EXPECT_EQ(statistics.p50.value, 4);
  EXPECT_EQ(statistics.p90.value, 9);
  EXPECT_THAT(statistics.quantiles, ElementsAre(1, 2, 4, 4, 9));
}

TEST(SummarizeTest, OneTimeHasNoDeviation) {
  const TimeStatistics statistics = Summarize({7});
  EXPECT_EQ(statistics.mean, 7);
  EXPECT_EQ(statistics.deviation, 0);
  EXPECT_EQ(statistics.p50.value, 7);
}

TEST(SummarizeTest, TimesAreNotBelowZeroAndMayHaveNoUpperBound) {
  const TimeStatistics statistics = Summarize({3, 5});
  EXPECT_EQ(statistics.p50.low, 0);
  EXPECT_EQ(statistics.p50.high, std::numeric_limits<double>::infinity());
}

TEST(SummarizeTest, PercentilesHaveTheirIntervals) {
  std::vector<double> times;
  for (int i = 1000; i > 0; --i) times.push_back(i);
  const TimeStatistics statistics = Summarize(times);
  EXPECT_EQ(statistics.p50.value, 500);
  EXPECT_EQ(statistics.p90.value, 900);
  EXPECT_EQ(statistics.p95.value, 950);
  EXPECT_EQ(statistics.p95.low, 936);
  EXPECT_EQ(statistics.p95.high, 964);
  EXPECT_EQ(statistics.p99.value, 990);
  EXPECT_EQ(statistics.p99.high, 997);
}

TEST(SummarizeTest, ManyTimesHaveTwoHundredEquallyLikelyOnes) {
  std::vector<double> times;
  for (int i = 0; i < 1000; ++i) times.push_back(i);
  const std::vector<double> quantiles = Summarize(times).quantiles;
  ASSERT_THAT(quantiles, SizeIs(200));
  // The middle of each five.
  for (size_t i = 0; i < 200; ++i) EXPECT_EQ(quantiles[i], 5 * i + 2);
}

}  // namespace
}  // namespace nncert
