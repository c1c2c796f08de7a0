// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a driver answers to a request, to be compared with what it answered before.

#ifndef NNCERT_HAL_TESTS_CASES_ANSWER_H_
#define NNCERT_HAL_TESTS_CASES_ANSWER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hal/v1_2/types.h"
#include "hal_tests/cases/case_execution.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"

namespace nncert {

/// What a client gets of an execution.
struct Answer {
  /// Set when a rule about calls or memory was broken; all else is then meaningless.
  std::optional<Problem> problem;
  hal::V1_0::ErrorStatus status = hal::V1_0::ErrorStatus::NONE;
  /// Nothing where the method does not tell them.
  std::optional<std::vector<hal::V1_2::OutputShape>> shapes;
  /// The bytes of each output's buffer.
  std::vector<std::vector<uint8_t>> outputs;
};

/// What an execution by `executor` that has ended so came to.
Answer AnswerOf(const GuardedRequest& request, Executor executor, const ExecutionOutcome& outcome);

/// Executes an example of a case, whose model is prepared, in memory of its own.
Answer ExecuteExample(ModelOnDriver& prepared, const CaseInMode& test_case, const Example& example,
                      hal::HalVersion version, SparePools& spares, const ExecutionWay& way);

/// How an answer differs from an earlier one to the same request, bit by bit; empty when it does
/// not. `earlier` says when that was: "alone". Of executions that failed only the status counts.
std::string DifferenceFrom(const Answer& before, const Answer& now, const std::string& earlier);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CASES_ANSWER_H_
