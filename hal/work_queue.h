// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A thread that does one piece of work after the other.

#ifndef NNCERT_HAL_WORK_QUEUE_H_
#define NNCERT_HAL_WORK_QUEUE_H_

#include <functional>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/synchronization/mutex.h"

namespace nncert::hal {

/// Runs functions in the order they were added, in a thread that is started with the first of them.
/// Safe to use from several threads.
///
/// The destructor waits for everything that was added. It may run in the queue's own thread, when a
/// function holds the last reference to the queue's owner; then it does not wait.
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
  struct State;

  absl::Mutex mutex_;
  // Shared with the thread, which may outlive the queue.
  std::shared_ptr<State> state_ ABSL_GUARDED_BY(mutex_);
  std::thread thread_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_WORK_QUEUE_H_
