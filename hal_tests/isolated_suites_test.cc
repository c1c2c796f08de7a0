// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What becomes of the suites of calls that come together when the driver, in a process of its own,
// does not survive them: its check fails by CRASH or TIMEOUT, and the suite goes on.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/driver_names.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal_tests/check.h"
#include "hal_tests/suite_run.h"
#include "hal_tests/testing/witness_cases.h"
#include "harness/testing/misbehaving.h"

namespace nncert {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// For one call; what hangs costs it.
constexpr absl::Duration kDeadline = absl::Seconds(5);

// How a suite is run.
struct Run {
  Isolation isolation = Isolation::kUnpinned;
  absl::Duration deadline = kDeadline;
  // Of which witness cases: as many as it takes for different models.
  size_t first_case = 0;
  size_t cases = 3;
};

SuiteResult RunOn(const std::string& driver, std::string_view suite_name, const Run& run = {}) {
  const auto named = FindDriver(driver);
  EXPECT_TRUE(named.ok()) << named.status();
  auto opened = OpenDriver(*named, run.isolation, run.deadline);
  EXPECT_TRUE(opened.ok()) << opened.status();
  const hal::HalVersion version = opened->session().hal_version();
  const auto workers = opened->MakeWorkers(1, run.deadline);
  EXPECT_TRUE(workers.ok()) << workers.status();
  const std::vector<LoadedCase> cases = WitnessCases();
  std::vector<CaseInMode> in_modes;
  for (size_t i = 0; i < run.cases; ++i) {
    in_modes.push_back({&cases[run.first_case + i], TestMode::kStatic});
  }
  const Suite& suite = *FindSuite(suite_name);
  return RunSuite(*workers, suite, suite.make_tests(in_modes, version), {.deadline = run.deadline});
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

// In this process mutants are sent one by one, and to another many at a time.
void ExpectTheSameAtOnce(std::string_view suite, absl::Span<const char* const> drivers) {
  for (const char* driver : drivers) {
    SCOPED_TRACE(driver);
    const SuiteResult one_by_one =
        RunOn(driver, suite, {.isolation = Isolation::kInProcessUnpinned});
    const SuiteResult at_once = RunOn(driver, suite);
    EXPECT_EQ(at_once.counts, one_by_one.counts);
    EXPECT_EQ(at_once.checks, one_by_one.checks);
    EXPECT_EQ(at_once.failures.size(), one_by_one.failures.size());
    for (const auto& [check, failed] : one_by_one.failures) {
      const auto same = at_once.failures.find(check);
      ASSERT_NE(same, at_once.failures.end()) << check;
      EXPECT_EQ(same->second.first.name, failed.first.name);
      EXPECT_EQ(same->second.first.detail, failed.first.detail);
    }
  }
}

TEST(IsolatedSuitesTest, ModelsAtOnceComeToWhatTheyComeToOneByOne) {
  ExpectTheSameAtOnce(
      "validate_model",
      {"sample", "sample:1.0", "sample:1.1", "faulty:any_scale", "faulty:any_preference",
       "faulty:inputs_twice", "faulty:cycles", "faulty:any_extra_params", "faulty:any_constraint",
       "faulty:prepare_returns_another_status"});
}

TEST(IsolatedSuitesTest, RequestsAtOnceComeToWhatTheyComeToOneByOne) {
  ExpectTheSameAtOnce(
      "validate_request",
      {"sample", "sample:1.0", "sample:1.1", "faulty:request_without_input",
       "faulty:request_any_location", "faulty:request_any_rank", "faulty:request_overlap",
       "faulty:request_any_pool", "faulty:request_never_again", "faulty:invalid_request_fails"});
}

// A model of two operations, as nearly every mutant of it is, is what this driver does not survive.
TEST(IsolatedSuitesTest, AMutantThatIsNotSurvivedIsFoundOneByOne) {
  for (const auto& [kind, verdict] :
       {std::pair("prepare_crash", Verdict::CRASH), std::pair("prepare_hang", Verdict::TIMEOUT)}) {
    const SuiteResult result = RunOn(absl::StrCat(MisbehavingDriver(), ":", kind), "validate_model",
                                     {.deadline = absl::Seconds(1), .first_case = 2, .cases = 1});
    EXPECT_EQ(result.run, result.planned);
    const auto failed = result.failures.find("mutateOperandTypeTest");
    ASSERT_NE(failed, result.failures.end()) << kind;
    EXPECT_EQ(failed->second.first.verdict, verdict);
    EXPECT_THAT(
        failed->second.first.detail,
        StartsWith("mutateOperandTypeTest: operand 0 (input 0 of operation 0, ADD): type "));
    EXPECT_THAT(failed->second.first.detail, HasSubstr("prepareModel"));
    EXPECT_EQ(result.processes.findings, std::vector<std::string>());
  }
}

TEST(IsolatedSuitesTest, AGoodDriverPasses) {
  for (const std::string_view suite : {"concurrency", "lifecycle", "validate_model"}) {
    for (const char* driver : {"sample", "sample:1.0", "sample:1.1"}) {
      const SuiteResult result = RunOn(driver, suite);
      EXPECT_EQ(result.counts.size(), 1u) << driver;
      EXPECT_EQ(result.counts.count(Verdict::PASS), 1u) << driver;
    }
  }
}

}  // namespace
}  // namespace nncert
