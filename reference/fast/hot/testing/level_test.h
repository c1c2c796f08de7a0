// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Tests that run once for each level of the hot kernels.

#ifndef NNCERT_REFERENCE_FAST_HOT_TESTING_LEVEL_TEST_H_
#define NNCERT_REFERENCE_FAST_HOT_TESTING_LEVEL_TEST_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "reference/fast/hot/levels.h"

namespace nncert::hot {

/// What a failure says of the level.
inline void PrintTo(const Level& level, std::ostream* stream) { *stream << level.name; }

/// A test of the kernels of one level; skipped where the machine lacks the level's instructions.
class LevelTest : public testing::TestWithParam<Level> {
 protected:
  void SetUp() override {
    if (!GetParam().is_available) {
      GTEST_SKIP() << "this machine has no " << std::string(GetParam().name);
    }
  }
  const Kernels& kernels() const { return *GetParam().kernels; }
};

/// The name of a level as part of the name of a test.
inline std::string LevelTestName(const testing::TestParamInfo<Level>& info) {
  std::string name(info.param.name);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == ' '; }, '_');
  return name;
}

/// Runs the tests of `fixture`, which is a LevelTest, for every level.
#define NNCERT_TEST_EVERY_LEVEL(fixture)                                                \
  INSTANTIATE_TEST_SUITE_P(Levels, fixture, testing::ValuesIn(::nncert::hot::Levels()), \
                           ::nncert::hot::LevelTestName)

}  // namespace nncert::hot

#endif  // NNCERT_REFERENCE_FAST_HOT_TESTING_LEVEL_TEST_H_
