// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What becomes of the suites of calls that come together when the driver, in a process of its own,
// does not survive them: its check fails by CRASH or TIMEOUT, and the suite goes on.

#include <string>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "certifying/driver_names.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal_tests/check.h"
#include "hal_tests/suite_run.h"
#include "hal_tests/testing/witness_cases.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// For one call; what hangs costs it.
constexpr absl::Duration kDeadline = absl::Seconds(5);

SuiteResult RunOn(const std::string& driver, std::string_view suite_name) {
  const auto named = FindDriver(driver);
  EXPECT_TRUE(named.ok()) << named.status();
  auto opened = OpenDriver(*named, Isolation::kUnpinned, kDeadline);
  EXPECT_TRUE(opened.ok()) << opened.status();
  const hal::HalVersion version = opened->session().hal_version();
  const auto workers = opened->MakeWorkers(1, kDeadline);
  EXPECT_TRUE(workers.ok()) << workers.status();
  const std::vector<LoadedCase> cases = WitnessCases();
  // As many as it takes for different models.
  std::vector<CaseInMode> in_modes;
  for (size_t i = 0; i < 3; ++i) in_modes.push_back({&cases[i], TestMode::kStatic});
  const Suite& suite = *FindSuite(suite_name);
  return RunSuite(*workers, suite, suite.make_tests(in_modes, version), {.deadline = kDeadline});
}

void ExpectFailure(const SuiteResult& result, std::string_view check, Verdict verdict,
                   const std::string& message) {
  for (const auto& [name, count] : result.checks) {
    EXPECT_EQ(count.failed > 0, name == check) << name;
    EXPECT_TRUE(count.passed > 0 || name == check) << name;
  }
  const auto failed = result.failures.find(check);
  ASSERT_NE(failed, result.failures.end());
  EXPECT_EQ(failed->second.first.verdict, verdict) << failed->second.first.detail;
  EXPECT_THAT(failed->second.first.detail, HasSubstr(message));
  EXPECT_EQ(result.lost, "");
}

TEST(IsolatedSuitesTest, AReleaseThatCrashesIsACrashOfItsStep) {
  ExpectFailure(RunOn("faulty:release_while_executing_crashes", "concurrency"),
                "releaseWhileExecutingTest", Verdict::CRASH,
                "the prepared model was released after 4 launches");
}

TEST(IsolatedSuitesTest, PreparationsThatDeadlockAreATimeoutOfTheirStep) {
  ExpectFailure(RunOn("faulty:preparations_deadlock", "concurrency"), "prepareInThreadsTest",
                Verdict::TIMEOUT, "4 threads prepared a model each");
}

// Crashes while a shorter sequence is looked for cost processes, and no verdicts.
TEST(IsolatedSuitesTest, ASequenceThatCrashesIsMadeShort) {
  const SuiteResult result = RunOn("faulty:release_crashes_other", "lifecycle");
  const auto failed = result.failures.find("executeInSequenceTest");
  ASSERT_NE(failed, result.failures.end());
  EXPECT_EQ(result.failures.size(), 1u);
  const std::string& detail = failed->second.first.detail;
  EXPECT_EQ(failed->second.first.verdict, Verdict::CRASH) << detail;
  // Two preparations, a release and an execution.
  EXPECT_THAT(detail, AllOf(HasSubstr("prepareModel, "), HasSubstr("release of ")));
  EXPECT_EQ(result.run, result.planned);
}

TEST(IsolatedSuitesTest, AGoodDriverPasses) {
  for (const std::string_view suite : {"concurrency", "lifecycle"}) {
    for (const char* driver : {"sample", "sample:1.0", "sample:1.1"}) {
      const SuiteResult result = RunOn(driver, suite);
      EXPECT_EQ(result.counts.size(), 1u) << driver;
      EXPECT_EQ(result.counts.count(Verdict::PASS), 1u) << driver;
    }
  }
}

}  // namespace
}  // namespace nncert
