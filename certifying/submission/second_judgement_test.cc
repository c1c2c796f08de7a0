// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/second_judgement.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "cases/case_source.h"
#include "certifying/driver_names.h"
#include "gtest/gtest.h"
#include "harness/records/answers_file.h"
#include "harness/records/case_result.h"

namespace nncert {
namespace {

// What a driver of HAL 1.2 answered to all bundled cases, in a process of its own.
struct Answered {
  LoadedCases loaded;
  std::vector<CaseInMode> cases;
  std::vector<ClaimedResult> claimed;
  std::string answers;
};

const Answered& BundledCasesAnswered() {
  static const auto* const answered = [] {
    auto* const made = new Answered;
    made->loaded = LoadCases({"spec_tests/specs"}).value();
    made->cases =
        SelectCases(made->loaded.cases, {TestMode::kStatic, TestMode::kDynamic}, "").value();
    const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "answers";
    const std::unique_ptr<AnswersFile> file = AnswersFile::Create(path, made->cases.size()).value();
    OpenedDriver driver = OpenDriver(FindDriver("sample").value(), Isolation::kPinned).value();
    const std::vector<std::unique_ptr<CaseWorker>> workers =
        driver.MakeWorkers(2, kDefaultDeadline).value();
    BatchOptions options;
    options.answers = file.get();
    const BatchResult batch =
        RunCases(workers, made->cases, options, [](const CaseResult& /*result*/) {}).value();
    for (const std::optional<CaseResult>& result : batch.results) {
      made->claimed.push_back({FullName(*result), result->verdict, result->detail});
    }
    made->answers = CompleteAnswers(path, made->cases.size(), UINT64_MAX).value();
    return made;
  }();
  return *answered;
}

TEST(SecondJudgementTest, EveryAnswerIsJudgedAsInTheRun) {
  const Answered& answered = BundledCasesAnswered();
  ASSERT_GT(answered.cases.size(), 5000U);
  const SecondJudgement judgement =
      JudgeAgain(answered.answers, answered.cases, answered.claimed, {}, 2);
  EXPECT_EQ(judgement.problems, std::vector<std::string>());
  EXPECT_EQ(judgement.judged + judgement.without_outputs, answered.cases.size());
  EXPECT_LT(judgement.without_outputs, 50U);
}

TEST(SecondJudgementTest, OtherVerdictsAreToldOfUpToSoMany) {
  const Answered& answered = BundledCasesAnswered();
  std::vector<ClaimedResult> claimed = answered.claimed;
  const auto complain = [&] {
    return JudgeAgain(answered.answers, answered.cases, claimed, {}, 1).problems;
  };
  ASSERT_EQ(claimed[7].verdict, Verdict::PASS);
  claimed[7].verdict = Verdict::FAIL;
  // What is waived or flaky has failed.
  claimed[9].verdict = Verdict::FLAKY;
  const std::vector<std::string> problems = complain();
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[0],
            claimed[7].name + " is FAIL by the package; judged again by its answers it is PASS");
  EXPECT_EQ(problems[1].find(claimed[9].name + " is FLAKY by the package"), 0U) << problems[1];
  for (ClaimedResult& claim : claimed) claim.verdict = Verdict::FAIL;
  EXPECT_EQ(complain().size(), kMostOtherVerdicts + 1);
}

}  // namespace
}  // namespace nncert
