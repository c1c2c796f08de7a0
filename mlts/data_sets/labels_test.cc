// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/labels.h"

#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using testing::HasSubstr;

using hal::testing::StatusIs;

std::string FileOf(const std::string& name, std::string_view text) {
  std::string path = ::testing::TempDir() + "/" + name;
  EXPECT_TRUE(WriteWholeFile(path, text).ok());
  return path;
}

TEST(ClassNamesTest, LineIsTheClass) {
  const auto names =
      ClassNames::Read(FileOf("labels.txt", "background\ntench\ngreat white shark\n"));
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(*names->ClassOf("background"), 0);
  EXPECT_EQ(*names->ClassOf("great white shark"), 2);
  EXPECT_EQ(names->repeated(), 0);
}

TEST(ClassNamesTest, LastOfEqualLinesCounts) {
  const auto names = ClassNames::Read(FileOf("cranes.txt", "crane\nheron\ncrane\n"));
  ASSERT_TRUE(names.ok()) << names.status();
  EXPECT_EQ(*names->ClassOf("crane"), 2);
  EXPECT_EQ(names->repeated(), 1);
}

TEST(ClassNamesTest, UnknownTextIsTold) {
  const std::string path = FileOf("few.txt", "tench\n");
  EXPECT_THAT(ClassNames::Read(path)->ClassOf("0"),
              StatusIs(absl::StatusCode::kInvalidArgument, "\"0\" is no line of " + path));
}

TEST(ClassNamesTest, WithoutTextsClassesAreNumbers) {
  EXPECT_EQ(*ClassNames().ClassOf("17"), 17);
  EXPECT_THAT(ClassNames().ClassOf("tench"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"tench\" is no number")));
}

TEST(ClassNamesTest, FileWithoutClassesIsRefused) {
  const std::string path = FileOf("none.txt", "");
  EXPECT_THAT(ClassNames::Read(path),
              StatusIs(absl::StatusCode::kInvalidArgument, path + ": has no classes"));
}

TEST(LabelsTest, WholeNumbersAreOfDigits) {
  EXPECT_EQ(WholeNumber("0"), 0);
  EXPECT_EQ(WholeNumber("007"), 7);
  EXPECT_EQ(WholeNumber("4294967295"), 4294967295);
  for (const char* const text :
       {"", "-1", "+1", "1.", " 1", "4294967296", "99999999999999999999"}) {
    EXPECT_EQ(WholeNumber(text), std::nullopt) << text;
  }
}

TEST(LabelsTest, NumberEndsTheName) {
  EXPECT_EQ(NumberInName("2/image-17.jpeg"), 17);
  EXPECT_EQ(NumberInName("sample7.png"), 7);
  EXPECT_EQ(NumberInName("12.png"), 12);
  EXPECT_EQ(NumberInName("7up.png"), std::nullopt);
  EXPECT_EQ(NumberInName("cup.png"), std::nullopt);
}

TEST(LabelsTest, ImagesHaveTheirExtensions) {
  EXPECT_TRUE(IsImageName("a/b.jpeg", false));
  EXPECT_TRUE(IsImageName("B.JPG", false));
  EXPECT_FALSE(IsImageName("b.png", false));
  EXPECT_TRUE(IsImageName("b.Png", true));
  EXPECT_FALSE(IsImageName("jpeg", true));
}

}  // namespace
}  // namespace nncert
