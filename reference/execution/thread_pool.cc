// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/thread_pool.h"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

namespace nncert {
namespace {

// How often a thread looks before it goes to sleep: some tens of microseconds.
constexpr int kLooks = 2000;

void Pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Returns once `value` is not `old`.
void WaitWhile(const std::atomic<uint32_t>& value, uint32_t old) {
  for (int i = 0; i < kLooks; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    Pause();
  }
  value.wait(old, std::memory_order_acquire);
}

// How many processors the calling thread may run on, and a thread that it starts. (What the
// standard library says is how many the machine has.)
int CountProcessors() {
  cpu_set_t processors;
  if (sched_getaffinity(0, sizeof(processors), &processors) != 0) return 1;
  return CPU_COUNT(&processors);
}

}  // namespace

ThreadPool::ThreadPool(int threads) : threads_(threads) {}

ThreadPool::~ThreadPool() {
  is_stopping_.store(true, std::memory_order_relaxed);
  loops_begun_.fetch_add(1, std::memory_order_release);
  loops_begun_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::ParallelFor(size_t count, size_t grain,
                             absl::FunctionRef<void(size_t begin, size_t end)> work) {
  std::unique_lock<std::mutex> sharing(sharing_, std::defer_lock);
  if (count <= grain || !sharing.try_lock() || !HasWorkers()) {
    ForEachRange(count, grain, work);
    return;
  }
  loop_.work = &work;
  loop_.count = count;
  loop_.grain = grain;
  loop_.ranges = (count - 1) / grain + 1;
  loop_.next.store(0, std::memory_order_relaxed);
  loop_.has_thrown.store(false, std::memory_order_relaxed);
  loop_.exception = nullptr;
  gate_.store(kOpen, std::memory_order_release);
  loops_begun_.fetch_add(1, std::memory_order_release);
  loops_begun_.notify_all();
  TakePart();
  // Who has not come yet is not waited for.
  uint32_t inside = gate_.fetch_and(~kOpen, std::memory_order_acq_rel) & ~kOpen;
  while (inside != 0) {
    WaitWhile(gate_, inside);
    inside = gate_.load(std::memory_order_acquire);
  }
  if (loop_.exception != nullptr) std::rethrow_exception(std::exchange(loop_.exception, nullptr));
}

// Starts the workers, if nobody has: as many as the system lets have.
bool ThreadPool::HasWorkers() {
  if (has_started_) return !workers_.empty();
  has_started_ = true;
  const int threads = threads_ > 0 ? threads_ : CountProcessors();
  workers_.reserve(static_cast<size_t>(threads - 1));
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { Wait(); });
  } catch (const std::system_error&) {
    // Fewer share loops then.
  }
  return !workers_.empty();
}

// What a worker does all its life.
void ThreadPool::Wait() {
  uint32_t seen = 0;
  while (true) {
    WaitWhile(loops_begun_, seen);
    seen = loops_begun_.load(std::memory_order_acquire);
    if (is_stopping_.load(std::memory_order_relaxed)) return;
    uint32_t gate = gate_.load(std::memory_order_relaxed);
    bool has_joined = false;
    while ((gate & kOpen) != 0 && !has_joined) {
      has_joined = gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel,
                                               std::memory_order_relaxed);
    }
    if (!has_joined) continue;
    TakePart();
    // The last one to leave a closed loop tells the caller.
    if (gate_.fetch_sub(1, std::memory_order_acq_rel) == 1) gate_.notify_one();
  }
}

void ThreadPool::TakePart() {
  while (true) {
    const size_t range = loop_.next.fetch_add(1, std::memory_order_relaxed);
    if (range >= loop_.ranges) return;
    const size_t begin = range * loop_.grain;
    try {
      (*loop_.work)(begin, begin + std::min(loop_.grain, loop_.count - begin));
    } catch (...) {
      if (!loop_.has_thrown.exchange(true)) loop_.exception = std::current_exception();
      loop_.next.store(loop_.ranges, std::memory_order_relaxed);
    }
  }
}

}  // namespace nncert
