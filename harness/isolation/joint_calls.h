// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Several threads that call one driver at the same time.

#ifndef NNCERT_HARNESS_ISOLATION_JOINT_CALLS_H_
#define NNCERT_HARNESS_ISOLATION_JOINT_CALLS_H_

#include <functional>
#include <optional>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "harness/isolation/callback_check.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// What one thread does to a driver, by a session of its own: gives what broke a rule, and thereby
/// ended it. Called by that thread.
using JointCalls = std::function<std::optional<Problem>(DriverSession& session)>;

/// Has each of `threads` called by a thread of its own, which begin at the same moment, and waits
/// for all. Each gets a session of its own of the device of `session`, with `deadline` for each
/// call. All calls of a driver in another process are one call of `session`, which takes no longer
/// than `deadline`: when it does, or the process ends, they all come back, and what the session's
/// Health says is the problem. Otherwise that of the first thread that had one.
std::optional<Problem> CallTogether(DriverSession& session, absl::Duration deadline,
                                    absl::Span<const JointCalls> threads);

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_JOINT_CALLS_H_
