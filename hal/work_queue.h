// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A thread that does one piece of work after the other.

#ifndef NNCERT_HAL_WORK_QUEUE_H_
#define NNCERT_HAL_WORK_QUEUE_H_

#include <functional>
#include <memory>
#include <mutex>

#include "absl/status/status.h"

namespace nncert::hal {

/// Runs functions in the order they were added, in a thread that it gets with the first of them.
/// Safe to use from several threads.
///
/// The destructor waits for everything that was added. It may run in the queue's own thread, when a
/// function holds the last reference to the queue's owner; then it does not wait.
///
/// To start a thread takes longer than many an execution. So the threads of some queues that are
/// gone are kept for the next queues: those that are added to by a thread that may run on the same
/// processors as the one that had the kept thread started.
class WorkQueue {
 public:
  WorkQueue() = default;
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;
  ~WorkQueue();

  /// Adds a function. Fails with ResourceExhausted when no thread can be started; the function will
  /// not run then.
  absl::Status Add(std::function<void()> work);

 private:
  class Worker;
  class Spares;

  // Guards what follows.
  std::mutex mutex_;
  // Null until something is added.
  std::shared_ptr<Worker> worker_;
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_WORK_QUEUE_H_
