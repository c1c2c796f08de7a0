// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/fuzz_random.h"

#include <gtest/gtest.h>

namespace nncert {
namespace {

TEST(FuzzRandomTest, GivesTheSameNumbersForTheSameSeed) {
  FuzzRandom one(7);
  FuzzRandom other(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(one.Below(1000), other.Below(1000));
  EXPECT_EQ(one.Below(0), 0U);
  EXPECT_EQ(one.Below(1), 0U);
}

TEST(FuzzRandomTest, ReachesEveryNumberBelowTheBound) {
  FuzzRandom random(1);
  std::vector<int> counts(5);
  for (int i = 0; i < 1000; ++i) ++counts[random.Below(5)];
  for (const int count : counts) EXPECT_GT(count, 100);
}

}  // namespace
}  // namespace nncert
