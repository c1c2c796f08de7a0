// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/work_queue.h"

#include <condition_variable>
#include <deque>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/deadline.h"

namespace nncert::hal {

// A thread, and what it has to do. Shared with the thread, which may outlive everybody else.
class WorkQueue::Worker {
 public:
  // Starts the thread.
  static absl::StatusOr<std::shared_ptr<Worker>> Start() {
    auto worker = std::make_shared<Worker>();
    try {
      worker->thread_ = std::thread([worker] { worker->Run(); });
    } catch (const std::system_error& error) {
      return absl::ResourceExhaustedError(absl::StrCat("cannot start a thread: ", error.what()));
    }
    return worker;
  }

  void Add(std::function<void()> next) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      work_.push_back(std::move(next));
    }
    added_.notify_one();
  }

  // Whether the calling thread is this one.
  bool IsCurrent() const { return thread_.get_id() == std::this_thread::get_id(); }

  // Waits until nothing is left to do.
  void WaitUntilIdle() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return work_.empty() && !is_busy_; });
  }

  // Lets the thread end when nothing is left to do, and waits for that in any other thread.
  void End() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      is_closed_ = true;
    }
    added_.notify_one();
    IsCurrent() ? thread_.detach() : thread_.join();
  }

 private:
  void Run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      const auto has_news = [this] { return !work_.empty() || is_closed_; };
      YieldOnce(lock, has_news);
      added_.wait(lock, has_news);
      if (work_.empty()) return;
      is_busy_ = true;
      {
        const std::function<void()> next = std::move(work_.front());
        work_.pop_front();
        lock.unlock();
        next();
        // What the function holds goes at the end of this scope; perhaps the queue with it.
      }
      lock.lock();
      is_busy_ = false;
      if (work_.empty()) idle_.notify_all();
    }
  }

  std::thread thread_;
  // Guards what follows.
  std::mutex mutex_;
  std::condition_variable added_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> work_;
  bool is_busy_ = false;
  bool is_closed_ = false;
};

// A thread whose queue is gone, kept by the thread in which it went.
struct WorkQueue::Spare {
  ~Spare() {
    if (worker != nullptr) worker->End();
  }

  std::shared_ptr<Worker> worker;
};

WorkQueue::Spare& WorkQueue::SpareOfThisThread() {
  thread_local Spare spare;
  return spare;
}

absl::Status WorkQueue::Add(std::function<void()> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (worker_ == nullptr) worker_ = std::exchange(SpareOfThisThread().worker, nullptr);
  if (worker_ == nullptr) {
    absl::StatusOr<std::shared_ptr<Worker>> started = Worker::Start();
    if (!started.ok()) return started.status();
    worker_ = *std::move(started);
  }
  worker_->Add(std::move(work));
  return absl::OkStatus();
}

WorkQueue::~WorkQueue() {
  // Nobody else may use a queue that is being destroyed, so nothing needs the lock here.
  if (worker_ == nullptr) return;
  std::shared_ptr<Worker>& spare = SpareOfThisThread().worker;
  if (spare != nullptr || worker_->IsCurrent()) {
    worker_->End();
  } else {
    worker_->WaitUntilIdle();
    spare = std::move(worker_);
  }
}

}  // namespace nncert::hal
