// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "drivers/faulty/faulty_driver.h"
#include "random_graph/campaign_report.h"
#include "reference/driver.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A campaign on a driver in this process.
CampaignResult RunOn(std::shared_ptr<hal::V1_0::IDevice> device, const CampaignOptions& options,
                     size_t jobs = 1) {
  const auto session = DriverSession::FromDevice(std::move(device), "driver");
  EXPECT_TRUE(session.ok()) << session.status();
  const auto workers = WorkersInProcess(**session, jobs);
  EXPECT_TRUE(workers.ok()) << workers.status();
  return RunCampaign(*workers, options);
}

CampaignOptions Of(uint64_t graphs) {
  CampaignOptions options;
  options.seed = 7;
  options.graphs = graphs;
  return options;
}

TEST(CampaignTest, FindsNothingWrongWithTheReference) {
  const CampaignResult result = RunOn(MakeReferenceDriver(), Of(3000), /*jobs=*/2);
  EXPECT_EQ(result.graphs, 3000);
  EXPECT_THAT(result.failures, IsEmpty());
  for (const Finding& finding : result.findings) {
    EXPECT_EQ(finding.kind, FindingKind::UNDIVIDED) << finding;
  }
  EXPECT_FALSE(result.is_interrupted);
  EXPECT_EQ(result.counts.count(Verdict::UNSUPPORTED), 0);
  EXPECT_EQ(result.counts.count(Verdict::VACUOUS), 0);
}

// Every failure is made as small as one operation, the one that errs.
TEST(CampaignTest, NamesTheOperationAndMakesItSmall) {
  const auto driver = faulty::MakeFaultyDriver("bias_dropped@operation=CONV_2D");
  ASSERT_TRUE(driver.ok()) << driver.status();
  const CampaignResult result = RunOn(*driver, Of(1500));
  ASSERT_THAT(result.failures, Not(IsEmpty()));
  EXPECT_THAT(result.failures, Each(Field(&GraphFailure::operation, "CONV_2D")));
  EXPECT_THAT(result.failures, Each(Field(&GraphFailure::operations, 1)));
  EXPECT_THAT(Summarize(result),
              AllOf(HasSubstr("FAIL CONV_2D TENSOR_FLOAT32: "), HasSubstr("1 operation\n")));
  EXPECT_THAT(CampaignToJson(result),
              AllOf(HasSubstr("{\n  \"graphs\": 1500,\n  \"counts\": {\"PASS\": "),
                    HasSubstr("{\"operation\": \"CONV_2D\", \"type\": \"TENSOR_FLOAT32\", "
                              "\"verdict\": \"FAIL\", \"count\": ")));
}

TEST(CampaignTest, ComesToTheSameForTheSameSeed) {
  std::vector<std::vector<uint64_t>> numbers;
  for (int i = 0; i < 2; ++i) {
    const auto driver = faulty::MakeFaultyDriver("first_element@operation=MUL");
    ASSERT_TRUE(driver.ok()) << driver.status();
    const CampaignResult result = RunOn(*driver, Of(1500));
    numbers.emplace_back();
    for (const GraphFailure& failure : result.failures) {
      EXPECT_EQ(failure.operation, "MUL");
      numbers.back().push_back(failure.number);
      numbers.back().push_back(failure.count);
    }
  }
  EXPECT_THAT(numbers[0], Not(IsEmpty()));
  EXPECT_EQ(numbers[0], numbers[1]);
}

TEST(CampaignTest, StopsWhenItIsToldTo) {
  std::atomic<int> asked = 0;
  CampaignOptions options = Of(1000);
  options.should_stop = [&asked] { return ++asked > 10; };
  const CampaignResult result = RunOn(MakeReferenceDriver(), options);
  EXPECT_EQ(result.graphs, 10);
  EXPECT_TRUE(result.is_interrupted);
  EXPECT_THAT(CampaignToJson(result), HasSubstr("\"interrupted\": true"));
}

TEST(CampaignTest, RunsTheGraphsThatAreAskedFor) {
  CampaignOptions options = Of(5);
  options.first = 100;
  EXPECT_EQ(RunOn(MakeReferenceDriver(), options).graphs, 5);
  options.time = absl::ZeroDuration();
  EXPECT_EQ(RunOn(MakeReferenceDriver(), options).graphs, 0);
}

}  // namespace
}  // namespace nncert
