// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/subprocess.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

TEST(RunProcess, GivesStatusAndBothStreams) {
  const absl::StatusOr<ProcessResult> result =
      RunProcess({"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->exit_status, 3);
  EXPECT_EQ(result->output, "out\n");
  EXPECT_EQ(result->errors, "err\n");
}

TEST(RunProcess, DoesNotStopAtFullPipes) {
  const absl::StatusOr<ProcessResult> result =
      RunProcess({"/bin/sh", "-c", "head -c 300000 /dev/zero >&2; head -c 400000 /dev/zero"});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->output.size(), 400000U);
  EXPECT_EQ(result->errors.size(), 300000U);
}

TEST(RunProcess, ArgumentsArePassedAsTheyAre) {
  const absl::StatusOr<ProcessResult> result =
      RunProcess({"printf", "%s|", "a b", "$HOME", "", "'\""});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->output, "a b|$HOME||'\"|");
}

TEST(RunProcess, StopsAProgramThatIsNotWaitedForAnyLonger) {
  int asked = 0;
  const auto result = RunProcess({"sleep", "600"}, [&asked] { return ++asked == 3; });
  EXPECT_TRUE(absl::IsCancelled(result.status())) << result.status();
  EXPECT_EQ(asked, 3);
}

TEST(RunProcess, AsksAndDoesNotStop) {
  EXPECT_EQ(RunProcess({"echo", "out"}, [] { return false; })->output, "out\n");
}

TEST(RunProcess, VariablesAreInsteadOfOurs) {
  const absl::StatusOr<ProcessResult> result =
      RunProcess({"/bin/sh", "-c", "echo \"$HOME|$NEW|$PATH\"; env | grep -c ^HOME="}, nullptr,
                 {"HOME=/nowhere", "NEW=a=b"});
  EXPECT_EQ(result->output, absl::StrCat("/nowhere|a=b|", std::getenv("PATH"), "\n1\n"));
}

TEST(RunProcess, HasNothingToRead) { EXPECT_EQ(RunProcess({"cat"})->output, ""); }

TEST(RunProcess, SignalsAreStatusesFrom128On) {
  EXPECT_EQ(RunProcess({"/bin/sh", "-c", "kill -TERM $$"})->exit_status, 128 + 15);
}

TEST(RunProcess, AProgramThatDoesNotExistIsAnError) {
  EXPECT_THAT(RunProcess({"/no/such/program"}),
              hal::testing::StatusIs(absl::StatusCode::kNotFound,
                                     ::testing::HasSubstr("cannot run /no/such/program: ")));
}

TEST(TemporaryFolder, GoesWithEverythingInIt) {
  std::string path;
  {
    absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
    ASSERT_TRUE(folder.ok()) << folder.status();
    path = folder->path();
    std::filesystem::create_directories(path + "/a/b");
    std::ofstream(path + "/a/b/file") << "text";
    const TemporaryFolder moved = *std::move(folder);
    EXPECT_EQ(moved.path(), path);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, EveryOneIsNew) {
  EXPECT_NE(TemporaryFolder::Create()->path(), TemporaryFolder::Create()->path());
}

}  // namespace
}  // namespace nncert
