// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/work_queue.h"

#include <condition_variable>
#include <deque>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace nncert::hal {

struct WorkQueue::State {
  // Guards what follows.
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> work;
  bool is_closed = false;

  void Add(std::function<void()> next) {
    const std::lock_guard<std::mutex> lock(mutex);
    work.push_back(std::move(next));
    changed.notify_one();
  }

  void Close() {
    const std::lock_guard<std::mutex> lock(mutex);
    is_closed = true;
    changed.notify_one();
  }

  // Runs what is added until the queue is closed and empty.
  void Run() {
    while (true) {
      std::function<void()> next;
      {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [this] { return !work.empty() || is_closed; });
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
  const std::lock_guard<std::mutex> lock(mutex_);
  if (state_ == nullptr) {
    auto state = std::make_shared<State>();
    try {
      thread_ = std::thread([state] { state->Run(); });
    } catch (const std::system_error& error) {
      return absl::ResourceExhaustedError(absl::StrCat("cannot start a thread: ", error.what()));
    }
    state_ = std::move(state);
  }
  state_->Add(std::move(work));
  return absl::OkStatus();
}

WorkQueue::~WorkQueue() {
  // Nobody else may use a queue that is being destroyed, so nothing needs the lock here.
  if (state_ == nullptr) return;
  state_->Close();
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();
  } else {
    thread_.join();
  }
}

}  // namespace nncert::hal
