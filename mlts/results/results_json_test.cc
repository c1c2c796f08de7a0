// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/results/results_json.h"

#include <cmath>
#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlts/results/testing/sample_results.h"
#include "system/subprocess.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// The sample as JSON, with one piece of text replaced, which must be there.
std::string Changed(const std::string& from, const std::string& to) {
  const std::string json = MltsResultsToJson(SampleResults());
  const size_t position = json.find(from);
  EXPECT_NE(position, std::string::npos) << from;
  std::string changed = json;
  changed.replace(position, from.size(), to);
  return changed;
}

std::string ErrorOf(const std::string& json) {
  const absl::StatusOr<MltsResults> results = MltsResultsFromJson(json);
  EXPECT_FALSE(results.ok());
  return std::string(results.status().message());
}

TEST(ResultsJsonTest, IsReadBackAsItWas) {
  const std::string json = MltsResultsToJson(SampleResults());
  const absl::StatusOr<MltsResults> results = MltsResultsFromJson(json);
  ASSERT_TRUE(results.ok()) << results.status();
  // Every member is written, each number as it is, so what writes the same is the same.
  EXPECT_EQ(MltsResultsToJson(*results), json);
  const MltsResults sample = SampleResults();
  ASSERT_EQ(results->benchmarks.size(), sample.benchmarks.size());
  EXPECT_EQ(results->benchmarks[1].latency[2].wall.quantiles,
            sample.benchmarks[1].latency[2].wall.quantiles);
  EXPECT_EQ(results->benchmarks[1].comparison->maximum_steps, 37);
  EXPECT_EQ(results->benchmarks[6].status, BenchmarkResult::Status::FAILED);
  EXPECT_EQ(results->stress[1].status, StressResult::Status::CRASH);
  EXPECT_EQ(results->benchmarks[0].accuracy[0].phone_error_rate, std::nullopt);
  EXPECT_TRUE(results->is_complete);
}

TEST(ResultsJsonTest, HostileStringsAreUtf8AndWhatIsNoNumberIsNull) {
  const std::string json = MltsResultsToJson(HostileResults());
  const absl::StatusOr<MltsResults> results = MltsResultsFromJson(json);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_THAT(json, HasSubstr("\"seconds\": null"));
  EXPECT_TRUE(std::isnan(results->seconds));
  EXPECT_TRUE(std::isnan(results->benchmarks[0].latency[0].wall.maximum));
  EXPECT_THAT(results->driver_version, StartsWith("\xEF\xBF\xBD\xEF\xBF\xBD("));
  EXPECT_EQ(results->driver, HostileResults().driver);
  EXPECT_EQ(MltsResultsToJson(*results), json);
}

TEST(ResultsJsonTest, WhatHasOnlyScalarsIsOnOneLine) {
  EXPECT_THAT(MltsResultsToJson(SampleResults()),
              HasSubstr("\n        \"threads\": {\"value\": 0.0, \"low\": 0.0, \"high\": 0.0}\n"));
}

TEST(ResultsJsonTest, ErrorsNameTheMember) {
  EXPECT_EQ(ErrorOf(Changed("\"driver\": \"acme_npu\",", "\"driver\": 7,")),
            "driver: a string was expected, not 7");
  EXPECT_EQ(ErrorOf(Changed("\"operations\": 31", "\"operations\": -31")),
            "benchmarks[0].operations: a whole number from 0 to 18446744073709551615 was expected, "
            "not -31");
  EXPECT_EQ(ErrorOf(Changed("\"operations\": 31", "\"operations\": 31.5")),
            "benchmarks[0].operations: a whole number from 0 to 18446744073709551615 was expected, "
            "not 31.5");
  EXPECT_EQ(ErrorOf(Changed("\"status\": \"RUN\"", "\"status\": \"RAN\"")),
            "benchmarks[0].status: one of RUN, UNSUPPORTED, FAILED, UNREADABLE was expected, not "
            "\"RAN\"");
  EXPECT_EQ(ErrorOf(Changed("\"isComplete\": true", "\"isComplete\": 1")),
            "isComplete: true or false was expected, not 1");
  EXPECT_EQ(
      ErrorOf(Changed("\"threads\": 8,", "\"threads\": 4294967296,")),
      "benchmarks[0].throughput[3].threads: a whole number from 0 to 4294967295 was expected, "
      "not 4294967296");
  EXPECT_EQ(ErrorOf(Changed("\"claimed\": 0.42", "\"claimed\": {}")),
            "claims[0].claimed: a number was expected, not an object");
}

TEST(ResultsJsonTest, NothingIsPassedOver) {
  EXPECT_EQ(ErrorOf(Changed("\"baseline\": \"reference\",\n  \"machine\"", "\"machine\"")),
            "baseline: missing");
  EXPECT_EQ(ErrorOf(Changed("\"name\": \"inference-stress\"",
                            "\"name\": \"inference-stress\", \"weather\": \"fine\"")),
            "stress[0].\"weather\": no such member is known");
  EXPECT_EQ(ErrorOf(Changed("\"rounds\": 7", "\"rounds\": 7, \"rounds\": 8")),
            "the member \"rounds\" is given twice in one object");
  EXPECT_THAT(ErrorOf(MltsResultsToJson(SampleResults()) + "{}"), StartsWith("not JSON: "));
}

TEST(ResultsJsonTest, AnotherFormIsAnError) {
  EXPECT_EQ(ErrorOf("{\"format\": 1, \"whatever\": []}"),
            "format: 1 is not known; this nncert reads form 2");
  EXPECT_EQ(ErrorOf("{\"format\": \"1\"}"), "format: \"1\" is not known; this nncert reads form 2");
  EXPECT_EQ(ErrorOf("{}"), "format: missing");
  EXPECT_EQ(ErrorOf("[]"), "the whole: an object was expected, not an array");
}

TEST(ResultsJsonTest, EveryTruncationIsAnError) {
  const std::string json = MltsResultsToJson(SampleResults());
  for (size_t length = 0; length + 1 < json.size(); length += 19997) {
    EXPECT_FALSE(MltsResultsFromJson(json.substr(0, length)).ok()) << length;
  }
  EXPECT_FALSE(MltsResultsFromJson(std::string(1 << 20, '[')).ok());
  EXPECT_FALSE(MltsResultsFromJson("{\"seconds\": 1e999}").ok());
  EXPECT_FALSE(MltsResultsFromJson("{\"driver\": \"\xFF\"}").ok());
}

TEST(ReadResultsTest, TakesAFileAndItsFolder) {
  const absl::StatusOr<TemporaryFolder> folder = TemporaryFolder::Create();
  ASSERT_TRUE(folder.ok()) << folder.status();
  const std::string file = absl::StrCat(folder->path(), "/results.json");
  EXPECT_EQ(ReadResults(folder->path()).status(),
            absl::NotFoundError(absl::StrCat(file, ": there is no such file")));
  std::ofstream(file) << MltsResultsToJson(SampleResults());
  for (const std::string& path : {folder->path(), file}) {
    const absl::StatusOr<MltsResults> results = ReadResults(path);
    ASSERT_TRUE(results.ok()) << results.status();
    EXPECT_EQ(results->driver, "acme_npu");
  }
  std::ofstream(file) << "{}";
  EXPECT_EQ(ReadResults(file).status().message(), absl::StrCat(file, ": format: missing"));
}

}  // namespace
}  // namespace nncert
