// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What may be wrong with a driver: rules of the faulty driver, alone and together.

#ifndef NNCERT_DIAGNOSIS_HYPOTHESIS_H_
#define NNCERT_DIAGNOSIS_HYPOTHESIS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "diagnosis/answer.h"
#include "drivers/faulty/rules/rule.h"

namespace nncert {

/// Rules that are at work at the same time, the first the outermost (see ComputeWithFaults).
struct Hypothesis {
  std::vector<const faulty::Rule*> rules;

  /// The name of the faults: "strides_swapped+relu6_as_relu".
  std::string Name() const;
  /// What they break, for people: the sentences of the rules.
  std::string Cause() const;
  /// Whether all of them are about operations.
  bool IsAboutOperations() const;
};

/// Every rule that changes what an operation, or an execution, gives: its numbers or its shapes.
std::vector<Hypothesis> SingleHypotheses();

/// What a driver gives of which this is so, and nothing else is wrong. Fails as AnswerByRules and
/// AnswerOfFaultyDriver do.
absl::StatusOr<Answer> Predict(const Hypothesis& hypothesis, const TestCase& test_case);

/// What a driver gives that is right. Fails as AnswerByRules does.
absl::StatusOr<Answer> PredictHonest(const TestCase& test_case);

}  // namespace nncert

#endif  // NNCERT_DIAGNOSIS_HYPOTHESIS_H_
