// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/runfiles.h"

#include <filesystem>
#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

TEST(RunfilesTest, FindsADataFileByItsPathInTheWorkspace) {
  const absl::StatusOr<std::string> path = FindRunfile("system/runfiles.h");
  ASSERT_TRUE(path.ok()) << path.status();
  EXPECT_TRUE(std::filesystem::path(*path).is_absolute()) << *path;
  EXPECT_TRUE(std::filesystem::is_regular_file(*path)) << *path;
}

TEST(RunfilesTest, SaysWhatIsMissing) {
  const absl::Status status = FindRunfile("tools/no_such_file").status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_NE(status.message().find("tools/no_such_file"), status.message().npos) << status;
}

}  // namespace
}  // namespace nncert
