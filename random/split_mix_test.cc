// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random/split_mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <vector>

namespace nncert {
namespace {

// The numbers that implementations of SplitMix64 are checked with everywhere.
TEST(SplitMix64Test, GivesTheNumbersOfTheDefinition) {
  SplitMix64 random(1234567);
  for (const uint64_t expected : {uint64_t{6457827717110365317u}, uint64_t{3203168211198807973u},
                                  uint64_t{9817491932198370423u}, uint64_t{4593380528125082431u},
                                  uint64_t{16408922859458223821u}}) {
    EXPECT_EQ(random.Bits(), expected);
  }
  SplitMix64 of_zero(0);
  EXPECT_EQ(of_zero.Bits(), 0xE220A8397B1DCDAF);
  EXPECT_EQ(of_zero.Bits(), 0x6E789E6AA1B965F4);
}

TEST(SplitMix64Test, SkipsNumbers) {
  SplitMix64 one_by_one(5);
  for (int i = 0; i < 1000; ++i) one_by_one.Bits();
  SplitMix64 at_once(5);
  at_once.Skip(1000);
  EXPECT_EQ(at_once.Bits(), one_by_one.Bits());
}

// The expected numbers were computed in exact arithmetic, by a program in another language.
TEST(SplitMix64Test, GivesTheSameIntegersEverywhere) {
  SplitMix64 random(7);
  for (const int expected : {-3, -5, -5, -5, 2, 2, -4, 4}) {
    EXPECT_EQ(random.Between(-5, 5), expected);
  }
  SplitMix64 below(3);
  for (const uint64_t expected : {3, 1, 9, 7, 6, 5, 2, 0}) EXPECT_EQ(below.Below(10), expected);
}

// Of 2^64 numbers, 3 * 2^62 takes the first quarter twice, if nothing is done about it.
TEST(SplitMix64Test, DrawsAgainWhatWouldMakeSomeIntegersMoreLikely) {
  SplitMix64 random(7);
  for (const uint64_t expected : {uint64_t{7191089600892374487u}, uint64_t{2781043691533445634u},
                                  uint64_t{10753165928301472203u}, uint64_t{8346079845500723674u},
                                  uint64_t{8632209307422871798u}}) {
    EXPECT_EQ(random.Below(uint64_t{3} << 62), expected);
  }
}

TEST(SplitMix64Test, IntegersReachTheirBoundsAndNoFurther) {
  SplitMix64 random(1);
  std::array<int, 5> counts = {};
  for (int i = 0; i < 1000; ++i) ++counts.at(random.Below(5));
  for (const int count : counts) EXPECT_GT(count, 100);
  std::set<int> seen;
  for (int i = 0; i < 200; ++i) seen.insert(random.Between(-2, 2));
  EXPECT_EQ(seen, (std::set<int>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(random.Below(0), 0U);
  EXPECT_EQ(random.Below(1), 0U);
  EXPECT_EQ(random.Between(-3, -3), -3);
  EXPECT_TRUE(random.OneIn(1));
}

TEST(SplitMix64Test, IntegersMayHaveEveryValueOfTheirType) {
  using Limits = std::numeric_limits<int64_t>;
  SplitMix64 random(7);
  EXPECT_EQ(random.Between(Limits::min(), Limits::max()), -2032282435962401321);
  EXPECT_EQ(random.Between(Limits::min(), Limits::max()), -8913682664259820004);
  std::set<int> seen;
  for (int i = 0; i < 5000; ++i) seen.insert(random.Between<int8_t>(-128, 127));
  EXPECT_EQ(seen.size(), 256);
}

TEST(SplitMix64Test, ChoosesEachElement) {
  SplitMix64 random(2);
  const std::vector<char> choices = {'a', 'b', 'c'};
  std::set<char> seen;
  for (int i = 0; i < 100; ++i) seen.insert(random.OneOf(choices));
  EXPECT_EQ(seen, (std::set<char>{'a', 'b', 'c'}));
}

// Computed as the integers above. A product that is rounded before it is added would make the
// number of [-2000, 1999.3] end in 8.
TEST(SplitMix64Test, GivesTheSameRealsEverywhere) {
  SplitMix64 unit(0);
  EXPECT_EQ(unit.Unit(), 0x1.C4415072F63B9p-1);
  SplitMix64 random(7);
  EXPECT_EQ(random.Uniform(-2000.0, 1999.3), -0x1.B8F431F49490Ap+8);
  SplitMix64 fraction(7);
  for (const double expected : {0x1.55E951573C781p-2, 0x1.C2DBE1B2C243Ap-4, 0x1.47E9E700E007Cp-1}) {
    EXPECT_EQ(fraction.Uniform(0.1, 0.7), expected);
  }
  SplitMix64 wide(9);
  for (const double expected :
       {-0x1.C02D8A5E87AFEp-1, -0x1.4336B3782F588p-3, 0x1.FBC9D6184DE7Fp+3}) {
    EXPECT_EQ(wide.WithExponent(-3, 3), expected);
  }
}

TEST(SplitMix64Test, RealsFillTheirRange) {
  SplitMix64 random(4);
  double sum = 0;
  double lowest = 1;
  double highest = 0;
  for (int i = 0; i < 10000; ++i) {
    const double number = random.Unit();
    sum += number;
    lowest = std::min(lowest, number);
    highest = std::max(highest, number);
  }
  // The mean of so many has a standard deviation of 0.003.
  EXPECT_NEAR(sum / 10000, 0.5, 0.015);
  EXPECT_GE(lowest, 0);
  EXPECT_LT(lowest, 0.01);
  EXPECT_GT(highest, 0.99);
  EXPECT_LT(highest, 1);
}

}  // namespace
}  // namespace nncert
