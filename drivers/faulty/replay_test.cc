// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the harness makes of each rule, a GoogleTest source of the case makes of it as well.

#include "hal/replay/replay.h"

#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cases/testing/replay_case.h"
#include "drivers/faulty/faulty_driver.h"
#include "drivers/faulty/kill_run.h"
#include "drivers/faulty/readme.h"
#include "drivers/faulty/rules/rule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "harness/judging/acceptance.h"
#include "harness/judging/case_completion.h"
#include "harness/judging/oracle.h"
#include "reference/driver/driver.h"

namespace nncert::faulty {
namespace {

using hal::replay::Case;
using hal::replay::OutputDimensions;
using hal::replay::Replay;

// What is beyond a source that is loaded and run by the process that the driver is in: what a rule
// breaks before there is a model, in calls that no case needs, and after a prepared model has gone.
const std::set<std::string>& RulesBeyondReplay() {
  static const auto* const rules =
      new std::set<std::string>{"capabilities_fail", "execute_callback_again_at_release",
                                "prepare_callback_again_at_release"};
  return *rules;
}

// The case that a source of a test replays; nothing where its outputs are samples, of which there
// is no source.
std::optional<Case> SourceOf(const faulty::Test& test) {
  TestCase complete = CaseToComplete(*test.test_case);
  Oracle oracle(*test.test_case);
  const absl::Status status = CompleteCase(complete, oracle);
  EXPECT_TRUE(status.ok()) << status;
  const auto accepted = AcceptedAnswersOf(complete, oracle);
  if (accepted.ok()) return ReplayCaseOf(complete, *accepted);
  EXPECT_THAT(accepted, hal::testing::StatusIs(absl::StatusCode::kUnimplemented,
                                               ::testing::HasSubstr("RANDOM_MULTINOMIAL")));
  return std::nullopt;
}

absl::StatusCode CodeOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::FAIL:
      return absl::StatusCode::kInternal;
    case Verdict::BROKEN_PROMISE:
      return absl::StatusCode::kFailedPrecondition;
    default:
      return absl::StatusCode::kOk;
  }
}

TEST(ReplayTest, GivesTheVerdictOfEveryRuleThatLetsTheProcessLive) {
  const absl::StatusOr<std::vector<faulty::Test>> tests = LoadTests({"spec_tests/specs"});
  ASSERT_TRUE(tests.ok()) << tests.status();
  std::map<std::string, const faulty::Test*> by_name;
  for (const faulty::Test& test : *tests) by_name[test.name] = &test;
  std::stringstream readme;
  readme << std::ifstream("drivers/faulty/README.md").rdbuf();
  const absl::StatusOr<std::vector<Kill>> kills = ReadKills(readme.str());
  ASSERT_TRUE(kills.ok()) << kills.status();
  int replayed = 0;
  for (const Kill& kill : *kills) {
    const Rule* const rule = FindRule(kill.fault);
    ASSERT_NE(rule, nullptr) << kill.fault;
    // What takes the deadline is for hal/replay/replay_test.
    if (EndsProcess(*rule) || kill.verdict == Verdict::TIMEOUT ||
        RulesBeyondReplay().count(kill.fault) > 0) {
      continue;
    }
    const faulty::Test& test = *by_name.at(kill.witness);
    const std::optional<Case> source = SourceOf(test);
    if (!source.has_value()) continue;
    const auto dimensions =
        test.mode == TestMode::kStatic ? OutputDimensions::kKnown : OutputDimensions::kUnknown;
    const auto driver = MakeFaultyDriver(kill.fault);
    ASSERT_TRUE(driver.ok()) << driver.status();
    const absl::Status status = Replay(*driver, *source, dimensions);
    EXPECT_EQ(status.code(), CodeOf(kill.verdict))
        << kill.fault << " on " << test.name << ": " << status;
    const absl::Status healthy = Replay(MakeReferenceDriver(), *source, dimensions);
    EXPECT_TRUE(healthy.ok()) << test.name << ": " << healthy;
    ++replayed;
  }
  EXPECT_GT(replayed, 150);
}

}  // namespace
}  // namespace nncert::faulty
