// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// In which ways a model is executed.

#ifndef NNCERT_HARNESS_EXECUTION_WAYS_H_
#define NNCERT_HARNESS_EXECUTION_WAYS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "hal/version.h"
#include "harness/judging/judge.h"
#include "harness/records/case_result.h"

namespace nncert {

/// The executions that belong to a mode on a device of a version, in the order of Android's suite;
/// of those of HAL 1.2 in `only_way` alone (RunOptions::only_way), if there is one.
std::vector<ExecutionKind> KindsOf(TestMode mode, hal::HalVersion version,
                                   const std::optional<uint64_t>& only_way);

/// In which way (RunOptions::only_way) to run number `turn` of a series of cases that are run in
/// one way each: in turn in all of them, but by a burst, which takes longest to begin and to end,
/// one in eight.
uint64_t WayOfTurn(uint64_t turn);

}  // namespace nncert

#endif  // NNCERT_HARNESS_EXECUTION_WAYS_H_
