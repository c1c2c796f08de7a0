// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// System calls of a process that another one is asked about first.

#ifndef NNCERT_HAL_TRANSPORT_GUARDED_CALLS_H_
#define NNCERT_HAL_TRANSPORT_GUARDED_CALLS_H_

#include <sys/types.h>

#include <functional>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "hal/handle.h"

namespace nncert::hal::transport {

/// Has the kernel ask before this process, or one that it starts, starts a process or sends a
/// signal to one of `others`; a negative one stands for the processes that kill(2) sends to. New
/// threads are not asked about. Gives the descriptor that whoever is asked answers with, by
/// AnswerGuardedCall; empty where the kernel or the processor cannot. While there is such a
/// descriptor and nobody answers, the calls wait; when there is none any more, they fail. See
/// seccomp_unotify(2).
FileDescriptor GuardCalls(absl::Span<const pid_t> others);

/// A call that waits for an answer.
struct GuardedCall {
  /// Who makes it.
  pid_t process = 0;
  /// Whom it is about; nothing when it starts a process.
  std::optional<pid_t> other;
};

/// Answers one call: it is made if `is_allowed` says so, else fails with EAGAIN (the start of a
/// process) or EPERM. Nothing when no call waits any more.
void AnswerGuardedCall(int descriptor, const std::function<bool(const GuardedCall&)>& is_allowed);

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_GUARDED_CALLS_H_
