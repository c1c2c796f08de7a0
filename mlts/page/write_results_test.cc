// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/page/write_results.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlts/results/results_json.h"
#include "mlts/results/testing/sample_results.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ContentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

TEST(WriteResultsTest, WritesThreeFilesIntoANewFolder) {
  const absl::StatusOr<TemporaryFolder> temporary = TemporaryFolder::Create();
  ASSERT_TRUE(temporary.ok()) << temporary.status();
  const std::string folder = absl::StrCat(temporary->path(), "/new/folder");
  // Twice: what is there is replaced.
  ASSERT_EQ(WriteResults(HostileResults(), folder), absl::OkStatus());
  ASSERT_EQ(WriteResults(SampleResults(), folder), absl::OkStatus());
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  EXPECT_THAT(names, ElementsAre("report.html", "results.csv", "results.json"));
  const absl::StatusOr<MltsResults> results = ReadResults(folder);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->benchmarks.size(), SampleResults().benchmarks.size());
  EXPECT_THAT(ContentOf(folder + "/results.csv"), StartsWith("section,benchmark,driver,"));
  const std::string page = ContentOf(folder + "/report.html");
  EXPECT_THAT(page, StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("<title>acme_npu: real networks on real data</title>"));
}

TEST(WriteResultsTest, TheSameResultsGiveTheSameBytes) {
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string first = folder->path() + "/first";
  const std::string second = folder->path() + "/second";
  ASSERT_EQ(WriteResults(SampleResults(), first), absl::OkStatus());
  ASSERT_EQ(WriteResults(SampleResults(), second), absl::OkStatus());
  for (const char* name : {"/results.json", "/results.csv", "/report.html"}) {
    EXPECT_EQ(ContentOf(first + name), ContentOf(second + name)) << name;
  }
}

TEST(WriteResultsTest, TheErrorNamesTheFolder) {
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string file = folder->path() + "/file";
  std::ofstream(file) << "no folder";
  const absl::Status status = WriteResults(SampleResults(), file + "/results");
  EXPECT_THAT(std::string(status.message()), StartsWith(file + "/results: "));
}

TEST(WriteResultsTest, RunsWithoutAnythingHaveAPage) {
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  ASSERT_EQ(WriteResults(MltsResults(), folder->path()), absl::OkStatus());
  const std::string page = ContentOf(folder->path() + "/report.html");
  EXPECT_THAT(page, HasSubstr("No benchmark was run."));
  EXPECT_THAT(page, HasSubstr("This run did not come to its end"));
}

}  // namespace
}  // namespace nncert
