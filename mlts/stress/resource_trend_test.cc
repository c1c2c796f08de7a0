// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/resource_trend.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "hal/testing/fake_clock.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

ResourceTrend TrendOf(uint64_t rounds, const std::function<ResourceUse(uint64_t round)>& use) {
  ResourceTrend trend("load");
  for (uint64_t round = 0; round < rounds; ++round) trend.Add(use(round));
  return trend;
}

TEST(ResourceTrendTest, what_grows_all_the_while_is_named_with_its_pace) {
  for (const uint64_t rounds : {20, 300, 5000}) {
    EXPECT_EQ(TrendOf(rounds,
                      [](uint64_t round) {
                        return ResourceUse{10 + round, kMebibyte, 3};
                      })
                  .Growth(),
              "descriptors, 1 [1, 1] a load")
        << rounds;
  }
  const ResourceTrend trend = TrendOf(40, [](uint64_t round) {
    return ResourceUse{10, round * kMebibyte, 3, 1 + 2 * round};
  });
  EXPECT_THAT(trend.Growth(), StartsWith("processes, 2 [2, 2] a load"));
  EXPECT_THAT(trend.Growth(), HasSubstr("bytes of memory, 1.049e+06"));
  EXPECT_THAT(trend.Check("clients"), StatusIs(absl::StatusCode::kFailedPrecondition,
                                               HasSubstr("clients leave behind processes")));
}

TEST(ResourceTrendTest, what_fills_is_no_growth) {
  for (const uint64_t full : {3, 20, 39}) {
    EXPECT_EQ(TrendOf(60,
                      [&](uint64_t round) {
                        const uint64_t filled = std::min(round, full);
                        return ResourceUse{10 + filled, filled * kMebibyte, 3 + filled};
                      })
                  .Growth(),
              "")
        << full;
  }
}

// How many rounds there are in a second, of which each takes ten milliseconds.
uint64_t RoundsOfASecond(const std::function<ResourceUse(uint64_t round)>& use,
                         std::string& growth) {
  hal::testing::FakeClock clock;
  TimeOfRounds time(absl::Seconds(1), clock);
  ResourceTrend trend("load");
  uint64_t rounds = 0;
  do {
    trend.Add(use(rounds++));
    clock.Advance(absl::Milliseconds(10));
  } while (!time.IsOver(trend));
  growth = trend.Growth();
  return rounds;
}

TEST(TimeOfRoundsTest, what_seems_to_grow_is_looked_at_for_as_long_again) {
  std::string growth;
  EXPECT_EQ(RoundsOfASecond([](uint64_t) { return ResourceUse{10, kMebibyte, 3}; }, growth), 100);
  EXPECT_EQ(growth, "");
  // A pool that fills until the time is over, and one that never ends.
  EXPECT_EQ(RoundsOfASecond(
                [](uint64_t round) {
                  return ResourceUse{10 + std::min<uint64_t>(round, 100) / 4, kMebibyte, 3};
                },
                growth),
            200);
  EXPECT_EQ(growth, "");
  EXPECT_EQ(RoundsOfASecond(
                [](uint64_t round) {
                  return ResourceUse{10 + round / 4, kMebibyte, 3};
                },
                growth),
            200);
  EXPECT_THAT(growth, StartsWith("descriptors, 0.2499 ["));
}

TEST(ResourceTrendTest, few_rounds_tell_nothing) {
  const auto use = [](uint64_t round) { return ResourceUse{10 + round, kMebibyte, 3}; };
  EXPECT_EQ(TrendOf(19, use).Growth(), "");
  EXPECT_TRUE(TrendOf(0, use).Check("loads").ok());
  EXPECT_EQ(TrendOf(0, use).Describe(), "");
  EXPECT_EQ(TrendOf(3, use).Describe(),
            "12 descriptors (10 at first), 3 threads (3), 1.0 MiB (1.0)");
}

}  // namespace
}  // namespace nncert
