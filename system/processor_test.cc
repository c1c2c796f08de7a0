// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/processor.h"

#include <sched.h>

#include <optional>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

TEST(ProcessorTest, ThereIsAProcessorAndItIsListedOnce) {
  const std::vector<int> processors = AllowedProcessors();
  ASSERT_FALSE(processors.empty());
  cpu_set_t set;
  ASSERT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  EXPECT_EQ(processors.size(), static_cast<size_t>(CPU_COUNT(&set)));
  for (const int processor : processors) EXPECT_TRUE(CPU_ISSET(processor, &set)) << processor;
}

TEST(ProcessorTest, TheNextProcessorsAreAllOfThem) {
  const std::vector<int> processors = AllowedProcessors();
  std::vector<int> found;
  for (size_t i = 0; i < processors.size(); ++i) {
    found.push_back(ProcessorAfter(processors.back(), i).value());
  }
  EXPECT_EQ(found.front(), processors.back());
  EXPECT_THAT(found, UnorderedElementsAreArray(processors));
  EXPECT_EQ(ProcessorAfter(processors.back(), processors.size()), processors.back());
  EXPECT_EQ(ProcessorAfter(std::nullopt, 1), std::nullopt);
}

TEST(ProcessorTest, AThreadIsOnOneProcessorWithWhatItStarts) {
  const std::vector<int> before = AllowedProcessors();
  const int processor = before.back();
  {
    const OnProcessor scope(processor);
    EXPECT_THAT(AllowedProcessors(), ElementsAre(processor));
    EXPECT_EQ(sched_getcpu(), processor);
    EXPECT_EQ(sched_getscheduler(0), SCHED_BATCH);
    std::thread([&] {
      EXPECT_THAT(AllowedProcessors(), ElementsAre(processor));
      EXPECT_EQ(sched_getscheduler(0), SCHED_BATCH);
    }).join();
  }
  EXPECT_THAT(AllowedProcessors(), UnorderedElementsAreArray(before));
  EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
}

TEST(ProcessorTest, ScopesNest) {
  const std::vector<int> before = AllowedProcessors();
  {
    const OnProcessor outer(before.front());
    { const OnProcessor inner(before.front()); }
    EXPECT_THAT(AllowedProcessors(), ElementsAre(before.front()));
    EXPECT_EQ(sched_getscheduler(0), SCHED_BATCH);
  }
  EXPECT_THAT(AllowedProcessors(), UnorderedElementsAreArray(before));
}

TEST(ProcessorTest, AScopeWithinOneOnAnotherProcessorGoesBackThere) {
  const std::vector<int> before = AllowedProcessors();
  if (before.size() < 2) GTEST_SKIP() << "there is only one processor";
  {
    const OnProcessor outer(before.front());
    for (int i = 0; i < 2; ++i) {
      const OnProcessor inner(before.back());
      EXPECT_THAT(AllowedProcessors(), ElementsAre(before.back()));
    }
    EXPECT_THAT(AllowedProcessors(), ElementsAre(before.front()));
    const OnProcessor same(before.front());
    EXPECT_THAT(AllowedProcessors(), ElementsAre(before.front()));
  }
  EXPECT_THAT(AllowedProcessors(), UnorderedElementsAreArray(before));
}

TEST(ProcessorTest, WithoutAProcessorNothingChanges) {
  const std::vector<int> before = AllowedProcessors();
  for (const std::optional<int> none :
       {std::optional<int>(), std::optional(-1), std::optional(CPU_SETSIZE),
        std::optional(CPU_SETSIZE - 1)}) {
    const OnProcessor scope(none);
    EXPECT_THAT(AllowedProcessors(), UnorderedElementsAreArray(before));
    EXPECT_EQ(sched_getscheduler(0), SCHED_OTHER);
  }
}

}  // namespace
}  // namespace nncert
