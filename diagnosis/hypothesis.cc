// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "diagnosis/hypothesis.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "drivers/faulty/rules/fault.h"

namespace nncert {
namespace {

// How long the faulty driver, which is in this process and does not stall, may take for a call.
constexpr absl::Duration kDeadline = absl::Seconds(60);

bool IsAbout(const faulty::Rule& rule) { return faulty::Fault{&rule, {}}.IsAboutOperations(); }

// Rules about executions that change results; those about statuses and timing do not.
bool ChangesResults(const faulty::Rule& rule) {
  return rule.execution != nullptr && !rule.passes &&
         (rule.fault_class == faulty::FaultClass::kResult ||
          rule.fault_class == faulty::FaultClass::kBurst);
}

}  // namespace

std::string Hypothesis::Name() const {
  return absl::StrJoin(
      rules, "+", [](std::string* name, const faulty::Rule* rule) { name->append(rule->name); });
}

std::string Hypothesis::Cause() const {
  return absl::StrJoin(rules, " ", [](std::string* cause, const faulty::Rule* rule) {
    cause->append(rule->breaks);
  });
}

bool Hypothesis::IsAboutOperations() const {
  return std::all_of(rules.begin(), rules.end(),
                     [](const faulty::Rule* rule) { return IsAbout(*rule); });
}

std::vector<Hypothesis> SingleHypotheses() {
  std::vector<Hypothesis> hypotheses;
  for (const faulty::Rule* const rule : faulty::AllRules()) {
    if (IsAbout(*rule) || ChangesResults(*rule)) hypotheses.push_back({{rule}});
  }
  return hypotheses;
}

absl::StatusOr<Answer> Predict(const Hypothesis& hypothesis, const TestCase& test_case) {
  if (!hypothesis.IsAboutOperations()) {
    return AnswerOfFaultyDriver(test_case, hypothesis.Name(), kDeadline);
  }
  std::vector<faulty::Fault> faults;
  for (const faulty::Rule* const rule : hypothesis.rules) faults.push_back({rule, {}});
  return AnswerByRules(test_case, std::make_shared<const std::vector<faulty::Fault>>(faults));
}

absl::StatusOr<Answer> PredictHonest(const TestCase& test_case) {
  return AnswerByRules(test_case, std::make_shared<const std::vector<faulty::Fault>>());
}

}  // namespace nncert
