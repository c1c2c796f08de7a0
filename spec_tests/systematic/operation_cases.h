// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The systematic cases of one operation. docs/systematic_cases.md tells how they are chosen.

#ifndef NNCERT_SPEC_TESTS_SYSTEMATIC_OPERATION_CASES_H_
#define NNCERT_SPEC_TESTS_SYSTEMATIC_OPERATION_CASES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "cases/test_case.h"
#include "reference/operation_definition.h"

namespace nncert {

/// The systematic cases of an operation, with expected outputs.
struct OperationCases {
  /// In the order in which they were chosen: by HAL version and combination of types. Each is named
  /// for the operation, the version, the type of the first input and a number.
  std::vector<TestCase> cases;
  /// Candidates that were to be cases, and were not because their results are not certain.
  size_t uncertain = 0;
  /// Pairs of levels that some candidate had, and those of them that a case has.
  size_t pairs_seen = 0;
  size_t pairs_met = 0;
  /// Conditions that the catalogue says can be met in a type (Reach), and that no candidate met.
  std::vector<std::string> gaps;
};

/// Makes them: the same ones for ever, with every compiler.
OperationCases MakeOperationCases(const OperationDefinition& definition);

}  // namespace nncert

#endif  // NNCERT_SPEC_TESTS_SYSTEMATIC_OPERATION_CASES_H_
