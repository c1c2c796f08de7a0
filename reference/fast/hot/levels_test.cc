// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/hot/levels.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace nncert::hot {
namespace {

using ::testing::ExitedWithCode;

TEST(BestKernelsDeathTest, ALevelThatTheMachineDoesNotHaveEndsTheProgram) {
  EXPECT_EXIT(
      {
        setenv("NNCERT_PROCESSOR_LEVEL", "x86-64-v9", 1);
        BestKernels();
      },
      ExitedWithCode(EXIT_FAILURE),
      "NNCERT_PROCESSOR_LEVEL=x86-64-v9: expected a level that this machine has: \"baseline\"");
}

TEST(BestKernelsTest, AreOfTheLastLevelThatTheMachineHas) {
  unsetenv("NNCERT_PROCESSOR_LEVEL");
  const Kernels* last = nullptr;
  for (const Level& level : Levels()) {
    if (level.is_available) last = level.kernels;
  }
  EXPECT_EQ(&BestKernels(), last);
}

}  // namespace
}  // namespace nncert::hot
