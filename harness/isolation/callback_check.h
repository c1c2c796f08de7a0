// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What can be wrong with a call of a driver, and with the callback that it was given.

#ifndef NNCERT_HARNESS_ISOLATION_CALLBACK_CHECK_H_
#define NNCERT_HARNESS_ISOLATION_CALLBACK_CHECK_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "hal/v1_0/types.h"
#include "harness/isolation/call_thread.h"
#include "harness/records/verdict.h"

namespace nncert {

/// Why a case cannot go on.
struct Problem {
  Verdict verdict = Verdict::FAIL;
  std::string text;
  /// The driver kept the rules and refused the model, by a status other than NONE.
  bool is_refusal = false;
};

/// The problem with a call that CallThread::Run failed for: TIMEOUT, CRASH or FAIL.
Problem ProblemOf(absl::string_view call, const absl::Status& status);

/// A broken rule: FAIL.
Problem Broken(std::string text);

/// FAIL, for the callback of a call came `count` times instead of once.
Problem CalledAgain(absl::string_view call, int count);

/// Checks what a launch returned against what the callback, if it came, was called with. `count` is
/// how often it came; `is_held` whether it can still come; `waited` how long it was waited for.
std::optional<Problem> CheckCallback(absl::string_view call, hal::V1_0::ErrorStatus launched,
                                     std::optional<hal::V1_0::ErrorStatus> called, int count,
                                     bool is_held, absl::Duration waited, const CallThread& calls);

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_CALLBACK_CHECK_H_
