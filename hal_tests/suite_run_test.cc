// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suite_run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_worker.h"
#include "harness/isolation/driver_session.h"
#include "reference/driver/driver.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

// A test whose steps come to these verdicts; from one on they are of another check.
class ScriptedTest : public SuiteTest {
 public:
  explicit ScriptedTest(std::vector<Verdict> verdicts, size_t first_other = SIZE_MAX)
      : verdicts_(std::move(verdicts)), first_other_(first_other) {}

  std::string fixture() const override { return "Scripted"; }
  std::string name() const override { return "test"; }
  std::string operation() const override { return "ADD"; }
  size_t steps() const override { return verdicts_.size(); }

  std::optional<CheckFailure> Run(DriverSession& /*session*/, absl::Duration /*deadline*/,
                                  TestRecord& record) const override {
    for (; record.next < verdicts_.size(); ++record.next) {
      const Verdict verdict = verdicts_[record.next];
      const char* const check = record.next < first_other_ ? "step" : "other";
      const CheckFailure failure = {check, verdict, "step " + std::to_string(record.next)};
      if (EndsSession(verdict)) return failure;
      if (verdict == Verdict::PASS) ++record.counts[check].passed;
      if (verdict == Verdict::UNSUPPORTED) ++record.counts[check].unsupported;
      if (verdict == Verdict::FAIL) record.AddFailure(failure);
    }
    return std::nullopt;
  }

 private:
  const std::vector<Verdict> verdicts_;
  const size_t first_other_;
};

std::vector<Check> ScriptedChecks() { return {{"step", "a step passes"}, {"other", "nothing"}}; }

constexpr Suite kScripted = {.name = "scripted",
                             .junit = "Scripted",
                             .member = "scriptedSuite",
                             .test = "step",
                             .tests = "steps",
                             .proves = "nothing",
                             .checks = &ScriptedChecks,
                             .make_tests = nullptr};

class SuiteRunTest : public ::testing::Test {
 protected:
  SuiteRunTest()
      : session_(*DriverSession::FromDevice(MakeReferenceDriver(), "sample")),
        workers_(*WorkersInProcess(*session_, 1)) {}

  TestRecord Run(std::vector<Verdict> verdicts) {
    return RunTest(*workers_[0], ScriptedTest(std::move(verdicts)), kDefaultDeadline);
  }

  std::unique_ptr<DriverSession> session_;
  std::vector<std::unique_ptr<CaseWorker>> workers_;
};

TEST_F(SuiteRunTest, ATestGoesOnBehindAStepThatTheDriverDoesNotSurvive) {
  const TestRecord record = Run({Verdict::PASS, Verdict::CRASH, Verdict::PASS, Verdict::FAIL});
  EXPECT_EQ(record.counts.at("step"), (CheckCount{.passed = 2, .failed = 2}));
  EXPECT_EQ(record.verdict(), Verdict::CRASH);
  EXPECT_EQ(record.Detail(), "step 1\nstep 3");
  EXPECT_EQ(record.left_out, 0u);
}

TEST_F(SuiteRunTest, ADriverThatIsLostTooOftenIsLeftAlone) {
  const TestRecord record = Run({Verdict::CRASH, Verdict::TIMEOUT, Verdict::PASS, Verdict::CRASH,
                                 Verdict::PASS, Verdict::PASS});
  EXPECT_EQ(record.counts.at("step"), (CheckCount{.passed = 1, .failed = 3}));
  EXPECT_EQ(record.left_out, 2u);
  EXPECT_THAT(record.Detail(),
              HasSubstr("2 more checks were left out, for the driver was lost too often"));
}

TEST_F(SuiteRunTest, WhatChecksNothingIsVacuousAndWhatCannotBeCheckedUnsupported) {
  EXPECT_EQ(Run({}).verdict(), Verdict::VACUOUS);
  EXPECT_EQ(Run({Verdict::UNSUPPORTED}).verdict(), Verdict::UNSUPPORTED);
  EXPECT_EQ(Run({Verdict::UNSUPPORTED, Verdict::PASS}).verdict(), Verdict::PASS);
}

TEST_F(SuiteRunTest, OfManyFailuresTheFirstAreKept) {
  const TestRecord record = Run(std::vector<Verdict>(20, Verdict::FAIL));
  EXPECT_EQ(record.failures.size(), TestRecord::kMostFailures);
  EXPECT_THAT(record.Detail(), HasSubstr("step 15\nand 4 more"));
}

TEST_F(SuiteRunTest, ASectionHasEveryCheckAndOneFailureOfEach) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  tests.push_back(std::make_unique<ScriptedTest>(std::vector<Verdict>{Verdict::PASS}));
  tests.push_back(std::make_unique<ScriptedTest>(std::vector<Verdict>(2, Verdict::FAIL)));
  const SuiteSection section = SectionOf(RunSuite(workers_, kScripted, tests, {}), "again");
  EXPECT_EQ(section.planned, 2u);
  EXPECT_EQ(section.run, 2u);
  EXPECT_EQ(section.failed, 1u);
  ASSERT_EQ(section.failures.size(), 1u);
  EXPECT_EQ(section.failures[0].first.detail, "step 0\n  again --filter '^Scripted\\.test$'");
  EXPECT_THAT(section.json, HasSubstr("{\"name\": \"other\", \"passed\": 0, \"failed\": 0, "
                                      "\"skipped\": 0, \"unsupported\": 0}"));
  EXPECT_THAT(section.json, HasSubstr("{\"name\": \"step\", \"passed\": 1, \"failed\": 2"));
  EXPECT_THAT(section.summary, HasSubstr("FAIL in 1 test, of ADD: Scripted.test: step 0\n"
                                         "    again --filter '^Scripted\\.test$'\n"));
  EXPECT_THAT(section.json, HasSubstr("\"reproduce\": \"again --filter '^Scripted\\\\.test$'\""));
}

TEST_F(SuiteRunTest, TestsOfACheckCountThoughTheyKeepNoFailureOfIt) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  tests.push_back(std::make_unique<ScriptedTest>(
      std::vector<Verdict>(TestRecord::kMostFailures + 1, Verdict::FAIL),
      /*first_other=*/TestRecord::kMostFailures));
  tests.push_back(std::make_unique<ScriptedTest>(std::vector<Verdict>{Verdict::FAIL},
                                                 /*first_other=*/0));
  const SuiteResult result = RunSuite(workers_, kScripted, tests, {});
  EXPECT_EQ(result.failures.at("step").tests.at("ADD"), 1u);
  EXPECT_EQ(result.failures.at("other").tests.at("ADD"), 2u);
  EXPECT_EQ(result.failures.at("other").place, 1u);
}

TEST_F(SuiteRunTest, WhoIsToStopBeginsNoFurtherTest) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  tests.push_back(std::make_unique<ScriptedTest>(std::vector<Verdict>{Verdict::PASS}));
  const SuiteResult result =
      RunSuite(workers_, kScripted, tests, {.should_stop = [] { return true; }});
  EXPECT_EQ(result.run, 0u);
  EXPECT_EQ(result.planned, 1u);
}

}  // namespace
}  // namespace nncert
