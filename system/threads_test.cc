// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/threads.h"

#include <pthread.h>
#include <unistd.h>

#include <cstddef>
#include <set>
#include <thread>

#include "absl/synchronization/mutex.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

TEST(ThreadsTest, EveryNumberHasAThreadAndZeroTheCallingOne) {
  absl::Mutex mutex;
  std::set<size_t> numbers;
  std::set<std::thread::id> threads;
  std::thread::id of_zero;
  RunOnThreads(5, [&](size_t number) {
    {
      const absl::MutexLock lock(&mutex);
      numbers.insert(number);
      threads.insert(std::this_thread::get_id());
      if (number == 0) of_zero = std::this_thread::get_id();
    }
    // All are there at the same time.
    const absl::MutexLock lock(&mutex);
    const auto are_all_here = [&numbers] { return numbers.size() == 5; };
    mutex.Await(absl::Condition(&are_all_here));
  });
  EXPECT_EQ(numbers, (std::set<size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(threads.size(), 5U);
  EXPECT_EQ(of_zero, std::this_thread::get_id());
}

TEST(ThreadsTest, TheCallingThreadWorksEvenForNone) {
  size_t calls = 0;
  RunOnThreads(0, [&calls](size_t number) {
    EXPECT_EQ(number, 0U);
    ++calls;
  });
  EXPECT_EQ(calls, 1U);
}

// In a process of its own, whose threads are to have stacks for which there is no room.
TEST(ThreadsDeathTest, WithoutMoreThreadsTheCallingOneWorksAlone) {
  const auto run = [] {
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstacksize(&attributes, size_t{1} << 47U) != 0 ||
        pthread_setattr_default_np(&attributes) != 0) {
      _exit(2);
    }
    size_t calls = 0;
    RunOnThreads(3, [&calls](size_t number) { calls += number == 0 ? 1 : 100; });
    _exit(calls == 1 ? 0 : 1);
  };
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace nncert
