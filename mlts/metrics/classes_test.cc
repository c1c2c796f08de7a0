// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/classes.h"

#include <limits>
#include <optional>
#include <vector>

#include "gtest/gtest.h"

namespace nncert {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ClassesTest, HighestIsTop) {
  EXPECT_EQ(TopClass({1, 3, 2}), 1);
  EXPECT_EQ(TopClass({-3, -1, -2}), 1);
  EXPECT_EQ(TopClass({1, kInfinity, 2}), 1);
}

TEST(ClassesTest, LowestIndexBreaksTies) {
  EXPECT_EQ(TopClass({1, 3, 3}), 1);
  EXPECT_EQ(TopClass({0, 0, 0}), 0);
  EXPECT_EQ(TopClass({-0.0, 0.0}), 0);
}

TEST(ClassesTest, NanIsNeverTop) {
  EXPECT_EQ(TopClass({kNan, 1, 2}), 2);
  EXPECT_EQ(TopClass({1, kNan}), 0);
  EXPECT_EQ(TopClass({kNan, -kInfinity}), 1);
  EXPECT_EQ(TopClass({kNan, kNan}), std::nullopt);
}

TEST(ClassesTest, NothingHasNoTop) { EXPECT_EQ(TopClass({}), std::nullopt); }

TEST(ClassesTest, RankCountsThoseBefore) {
  const std::vector<double> values = {5, 9, 5, 7, 5};
  EXPECT_EQ(RankOf(values, 1), 0);
  EXPECT_EQ(RankOf(values, 3), 1);
  EXPECT_EQ(RankOf(values, 0), 2);
  EXPECT_EQ(RankOf(values, 2), 3);
  EXPECT_EQ(RankOf(values, 4), 4);
}

TEST(ClassesTest, NanHasNoRankAndPushesNobodyBack) {
  const std::vector<double> values = {kNan, 2, 1};
  EXPECT_EQ(RankOf(values, 0), std::nullopt);
  EXPECT_EQ(RankOf(values, 2), 1);
}

}  // namespace
}  // namespace nncert
