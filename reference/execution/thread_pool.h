// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_EXECUTION_THREAD_POOL_H_
#define NNCERT_REFERENCE_EXECUTION_THREAD_POOL_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"

namespace nncert {

/// Calls work(begin, end) for [0, grain), [grain, 2 * grain), ..., the last range ending at
/// `count`. `grain` must not be 0.
inline void ForEachRange(size_t count, size_t grain,
                         absl::FunctionRef<void(size_t begin, size_t end)> work) {
  for (size_t begin = 0; begin < count;) {
    const size_t end = begin + std::min(grain, count - begin);
    work(begin, end);
    begin = end;
  }
}

/// Threads that share loops: fork, then join.
///
/// A loop is cut into ranges that do not depend on the number of threads; who is free takes the
/// next. One loop is shared at a time: a second caller meanwhile does its loop alone, so that
/// several executions at once take a core each rather than wait for each other. Threads are started
/// when the first loop is shared; between loops they wait, at first without going to sleep, because
/// the next loop of an execution is often microseconds away.
class ThreadPool {
 public:
  /// For loops shared by `threads` threads, the caller's included; 0 means as many as there are
  /// processors that the caller of the first loop may run on: more would wait for each other there.
  explicit ThreadPool(int threads = 0);
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  /// No loop may be under way.
  ~ThreadPool();

  /// Calls work(begin, end) for the ranges of ForEachRange, in any order; returns when all calls
  /// have. `work` must not call this. What the calls have written is visible to the caller. When
  /// calls throw, not all ranges need be done, and one of the exceptions is thrown here.
  void ParallelFor(size_t count, size_t grain,
                   absl::FunctionRef<void(size_t begin, size_t end)> work);

 private:
  // The loop that is shared.
  struct Loop {
    const absl::FunctionRef<void(size_t begin, size_t end)>* work = nullptr;
    size_t count = 0;
    size_t grain = 1;
    size_t ranges = 0;
    std::atomic<size_t> next = 0;  // the first range that nobody has taken
    std::atomic<bool> has_thrown = false;
    std::exception_ptr exception;  // of the first call that threw
  };

  bool HasWorkers();
  void Wait();
  void TakePart();

  const int threads_;
  std::mutex sharing_;  // held while a loop is shared
  bool has_started_ = false;
  std::vector<std::thread> workers_;
  Loop loop_;
  // Counts loops; workers wait for it to change.
  std::atomic<uint32_t> loops_begun_ = 0;
  std::atomic<bool> is_stopping_ = false;
  // Whether workers may join the loop (kOpen), and how many have and are not done with it.
  static constexpr uint32_t kOpen = 1u << 31;
  std::atomic<uint32_t> gate_ = 0;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_THREAD_POOL_H_
