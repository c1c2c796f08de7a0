// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/vlog.h"

#include <cstdlib>

#include "gtest/gtest.h"

namespace nncert::hal {
namespace {

uint32_t Bits(std::initializer_list<VlogTag> tags) {
  uint32_t bits = 0;
  for (const VlogTag tag : tags) bits |= 1U << static_cast<uint32_t>(tag);
  return bits;
}

TEST(VlogTest, an_empty_value_logs_nothing) {
  EXPECT_EQ(parseVlogSetting("").mask, 0);
  EXPECT_EQ(parseVlogSetting(" ,:").mask, 0);
  EXPECT_TRUE(parseVlogSetting(" ,:").unknownTags.empty());
}

TEST(VlogTest, one_and_all_log_everything) {
  EXPECT_EQ(parseVlogSetting("1").mask, 0x3F);
  EXPECT_EQ(parseVlogSetting("all").mask, 0x3F);
}

TEST(VlogTest, tags_are_separated_by_spaces_commas_and_colons) {
  EXPECT_EQ(parseVlogSetting("model compilation").mask,
            Bits({VlogTag::MODEL, VlogTag::COMPILATION}));
  EXPECT_EQ(parseVlogSetting("execution,cpuexe:manager, driver").mask,
            Bits({VlogTag::EXECUTION, VlogTag::CPUEXE, VlogTag::MANAGER, VlogTag::DRIVER}));
}

TEST(VlogTest, unknown_tags_are_reported_and_the_others_kept) {
  const VlogSetting setting = parseVlogSetting("driver,Model,all");
  EXPECT_EQ(setting.mask, Bits({VlogTag::DRIVER}));
  EXPECT_EQ(setting.unknownTags, (std::vector<std::string>{"Model", "all"}));
}

// The variable is read once in a process, so this is the one test that sets it.
TEST(VlogTest, the_environment_decides_and_what_is_off_is_not_evaluated) {
  ASSERT_EQ(setenv("NNCERT_VLOG", "driver", 1), 0);
  EXPECT_TRUE(NNVLOG_IS_ON(DRIVER));
  EXPECT_FALSE(NNVLOG_IS_ON(MODEL));
  int evaluated = 0;
  NNVLOG(DRIVER) << ++evaluated;
  NNVLOG(MODEL) << ++evaluated;
  EXPECT_EQ(evaluated, 1);
}

}  // namespace
}  // namespace nncert::hal
