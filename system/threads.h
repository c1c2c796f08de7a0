// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Work that several threads share.

#ifndef NNCERT_SYSTEM_THREADS_H_
#define NNCERT_SYSTEM_THREADS_H_

#include <cstddef>

#include "absl/functional/function_ref.h"

namespace nncert {

/// Calls `work` with 0 on the calling thread, and with every other number below `count` on a thread
/// of its own; returns when all have returned. Where the system has no more threads, the last
/// numbers are left out, so work is to take its items from a counter that all share.
void RunOnThreads(size_t count, absl::FunctionRef<void(size_t number)> work);

}  // namespace nncert

#endif  // NNCERT_SYSTEM_THREADS_H_
