// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/work_queue.h"

#include <deque>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace nncert::hal {

struct WorkQueue::State {
  absl::Mutex mutex;
  std::deque<std::function<void()>> work ABSL_GUARDED_BY(mutex);
  bool is_closed ABSL_GUARDED_BY(mutex) = false;

  bool HasNews() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex) { return !work.empty() || is_closed; }

  // Runs what is added until the queue is closed and empty.
  void Run() {
    while (true) {
      std::function<void()> next;
      {
        const absl::MutexLock lock(&mutex);
        mutex.Await(absl::Condition(this, &State::HasNews));
        if (work.empty()) return;
        next = std::move(work.front());
        work.pop_front();
      }
      next();
      // What the function holds goes at the end of this scope; perhaps the queue with it.
    }
  }
};

absl::Status WorkQueue::Add(std::function<void()> work) {
  const absl::MutexLock lock(&mutex_);
  if (state_ == nullptr) {
    auto state = std::make_shared<State>();
    try {
      thread_ = std::thread([state] { state->Run(); });
    } catch (const std::system_error& error) {
      return absl::ResourceExhaustedError(absl::StrCat("cannot start a thread: ", error.what()));
    }
    state_ = std::move(state);
  }
  const absl::MutexLock state_lock(&state_->mutex);
  state_->work.push_back(std::move(work));
  return absl::OkStatus();
}

WorkQueue::~WorkQueue() {
  std::thread thread;
  {
    const absl::MutexLock lock(&mutex_);
    if (state_ == nullptr) return;
    const absl::MutexLock state_lock(&state_->mutex);
    state_->is_closed = true;
    thread = std::move(thread_);
  }
  if (thread.get_id() == std::this_thread::get_id()) {
    thread.detach();
  } else {
    thread.join();
  }
}

}  // namespace nncert::hal
