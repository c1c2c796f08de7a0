// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/cases/steps_at_once.h"

#include "absl/strings/str_cat.h"
#include "harness/isolation/device_calls.h"

namespace nncert {

void StepsAtOnce::Add(std::string_view check, bool is_legal) {
  steps_.emplace_back(check, is_legal);
}

bool StepsAtOnce::Send(
    std::vector<hal::replay::SequencedModel> models,
    absl::FunctionRef<bool(const std::vector<hal::replay::SequencedAnswers>&)> is_refused) {
  const size_t count = models.size();
  if (count > 0) {
    const AnswersAtOnce answers = CallAtOnce(session_, std::move(models), deadline_);
    const std::string_view check = steps_.back().first;
    if (answers.lost.has_value()) {
      lost_ = FailureOf(check, what_, *answers.lost);
      return false;
    }
    if (!answers.violation.empty()) {
      violation_ =
          FailureOf(check, what_,
                    Broken(absl::StrCat("when all calls were made at once, ", answers.violation,
                                        "; call by call that did not happen again")));
      session_.SetMayCallAtOnce(false);
      return false;
    }
    if (answers.models.size() != count || !is_refused(answers.models)) return false;
  }
  for (const auto& [check, is_legal] : steps_) {
    CheckCount& made = record_.counts[check];
    ++(is_legal ? made.skipped : made.passed);
  }
  record_.next += steps_.size();
  steps_.clear();
  return true;
}

void StepsAtOnce::End() {
  if (violation_.has_value() && record_.failures.empty()) record_.AddFailure(*violation_);
}

}  // namespace nncert
