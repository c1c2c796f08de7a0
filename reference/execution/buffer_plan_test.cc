// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/buffer_plan.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "reference/execution/memory.h"

namespace nncert {
namespace {

TEST(BufferPlanTest, OfNothingIsEmpty) {
  const BufferPlan plan = PlanBuffers({});
  EXPECT_EQ(plan.arena_size, 0);
  EXPECT_EQ(plan.growing_buffers, 0);
}

TEST(BufferPlanTest, AChainTakesItsTwoLargestNeighbours) {
  // Each operation reads what the one before has written.
  const BufferPlan plan = PlanBuffers({{0, 1, 640}, {1, 2, 1280}, {2, 3, 640}, {3, 4, 64}});
  EXPECT_EQ(plan.arena_size, 1280 + 640);
  EXPECT_EQ(plan.growing_buffers, 0);
}

TEST(BufferPlanTest, AValueIsNotInTheWayOfAnOperationThatStillReadsIt) {
  const BufferPlan plan = PlanBuffers({{0, 5, 64}, {1, 2, 64}, {3, 4, 64}, {5, 6, 64}});
  EXPECT_EQ(plan.arena_size, 128);
  EXPECT_NE(plan.places[0].position, plan.places[3].position);
  EXPECT_EQ(plan.places[1].position, plan.places[2].position);
}

TEST(BufferPlanTest, FillsGaps) {
  // The first two die together, and then the small third fits where the first was.
  const BufferPlan plan = PlanBuffers({{0, 1, 256}, {0, 9, 512}, {2, 9, 192}});
  EXPECT_EQ(plan.arena_size, 256 + 512);
}

TEST(BufferPlanTest, PlacesAreAligned) {
  const BufferPlan plan = PlanBuffers({{0, 1, 1}, {0, 1, 65}, {0, 1, 0}});
  for (const BufferPlace& place : plan.places) EXPECT_EQ(place.position % kBufferAlignment, 0);
  EXPECT_EQ(plan.arena_size, 128 + 64);
}

TEST(BufferPlanTest, ValuesWithoutBytesTakeNoPlace) {
  const BufferPlan plan = PlanBuffers({{0, 9, 0}, {0, 9, 64}, {0, 9, 0}});
  EXPECT_EQ(plan.arena_size, 64);
  EXPECT_EQ(plan.places[0].position, 0);
}

TEST(BufferPlanTest, ValuesOfUnknownSizeShareBuffersInTurn) {
  const BufferPlan plan =
      PlanBuffers({{0, 1, std::nullopt}, {1, 2, std::nullopt}, {2, 3, std::nullopt}, {2, 2, 100}});
  EXPECT_EQ(plan.growing_buffers, 2);
  EXPECT_FALSE(plan.places[0].is_in_arena);
  EXPECT_EQ(plan.places[0].position, plan.places[2].position);
  EXPECT_NE(plan.places[0].position, plan.places[1].position);
  EXPECT_TRUE(plan.places[3].is_in_arena);
}

TEST(BufferPlanTest, NoTwoValuesThatLiveAtOnceOverlap) {
  uint32_t state = 1;
  const auto random = [&state](uint32_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  for (int round = 0; round < 50; ++round) {
    std::vector<BufferDemand> demands(60);
    for (BufferDemand& demand : demands) {
      demand.first = random(40);
      demand.last = demand.first + random(10);
      if (random(4) != 0) demand.size = random(5000);
    }
    const BufferPlan plan = PlanBuffers(demands);
    for (size_t i = 0; i < demands.size(); ++i) {
      const BufferPlace& a = plan.places[i];
      if (a.is_in_arena) {
        EXPECT_LE(a.position + *demands[i].size, plan.arena_size);
      } else {
        EXPECT_LT(a.position, plan.growing_buffers);
      }
      for (size_t j = 0; j < i; ++j) {
        const BufferPlace& b = plan.places[j];
        const bool live_at_once =
            demands[i].first <= demands[j].last && demands[j].first <= demands[i].last;
        if (!live_at_once || a.is_in_arena != b.is_in_arena) continue;
        if (a.is_in_arena) {
          EXPECT_TRUE(a.position + *demands[i].size <= b.position ||
                      b.position + *demands[j].size <= a.position)
              << "values " << j << " and " << i;
        } else {
          EXPECT_NE(a.position, b.position) << "values " << j << " and " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace nncert
