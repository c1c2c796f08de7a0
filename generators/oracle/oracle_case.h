// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The cases of the independent oracle, and running them.

#ifndef NNCERT_GENERATORS_ORACLE_ORACLE_CASE_H_
#define NNCERT_GENERATORS_ORACLE_ORACLE_CASE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "reference/execution/executor.h"

namespace nncert {

/// What one output should hold.
struct Answer {
  /// Row-major: the real numbers that the elements should stand for, before they are rounded to the
  /// output's type; the integers of INT32, 0 or 1 of BOOL8.
  std::vector<double> values;
  /// For each value the magnitudes of the terms that it is the sum of, which rounding errors are
  /// proportional to. Infinity says that the element may be anything.
  std::vector<double> magnitudes;
};

/// How results are compared with answers.
enum class AnswerComparison {
  kElements,     ///< one by one
  kGroupedRows,  ///< rows by the batch in the last output; within a batch their order is open
  kDistribution  ///< the results are samples, the answer is the distribution
};

/// An operation on operands, and what it should give.
struct OracleCase {
  /// A model of one operation, with one example.
  TestCase test_case;
  /// One for each output of the model.
  std::vector<Answer> answers;
  AnswerComparison comparison = AnswerComparison::kElements;
};

/// Reads the cases that the program //generators/oracle has written. NotFound without the file,
/// InvalidArgument when it does not hold cases.
absl::StatusOr<std::vector<OracleCase>> ReadOracleCases(const std::string& path);

/// Executes the one example of a case in `system` by `kernels`. `graph` is of the case's model.
absl::StatusOr<std::vector<OutputValue>> ExecuteCase(const PreparedGraph& graph,
                                                     const OracleCase& oracle_case,
                                                     NumberSystem system,
                                                     KernelChoice kernels = KernelChoice::kFast);

}  // namespace nncert

#endif  // NNCERT_GENERATORS_ORACLE_ORACLE_CASE_H_
