// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/hot/levels.h"

#include "gtest/gtest.h"

namespace nncert::hot {
namespace {

TEST(BestKernelsTest, AreOfTheLastLevelThatTheMachineHas) {
  const Kernels* last = nullptr;
  for (const Level& level : Levels()) {
    if (level.is_available) last = level.kernels;
  }
  EXPECT_EQ(&BestKernels(), last);
}

TEST(BestKernelsTest, AreOfTheLevelThatIsComparedWhileItIs) {
  const Kernels& best = BestKernels();
  const Level& baseline = Levels().front();
  {
    const OnLevel scope(baseline);
    EXPECT_EQ(&BestKernels(), baseline.kernels);
  }
  EXPECT_EQ(&BestKernels(), &best);
}

}  // namespace
}  // namespace nncert::hot
