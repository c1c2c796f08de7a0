// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/resource_growth.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr uint64_t kMebibyte = uint64_t{1} << 20;

// What there is to say of a driver that has run `cases` cases, when it has `use(n)` after n.
std::vector<std::string> FindingsOf(uint64_t cases,
                                    const std::function<ResourceUse(uint64_t)>& use) {
  ResourceGrowth growth;
  for (uint64_t n = 1; n <= cases; ++n) {
    if (n == cases || ResourceGrowth::IsDue(n)) growth.Add(n, use(n));
  }
  return growth.Findings();
}

TEST(ResourceGrowthTest, LooksAreDueWheneverTheCasesDouble) {
  std::vector<uint64_t> due;
  for (uint64_t n = 0; n <= 20; ++n) {
    if (ResourceGrowth::IsDue(n)) due.push_back(n);
  }
  EXPECT_THAT(due, ElementsAre(1, 2, 4, 8, 16));
}

TEST(ResourceGrowthTest, NothingIsSaidWithoutGrowth) {
  EXPECT_THAT(ResourceGrowth().Findings(), IsEmpty());
  const auto steady = [](uint64_t) { return ResourceUse{10, 500 * kMebibyte}; };
  EXPECT_THAT(FindingsOf(1, steady), IsEmpty());
  EXPECT_THAT(FindingsOf(5000, steady), IsEmpty());
  EXPECT_THAT(FindingsOf(20,
                         [](uint64_t n) {
                           return ResourceUse{100 - n, (100 - n) * kMebibyte};
                         }),
              IsEmpty());
}

TEST(ResourceGrowthTest, DescriptorsMayNotGrowByMuch) {
  // 64 of the driver, and 48 that the server in its process keeps.
  EXPECT_THAT(FindingsOf(113, [](uint64_t n) { return ResourceUse{n, 0}; }), IsEmpty());
  EXPECT_THAT(FindingsOf(114,
                         [](uint64_t n) {
                           return ResourceUse{n, 0};
                         }),
              ElementsAre("the driver's process had 1 descriptor open after 1 case, and 114 after "
                          "114 cases, when every prepared model had been released: it does not "
                          "close all that it opens"));
}

TEST(ResourceGrowthTest, ThreadsAndProcessesMayNotGrowByMuch) {
  const auto use = [](uint64_t threads, uint64_t processes) {
    return [=](uint64_t n) {
      ResourceUse grown;
      grown.threads = 1 + (n > 1 ? threads : 0);
      grown.processes = 1 + (n > 1 ? processes : 0);
      return grown;
    };
  };
  EXPECT_THAT(FindingsOf(4, use(1024, 8)), IsEmpty());
  EXPECT_THAT(FindingsOf(4, use(1025, 9)),
              ElementsAre("the driver's process had 1 thread after 1 case, and 1026 after 4 "
                          "cases, when every prepared model had been released: it does not end "
                          "all that it starts",
                          "the driver's process had 1 process, itself among them, after 1 case, "
                          "and 10 after 4 cases, when every prepared model had been released: it "
                          "does not end all that it starts"));
}

TEST(ResourceGrowthTest, MemoryMayNotGrowInStepWithTheCases) {
  EXPECT_THAT(
      FindingsOf(9,
                 [](uint64_t n) {
                   return ResourceUse{0, (5 + 100 * n) * kMebibyte};
                 }),
      ElementsAre(
          "the driver's process had 205.0 MiB of memory after 2 cases, 405.0 MiB after 4 cases "
          "and 805.0 MiB after 8 cases, when every prepared model had been released: it "
          "does not free all that it takes"));
}

TEST(ResourceGrowthTest, MemoryMayGrowSlowlyOrForAWhile) {
  // 75 MiB a case are 150 from the second to the fourth.
  EXPECT_THAT(FindingsOf(9,
                         [](uint64_t n) {
                           return ResourceUse{0, 75 * n * kMebibyte};
                         }),
              IsEmpty());
  // A cache that is full after six cases.
  EXPECT_THAT(FindingsOf(9,
                         [](uint64_t n) {
                           return ResourceUse{0, 100 * std::min<uint64_t>(n, 6) * kMebibyte};
                         }),
              IsEmpty());
  // One large case.
  EXPECT_THAT(FindingsOf(64,
                         [](uint64_t n) {
                           return ResourceUse{0, n < 40 ? 0 : 5000 * kMebibyte};
                         }),
              IsEmpty());
}

}  // namespace
}  // namespace nncert
