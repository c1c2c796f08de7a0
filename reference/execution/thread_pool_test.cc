// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <limits>
#include <mutex>
#include <new>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::set<std::pair<size_t, size_t>> RangesOf(ThreadPool& pool, size_t count, size_t grain) {
  std::mutex mutex;
  std::set<std::pair<size_t, size_t>> ranges;
  pool.ParallelFor(count, grain, [&](size_t begin, size_t end) {
    const std::lock_guard<std::mutex> lock(mutex);
    EXPECT_TRUE(ranges.insert({begin, end}).second);
  });
  return ranges;
}

TEST(ThreadPoolTest, RangesDoNotDependOnTheNumberOfThreads) {
  for (const int threads : {1, 2, 4}) {
    ThreadPool pool(threads);
    EXPECT_THAT(RangesOf(pool, 10, 4), ElementsAre(Pair(0, 4), Pair(4, 8), Pair(8, 10)));
    EXPECT_THAT(RangesOf(pool, 8, 4), ElementsAre(Pair(0, 4), Pair(4, 8)));
    EXPECT_THAT(RangesOf(pool, 3, 4), ElementsAre(Pair(0, 3)));
    EXPECT_TRUE(RangesOf(pool, 0, 4).empty());
    const size_t most = std::numeric_limits<size_t>::max();
    EXPECT_THAT(RangesOf(pool, 3, most), ElementsAre(Pair(0, 3)));
  }
}

// How many threads the first loop of a pool starts.
ptrdiff_t ThreadsStarted(int threads) {
  const auto count = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
  };
  const ptrdiff_t before = count();
  ThreadPool pool(threads);
  pool.ParallelFor(2, 1, [](size_t, size_t) {});
  return count() - before;
}

TEST(ThreadPoolTest, HasAThreadForEachProcessorOfTheCallerUnlessToldOtherwise) {
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  EXPECT_EQ(ThreadsStarted(0), CPU_COUNT(&all) - 1);
  EXPECT_EQ(ThreadsStarted(3), 2);
  cpu_set_t one;
  CPU_ZERO(&one);
  int processor = 0;
  while (!CPU_ISSET(processor, &all)) ++processor;
  CPU_SET(processor, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(ThreadsStarted(0), 0);
  EXPECT_EQ(ThreadsStarted(3), 2);
  ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
}

TEST(ThreadPoolTest, TheCallerSeesAllThatIsWritten) {
  ThreadPool pool(4);
  std::vector<int> values(1000);
  for (int round = 1; round <= 200; ++round) {
    pool.ParallelFor(values.size(), 7, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) values[i] += static_cast<int>(i);
    });
    for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], round * static_cast<int>(i));
  }
}

TEST(ThreadPoolTest, ThreadsShareALoop) {
  ThreadPool pool(2);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  // Each of the two ranges waits for the other to begin, which takes two threads.
  std::atomic<int> begun = 0;
  pool.ParallelFor(2, 1, [&](size_t, size_t) {
    ++begun;
    const auto start = std::chrono::steady_clock::now();
    while (begun < 2 && std::chrono::steady_clock::now() - start < std::chrono::seconds(60)) {
      std::this_thread::yield();
    }
    const std::lock_guard<std::mutex> lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 2);
}

TEST(ThreadPoolTest, WorkersThatHaveGoneToSleepWakeUp) {
  ThreadPool pool(2);
  for (int round = 0; round < 5; ++round) {
    std::atomic<int> begun = 0;
    pool.ParallelFor(2, 1, [&](size_t, size_t) {
      ++begun;
      const auto start = std::chrono::steady_clock::now();
      while (begun < 2 && std::chrono::steady_clock::now() - start < std::chrono::seconds(60)) {
        std::this_thread::yield();
      }
    });
    EXPECT_EQ(begun, 2);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

TEST(ThreadPoolTest, ACallerThatFindsItTakenWorksAlone) {
  ThreadPool pool(2);
  std::atomic<bool> is_done = false;
  std::atomic<int> begun = 0;
  std::thread other([&] {
    // Holds both threads until the second caller is done.
    pool.ParallelFor(2, 1, [&](size_t, size_t) {
      ++begun;
      while (!is_done) std::this_thread::yield();
    });
  });
  while (begun < 2) std::this_thread::yield();
  std::set<std::thread::id> threads;
  size_t total = 0;
  pool.ParallelFor(100, 10, [&](size_t begin, size_t end) {
    threads.insert(std::this_thread::get_id());
    total += end - begin;
  });
  is_done = true;
  other.join();
  EXPECT_EQ(total, 100);
  EXPECT_EQ(threads, std::set<std::thread::id>{std::this_thread::get_id()});
}

TEST(ThreadPoolTest, ServesManyCallersAtOnce) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<size_t> total = 0;
  for (int t = 0; t < 4; ++t) {
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) {
        pool.ParallelFor(50, 3, [&](size_t begin, size_t end) { total += end - begin; });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 4 * 200 * 50);
}

TEST(ThreadPoolTest, PassesOnWhatACallThrows) {
  ThreadPool pool(3);
  for (int round = 0; round < 50; ++round) {
    EXPECT_THROW(pool.ParallelFor(100, 1,
                                  [](size_t begin, size_t) {
                                    if (begin % 3 == 0) throw std::bad_alloc();
                                  }),
                 std::bad_alloc);
    // Nothing of that is left.
    std::atomic<size_t> total = 0;
    pool.ParallelFor(100, 1, [&](size_t begin, size_t end) { total += end - begin; });
    EXPECT_EQ(total, 100);
  }
}

TEST(ThreadPoolTest, ComesAndGoes) {
  for (int round = 0; round < 50; ++round) {
    ThreadPool pool(3);
    if (round % 2 == 0) continue;
    std::atomic<size_t> total = 0;
    pool.ParallelFor(9, 1, [&](size_t begin, size_t end) { total += end - begin; });
    EXPECT_EQ(total, 9);
  }
}

}  // namespace
}  // namespace nncert
