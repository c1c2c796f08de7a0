// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs cases on drivers in processes of their own.

#ifndef NNCERT_HARNESS_ISOLATED_WORKER_H_
#define NNCERT_HARNESS_ISOLATED_WORKER_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "harness/case_worker.h"
#include "harness/isolation/driver_process.h"

namespace nncert {

/// `count` (at least 1) workers, each with a process of its own for the driver of `options`;
/// `first` is that of the first worker, the others start theirs with their first case. A case in
/// which the process ends is a CRASH, one in which it does not answer a TIMEOUT; either costs this
/// case alone, and the next one gets a new process. A case that crashes is run again in a new
/// process, unless it was the first of its process, or that was killed (SIGKILL), which is nothing
/// that code does to itself: when it does not crash then, the second verdict counts, and the loss,
/// which may be the doing of an earlier case, is one of WorkerReport::findings. So is the end of a
/// process between two cases, or at the end of a case whose verdict was known already, and a
/// process that takes more and more (see ResourceGrowth), leaves others behind or sends them
/// signals (see hal/transport/process_guard.h), or writes without an end. A driver that has started
/// too many processes or threads in three cases is run no further (WhyLost). A driver that was
/// tried to be started for three deadlines, in vain, is tried no more: all further cases say so.
/// When the options say on which processor the first worker runs its cases, the others go on with
/// the next ones.
std::vector<std::unique_ptr<CaseWorker>> IsolatedWorkers(DriverProcessOptions options,
                                                         std::unique_ptr<DriverProcess> first,
                                                         size_t count);

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATED_WORKER_H_
