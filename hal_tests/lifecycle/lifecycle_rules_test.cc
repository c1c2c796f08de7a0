// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/lifecycle/lifecycle_rules.h"

#include <set>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using enum LifecycleCall;

constexpr LifecycleRoom kRoom = {
    .version = hal::HalVersion::V1_2, .models = 3, .has_caching = true};

std::set<LifecycleCall> CallsIn(const LifecycleRoom& room) {
  std::set<LifecycleCall> calls;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<LifecycleCommand> plan = MakeLifecyclePlan(room, seed, 60);
    EXPECT_EQ(plan.size(), 60u);
    EXPECT_EQ(LegalPartOf(room, plan), plan);
    for (const LifecycleCommand& command : plan) calls.insert(command.call);
  }
  return calls;
}

TEST(LifecyclePlan, IsTheSameForTheSameSeed) {
  EXPECT_EQ(MakeLifecyclePlan(kRoom, 7, 60), MakeLifecyclePlan(kRoom, 7, 60));
  EXPECT_NE(MakeLifecyclePlan(kRoom, 7, 60), MakeLifecyclePlan(kRoom, 8, 60));
}

TEST(LifecyclePlan, HasEveryCallThatTheDeviceHas) {
  EXPECT_EQ(CallsIn(kRoom).size(), 12u);
  LifecycleRoom room = kRoom;
  room.has_caching = false;
  EXPECT_EQ(CallsIn(room).size(), 10u);
  room.version = hal::HalVersion::V1_0;
  EXPECT_THAT(CallsIn(room), ElementsAre(PREPARE, EXECUTE, EXECUTE_INVALID, RELEASE, ASK));
}

TEST(LifecyclePlan, WhatDependsOnACallThatIsLeftOutGoesWithIt) {
  const LifecycleCommand prepare = {.call = PREPARE, .slot = 1};
  const LifecycleCommand send = {.call = SEND_BY_BURST, .slot = 1};
  const LifecycleCommand free = {.call = FREE_MEMORY, .slot = 1};
  const LifecycleCommand close = {.call = CLOSE_BURST, .slot = 1};
  const LifecycleCommand release = {.call = RELEASE, .slot = 1};
  const LifecycleCommand ask = {.call = ASK};
  EXPECT_THAT(LegalPartOf(kRoom, {{prepare, free, close, ask, release, ask}}),
              ElementsAre(prepare, ask, release, ask));
  EXPECT_THAT(LegalPartOf(kRoom, {{send, free, close, release, ask}}), ElementsAre(ask));
}

TEST(LifecycleState, ACacheIsThereOnceItWasSavedTo) {
  LifecycleState state(kRoom);
  const LifecycleCommand load = {.call = PREPARE_FROM_CACHE, .slot = 2, .number = 1};
  EXPECT_FALSE(state.Allows(load));
  state.Do({.call = SAVE_TO_CACHE, .slot = 0, .number = 1});
  EXPECT_TRUE(state.Allows(load));
  state.Do(load, /*has_failed=*/true);
  EXPECT_FALSE(state.model(2).has_value());
  state.Do(load);
  EXPECT_EQ(state.model(2), 1);
}

TEST(LifecycleCommand, IsALineOfText) {
  EXPECT_EQ(Describe({.call = PREPARE, .thread = 2, .slot = 1}, "add"),
            "thread 2: prepareModel, add as B");
  EXPECT_EQ(Describe({.call = EXECUTE_SYNCHRONOUSLY, .number = 1}, ""),
            "thread 0: executeSynchronously of A, input 1");
  EXPECT_EQ(Describe({.call = RELEASE, .slot = 3}, ""), "thread 0: release of D");
}

}  // namespace
}  // namespace nncert
