// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/work_queue.h"

#include <sched.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/deadline.h"

namespace nncert::hal {
namespace {

// How many threads are kept whose queues are gone.
constexpr size_t kMostSpares = 8;

// Where the calling thread may run, and a thread that it starts. None where it cannot be known.
cpu_set_t ProcessorsOfThisThread() {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof(processors), &processors) != 0) CPU_ZERO(&processors);
  return processors;
}

}  // namespace

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

  // Where the thread runs.
  const cpu_set_t& processors() const { return processors_; }

  // Whether the calling thread is this one.
  bool IsCurrent() const { return thread_.get_id() == std::this_thread::get_id(); }

  // Waits until nothing is left to do.
  void WaitUntilIdle() {
    std::unique_lock<std::mutex> lock(mutex_);
    idle_.wait(lock, [this] { return work_.empty() && !is_busy_; });
  }

  // Lets the thread end when nothing is left to do, and waits for that in any other thread. In a
  // process that was forked off there is no such thread.
  void End() {
    if (process_ != getpid()) return thread_.detach();
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

  const pid_t process_ = getpid();
  const cpu_set_t processors_ = ProcessorsOfThisThread();
  std::thread thread_;
  // Guards what follows.
  std::mutex mutex_;
  std::condition_variable added_;
  std::condition_variable idle_;
  std::deque<std::function<void()>> work_;
  bool is_busy_ = false;
  bool is_closed_ = false;
};

// Threads whose queues are gone.
class WorkQueue::Spares {
 public:
  // Null when the program ends, or the library that this is in is unloaded.
  static Spares* Get() {
    static Spares spares;
    return are_gone ? nullptr : &spares;
  }

  ~Spares() {
    are_gone = true;
    for (const std::shared_ptr<Worker>& worker : workers_) worker->End();
  }

  // A thread that runs where the calling one does, the last that was kept; null when there is none.
  std::shared_ptr<Worker> Take() {
    const cpu_set_t processors = ProcessorsOfThisThread();
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = std::find_if(workers_.rbegin(), workers_.rend(),
                                    [&](const std::shared_ptr<Worker>& worker) {
                                      return CPU_EQUAL(&worker->processors(), &processors) != 0;
                                    });
    if (found == workers_.rend()) return nullptr;
    std::shared_ptr<Worker> worker = std::move(*found);
    workers_.erase(std::next(found).base());
    return worker;
  }

  // Keeps a thread that has nothing to do. Gives that of which there is one too many, the one that
  // has been kept for the longest; or null.
  std::shared_ptr<Worker> Keep(std::shared_ptr<Worker> worker) {
    const std::lock_guard<std::mutex> lock(mutex_);
    workers_.push_back(std::move(worker));
    if (workers_.size() <= kMostSpares) return nullptr;
    std::shared_ptr<Worker> oldest = std::move(workers_.front());
    workers_.erase(workers_.begin());
    return oldest;
  }

 private:
  static std::atomic<bool> are_gone;

  std::mutex mutex_;
  std::vector<std::shared_ptr<Worker>> workers_;  // the last that was kept behind
};

std::atomic<bool> WorkQueue::Spares::are_gone = false;

absl::Status WorkQueue::Add(std::function<void()> work) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (worker_ == nullptr) {
    if (Spares* const spares = Spares::Get()) worker_ = spares->Take();
  }
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
  Spares* const spares = Spares::Get();
  if (spares == nullptr || worker_->IsCurrent()) {
    worker_->End();
    return;
  }
  worker_->WaitUntilIdle();
  if (const std::shared_ptr<Worker> surplus = spares->Keep(std::move(worker_))) surplus->End();
}

}  // namespace nncert::hal
