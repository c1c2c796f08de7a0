// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a driver, or a rule of the faulty driver, makes of a case.

#ifndef NNCERT_DIAGNOSIS_ANSWER_H_
#define NNCERT_DIAGNOSIS_ANSWER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "cases/test_case.h"
#include "drivers/faulty/rule_executor.h"
#include "hal/v1_2/types.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// An output of an execution.
struct AnsweredOutput {
  /// Whether the driver reported dimensions, and which; those that are expected of a driver that
  /// cannot report any (HAL 1.0 and 1.1).
  bool has_dimensions = true;
  std::vector<uint32_t> dimensions;
  /// What it said of the buffer.
  bool is_sufficient = true;
  /// The elements as numbers, integers for quantized types: as many as the dimensions have, or as
  /// the buffer holds, if these are fewer.
  std::vector<double> values;

  /// Whether dimensions and buffer are said to be the same.
  bool HasSameShape(const AnsweredOutput& other) const;
  /// Whether everything is the same; a NaN is like any other.
  bool IsSame(const AnsweredOutput& other) const;
};

/// An execution.
struct AnsweredExecution {
  hal::V1_0::ErrorStatus status = hal::V1_0::ErrorStatus::NONE;
  /// Empty unless the status is NONE.
  std::vector<AnsweredOutput> outputs;

  bool IsSame(const AnsweredExecution& other) const;
};

/// The executions of a case: of each example one, or one in each way to execute, where they differ.
struct Answer {
  /// How many ways there are.
  size_t ways = 1;
  /// All ways of the first example, then of the next.
  std::vector<AnsweredExecution> executions;

  /// The execution of an example in a way.
  const AnsweredExecution& Of(size_t example, size_t way) const {
    return executions[example * ways + (ways == 1 ? 0 : way)];
  }
  bool IsSame(const Answer& other) const;
};

/// Has a driver execute every example of a case, with outputs fully specified: asynchronously,
/// synchronously and by a burst, one after the other, and once more. Before HAL 1.2 there are two
/// asynchronous executions. The case must have outputs in every example, and no types of extensions
/// (Unimplemented). FailedPrecondition, with the reason, when the driver does not prepare the
/// model, or breaks a rule of calls.
absl::StatusOr<Answer> AnswerOfDriver(DriverSession& session, const TestCase& test_case,
                                      absl::Duration deadline);

/// The answer of the faulty driver with faults that are about operations, without a driver. Fails
/// as RuleGraph::Create does.
absl::StatusOr<Answer> AnswerByRules(const TestCase& test_case, const faulty::Faults& faults);

/// The answer of the faulty driver with faults of any kind, which must not end or stall its
/// process. Fails as MakeFaultyDriver and AnswerOfDriver do.
absl::StatusOr<Answer> AnswerOfFaultyDriver(const TestCase& test_case, const std::string& faults,
                                            absl::Duration deadline);

}  // namespace nncert

#endif  // NNCERT_DIAGNOSIS_ANSWER_H_
