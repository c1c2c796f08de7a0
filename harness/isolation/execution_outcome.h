// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What comes of an execution, in whatever way it is made.

#ifndef NNCERT_HARNESS_ISOLATION_EXECUTION_OUTCOME_H_
#define NNCERT_HARNESS_ISOLATION_EXECUTION_OUTCOME_H_

#include <optional>
#include <vector>

#include "hal/v1_2/types.h"
#include "harness/isolation/callback_check.h"

namespace nncert {

/// How an execution ended.
struct ExecutionOutcome {
  /// Set when a rule about calls was broken; all else is then meaningless.
  std::optional<Problem> problem;
  /// What the method returned, which is not all that it does where there is a callback.
  hal::V1_0::ErrorStatus launched = hal::V1_0::ErrorStatus::NONE;
  hal::V1_0::ErrorStatus status = hal::V1_0::ErrorStatus::NONE;
  std::vector<hal::V1_2::OutputShape> outputShapes;
  hal::V1_2::Timing timing;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_EXECUTION_OUTCOME_H_
