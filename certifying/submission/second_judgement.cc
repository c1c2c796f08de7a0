// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/second_judgement.h"

#include <algorithm>
#include <atomic>
#include <map>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "harness/case_runner.h"
#include "harness/isolation/spare_pools.h"
#include "harness/records/answers_file.h"
#include "harness/records/case_answers.h"
#include "harness/records/case_result.h"
#include "system/threads.h"

namespace nncert {
namespace {

std::string Describe(Verdict verdict, const std::string& detail) {
  return absl::StrCat(std::string(toString(verdict)), detail.empty() ? "" : " (", FirstLine(detail),
                      detail.empty() ? "" : ")");
}

// Judges cases one after the other.
class SecondJudge {
 public:
  SecondJudge(absl::Span<const std::string_view> messages, absl::Span<const CaseInMode> cases,
              absl::Span<const ClaimedResult> claimed, const AnsweringDriver& driver)
      : messages_(messages), cases_(cases), claimed_(claimed), driver_(driver) {
    options_.measures_accuracy = false;
  }

  // Judges the next cases until there are none. May be called by several threads.
  void Work() {
    SparePools pools;
    for (size_t i = next_++; i < cases_.size() && others_ < kMostOtherVerdicts; i = next_++) {
      const absl::StatusOr<CaseAnswers> answers = ParseAnswers(messages_[i], i);
      if (!answers.ok()) {
        Complain(i, absl::StrCat("its answers: ", answers.status().message()));
        continue;
      }
      (HasExecutions(*answers) ? judged_ : without_outputs_)++;
      if (const std::string problem = Judge(i, *answers, pools); !problem.empty()) {
        Complain(i, problem);
      }
    }
  }

  SecondJudgement Result() {
    const absl::MutexLock lock(&mutex_);
    SecondJudgement result = {.judged = judged_, .without_outputs = without_outputs_};
    // Cases are taken in their order, so that the first of these are always the same.
    for (const auto& [place, problem] : problems_) {
      if (result.problems.size() < kMostOtherVerdicts) result.problems.push_back(problem);
    }
    if (result.problems.size() == kMostOtherVerdicts) {
      result.problems.push_back("no further cases were judged again");
    }
    return result;
  }

 private:
  // What is wrong with a case; empty when nothing is.
  std::string Judge(size_t place, const CaseAnswers& answers, SparePools& pools) const {
    const ClaimedResult& claimed = claimed_[place];
    AnswersAsDriver driver(driver_, answers, pools);
    const CaseResult result =
        RunCase(driver, cases_[place].loaded->test_case, cases_[place].mode, options_);
    // What was kept is what the run of all cases came to, which failed.
    const bool is_renamed = claimed.verdict == Verdict::WAIVED || claimed.verdict == Verdict::FLAKY;
    const bool claims_failure = is_renamed || FailsSuite(claimed.verdict);
    if (absl::Status asked = driver.Check(); !asked.ok()) {
      // A driver that could not be started any more gave none; nor are those kept that are too
      // many.
      if (answers.steps.empty() && claims_failure) return "";
      return absl::StrCat(
          "is ", Describe(claimed.verdict, claimed.detail),
          " by the package, and nothing follows from its answers: ", asked.message());
    }
    const bool is_same =
        is_renamed ? FailsSuite(result.verdict) : claimed.verdict == result.verdict;
    if (is_same) return "";
    return absl::StrCat("is ", Describe(claimed.verdict, claimed.detail),
                        " by the package; judged again by its answers it is ",
                        Describe(result.verdict, result.detail));
  }

  void Complain(size_t place, const std::string& problem) {
    const absl::MutexLock lock(&mutex_);
    problems_[place] = absl::StrCat(claimed_[place].name, " ", problem);
    others_ = problems_.size();
  }

  const absl::Span<const std::string_view> messages_;
  const absl::Span<const CaseInMode> cases_;
  const absl::Span<const ClaimedResult> claimed_;
  const AnsweringDriver& driver_;
  RunOptions options_;
  std::atomic<size_t> next_ = 0;
  std::atomic<size_t> others_ = 0;
  std::atomic<uint64_t> judged_ = 0;
  std::atomic<uint64_t> without_outputs_ = 0;
  absl::Mutex mutex_;
  std::map<size_t, std::string> problems_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

SecondJudgement JudgeAgain(std::string_view answers, absl::Span<const CaseInMode> cases,
                           absl::Span<const ClaimedResult> claimed, const AnsweringDriver& driver,
                           size_t jobs) {
  const absl::StatusOr<std::vector<std::string_view>> messages =
      SplitAnswers(answers, cases.size());
  if (!messages.ok()) return {.problems = {std::string(messages.status().message())}};
  SecondJudge judge(*messages, cases, claimed, driver);
  RunOnThreads(std::min(jobs, cases.size()), [&judge](size_t /*number*/) { judge.Work(); });
  return judge.Result();
}

}  // namespace nncert
