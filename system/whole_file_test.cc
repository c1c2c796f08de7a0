// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/whole_file.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

std::string ContentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

TEST(WholeFileTest, IsReplacedAsAWhole) {
  const std::string folder = absl::StrCat(::testing::TempDir(), "/whole");
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/file";
  ASSERT_TRUE(WriteWholeFile(path, std::string_view("first")).ok());
  ASSERT_TRUE(WriteWholeFile(path, std::string_view("2nd\0!", 5)).ok());
  EXPECT_EQ(ContentOf(path), std::string("2nd\0!", 5));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  // In the way of what is to become the file, whatever its number.
  for (int number = 1; number < 10; ++number) {
    std::filesystem::create_directories(
        absl::StrCat(path, ".", getpid(), ".", number, std::string(kPartialSuffix), "/x"));
  }
  const absl::Status status = WriteWholeFile(path, std::string_view("third"));
  EXPECT_THAT(std::string(status.message()), HasSubstr(path));
  EXPECT_EQ(ContentOf(path), std::string("2nd\0!", 5));
}

TEST(WholeFileTest, WhatIsNoFileIsWrittenTo) {
  EXPECT_TRUE(WriteWholeFile("/dev/null", std::string_view("x")).ok());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(WriteWholeFile("/dev/full", std::string_view("x")).ToString(),
              HasSubstr("/dev/full: cannot write the file: No space left on device"));
}

}  // namespace
}  // namespace nncert
