// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/file_content.h"

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using hal::testing::StatusIs;

// The path of a file of these bytes.
std::string FileOf(const std::string& name, std::string_view text) {
  std::string path = ::testing::TempDir() + "/" + name;
  EXPECT_TRUE(WriteWholeFile(path, text).ok());
  return path;
}

TEST(FileContentTest, BytesAreRead) {
  const auto bytes = ReadFileBytes(FileOf("bytes", std::string_view("a\0b", 3)));
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_THAT(*bytes, ElementsAre('a', 0, 'b'));
}

TEST(FileContentTest, EmptyFileIsEmpty) {
  const std::string path = FileOf("empty", "");
  EXPECT_THAT(*ReadFileBytes(path), IsEmpty());
  EXPECT_THAT(*ReadFileLines(path), IsEmpty());
}

TEST(FileContentTest, LinesEndInEitherWay) {
  EXPECT_THAT(*ReadFileLines(FileOf("lines", "one\ntwo\r\n\nfour")),
              ElementsAre("one", "two", "", "four"));
  EXPECT_THAT(*ReadFileLines(FileOf("ended", "one\n")), ElementsAre("one"));
}

TEST(FileContentTest, WhatIsNotThereIsNotFound) {
  const std::string path = ::testing::TempDir() + "/nothing";
  EXPECT_THAT(ReadFileBytes(path),
              StatusIs(absl::StatusCode::kNotFound, absl::StrCat(path, ": there is no such file")));
  EXPECT_THAT(ReadFileLines(path), StatusIs(absl::StatusCode::kNotFound, testing::_));
  EXPECT_THAT(ListFolder(path), StatusIs(absl::StatusCode::kNotFound,
                                         absl::StrCat(path, ": there is no such folder")));
}

TEST(FileContentTest, FolderIsNoFile) {
  EXPECT_THAT(ReadFileBytes(::testing::TempDir()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       absl::StrCat(::testing::TempDir(), ": is no regular file")));
}

TEST(FileContentTest, FileTooLongIsNotRead) {
  const std::string path = FileOf("long", "");
  // A hole: it takes no room.
  std::filesystem::resize_file(path, kMostFileBytes + 1);
  EXPECT_THAT(ReadFileBytes(path),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       absl::StrCat(path, ": has 1073741825 bytes; at most 1073741824 are read")));
  std::filesystem::remove(path);
}

TEST(FileContentTest, FoldersAreListedInOrder) {
  const std::string folder = ::testing::TempDir() + "/listed";
  std::filesystem::create_directories(folder + "/c");
  FileOf("listed/b", "");
  FileOf("listed/a", "");
  const auto files = ListFolder(folder);
  ASSERT_TRUE(files.ok()) << files.status();
  EXPECT_THAT(*files, ElementsAre(folder + "/a", folder + "/b", folder + "/c"));
}

}  // namespace
}  // namespace nncert
