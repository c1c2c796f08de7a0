// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/flags.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/flags/flag.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(TestModesTest, ReadsAListInItsOrder) {
  TestModes modes;
  std::string error;
  EXPECT_TRUE(AbslParseFlag("dynamic", &modes, &error));
  EXPECT_THAT(modes.modes, ElementsAre(TestMode::kDynamic));
  EXPECT_TRUE(AbslParseFlag("dynamic,static,dynamic", &modes, &error));
  EXPECT_THAT(modes.modes, ElementsAre(TestMode::kDynamic, TestMode::kStatic));
  EXPECT_EQ(AbslUnparseFlag(modes), "dynamic,static");
}

TEST(TestModesTest, BothModesAreTheDefault) {
  EXPECT_EQ(AbslUnparseFlag(TestModes()), "static,dynamic");
}

TEST(TestModesTest, RefusesEverythingElse) {
  TestModes modes;
  for (const char* text : {"", "burst", "static,", "Static", "static dynamic"}) {
    std::string error;
    EXPECT_FALSE(AbslParseFlag(text, &modes, &error)) << text;
    EXPECT_EQ(error, "expected static, dynamic, or static,dynamic") << text;
  }
}

TEST(DriverChoiceTest, TakesWhateverIsWritten) {
  EXPECT_FALSE(DriverChoice().driver.has_value());
  DriverChoice choice;
  std::string error;
  EXPECT_TRUE(AbslParseFlag("./mine.so:option", &choice, &error));
  EXPECT_EQ(choice.driver, "./mine.so:option");
  EXPECT_EQ(AbslUnparseFlag(choice), "./mine.so:option");
}

TEST(OutputPathTest, RefusesAnEmptyPath) {
  OutputPath output;
  std::string error;
  EXPECT_FALSE(AbslParseFlag("", &output, &error));
  EXPECT_EQ(error, "expected a path");
  EXPECT_TRUE(AbslParseFlag("here", &output, &error));
  EXPECT_EQ(output.path, "here");
  EXPECT_EQ(AbslUnparseFlag(output), "here");
}

TEST(DriverChoiceTest, RefusesAnEmptyName) {
  DriverChoice choice;
  std::string error;
  EXPECT_FALSE(AbslParseFlag("", &choice, &error));
  EXPECT_THAT(error, HasSubstr("expected a driver"));
}

TEST(JobsTest, ReadsNumbersInRange) {
  Jobs jobs;
  std::string error;
  EXPECT_TRUE(AbslParseFlag("3", &jobs, &error));
  EXPECT_EQ(jobs.OrProcessors(), 3u);
  EXPECT_EQ(AbslUnparseFlag(jobs), "3");
  for (const char* text : {"", "-1", "257", "two", "1.5"}) {
    EXPECT_FALSE(AbslParseFlag(text, &jobs, &error)) << text;
  }
}

TEST(JobsTest, NoneStandsForTheProcessors) {
  EXPECT_GE(Jobs().OrProcessors(), 1u);
  EXPECT_EQ(AbslUnparseFlag(Jobs()), "");
}

TEST(DeadlineTest, IsMoreThanNothing) {
  absl::SetFlag(&FLAGS_deadline, absl::Milliseconds(1500));
  EXPECT_EQ(DeadlineFlag().value(), absl::Milliseconds(1500));
  for (const absl::Duration deadline : {absl::ZeroDuration(), -absl::Seconds(1)}) {
    absl::SetFlag(&FLAGS_deadline, deadline);
    EXPECT_TRUE(absl::IsInvalidArgument(DeadlineFlag().status())) << deadline;
  }
}

TEST(MemorySizeTest, ReadsWhatItWrites) {
  const auto parse = [](const std::string& text) -> std::optional<uint64_t> {
    MemorySize size;
    std::string error;
    if (AbslParseFlag(text, &size, &error)) return size.bytes;
    EXPECT_NE(error.find("such as 512M or 8G"), error.npos) << error;
    return std::nullopt;
  };
  EXPECT_EQ(parse("1"), 1u);
  EXPECT_EQ(parse("3K"), 3u << 10);
  EXPECT_EQ(parse("512M"), 512u << 20);
  EXPECT_EQ(parse("8G"), uint64_t{8} << 30);
  EXPECT_EQ(parse(AbslUnparseFlag(MemorySize{uint64_t{8} << 30})), uint64_t{8} << 30);
  for (const char* const text : {"", "G", "0", "0M", "-1", "1.5G", "8g", "8GB", "99999999T"}) {
    EXPECT_EQ(parse(text), std::nullopt) << text;
  }
  EXPECT_EQ(AbslUnparseFlag(MemorySize{uint64_t{8} << 30}), "8G");
  EXPECT_EQ(AbslUnparseFlag(MemorySize{1025}), "1025");
  EXPECT_EQ(AbslUnparseFlag(MemorySize()), "");
}

}  // namespace
}  // namespace nncert
