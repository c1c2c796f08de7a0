// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/rerun_outcome.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace nncert {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

FlakyCase Pair() {
  return {.name = "GeneratedTests.tanh",
          .first = Verdict::FAIL,
          .alone = {0, 8},
          .after_others = {5, 6},
          .only_after = "GeneratedTests.floor",
          .file = "out/tanh.sequence.case",
          .command = "nncert run out/tanh.sequence.case"};
}

TEST(RerunOutcomeTest, OddsAreOfAllRunsThatOfAllCasesIncluded) {
  EXPECT_EQ(Pair().Total(), (RunTally{6, 15}));
  EXPECT_EQ(DescribeOdds(Pair()),
            "failed 6 of 15 runs: 0 of 8 alone in a new process, 5 of 6 after other cases, and in "
            "the run of all cases; only after GeneratedTests.floor");
  EXPECT_EQ(DescribeOdds({.name = "GeneratedTests.add", .alone = {3, 8}}),
            "failed 4 of 9 runs: 3 of 8 alone in a new process, and in the run of all cases");
}

TEST(RerunOutcomeTest, TheSummaryNamesTheCasesTheCommandsAndWhatWasNotRunAgain) {
  const RerunOutcome outcome = {
      .failing = 120, .again = 100, .limit = "20 were not run again", .flaky = {Pair()}};
  const std::string text = DescribeReruns(outcome);
  EXPECT_THAT(text, HasSubstr("run again: 100 of 120, of which 1 does not always fail"));
  EXPECT_THAT(text, HasSubstr("\n  20 were not run again\n"));
  EXPECT_THAT(text, HasSubstr("\n  GeneratedTests.tanh: failed 6 of 15 runs: "));
  EXPECT_THAT(text, HasSubstr("\n    nncert run out/tanh.sequence.case\n"));
  EXPECT_EQ(DescribeReruns({.failing = 3, .again = 3}), "");
}

TEST(RerunOutcomeTest, TheSummaryIsShortHoweverManyCasesThereAre) {
  RerunOutcome outcome = {.failing = 30, .again = 30};
  outcome.flaky.assign(30, Pair());
  EXPECT_THAT(DescribeReruns(outcome), HasSubstr("\n  and 20 more\n"));
}

TEST(RerunOutcomeTest, JsonHasTheOddsAndLeavesOutWhatIsNotKnown) {
  RerunOutcome outcome = {.failing = 4, .again = 4, .flaky = {Pair()}};
  outcome.flaky.push_back({.name = "GeneratedTests.\"add\"", .first = Verdict::CRASH});
  const Json json = Json::parse(RerunsToJson(outcome));
  EXPECT_EQ(json["failing"], 4);
  EXPECT_EQ(json["again"], 4);
  EXPECT_FALSE(json.contains("limit"));
  const Json& pair = json["flaky"][0];
  EXPECT_EQ(pair["case"], "GeneratedTests.tanh");
  EXPECT_EQ(pair["failed"], 6);
  EXPECT_EQ(pair["runs"], 15);
  EXPECT_EQ(pair["afterOthers"]["failed"], 5);
  EXPECT_EQ(pair["onlyAfter"], "GeneratedTests.floor");
  const Json& other = json["flaky"][1];
  EXPECT_EQ(other["case"], "GeneratedTests.\"add\"");
  EXPECT_EQ(other["first"], "CRASH");
  for (const char* const name : {"onlyAfter", "file", "command"}) {
    EXPECT_FALSE(other.contains(name)) << name;
  }
  EXPECT_EQ(Json::parse(RerunsToJson({.failing = 1}))["flaky"], Json::array());
}

}  // namespace
}  // namespace nncert
