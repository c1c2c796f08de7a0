// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <kj/mutex.h>

#include <memory>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/barrier.h"
#include "absl/synchronization/blocking_counter.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 200;

// Runs a function on several threads at once, and waits for all.
template <typename Function>
void OnThreads(const Function& function) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(function);
  for (std::thread& thread : threads) thread.join();
}

TEST(AbseilLocksTest, MutexOrdersWritersAndReaders) {
  absl::Mutex mutex;
  int count = 0;
  OnThreads([&] {
    for (int i = 0; i < kRounds; ++i) {
      {
        absl::MutexLock lock(&mutex);
        ++count;
      }
      absl::ReaderMutexLock lock(&mutex);
      EXPECT_GT(count, 0);
    }
  });
  EXPECT_EQ(count, kThreads * kRounds);
}

TEST(AbseilLocksTest, TryLockOrdersWriters) {
  absl::Mutex mutex;
  int count = 0;
  OnThreads([&] {
    for (int i = 0; i < kRounds; ++i) {
      while (!mutex.TryLock()) std::this_thread::yield();
      ++count;
      mutex.Unlock();
    }
  });
  EXPECT_EQ(count, kThreads * kRounds);
}

TEST(AbseilLocksTest, AwaitSeesWhatMadeItsConditionTrue) {
  absl::Mutex mutex;
  int turn = 0;
  int payload = 0;
  std::thread other([&] {
    for (int i = 0; i < kRounds; ++i) {
      const auto odd = [&] { return turn % 2 == 1; };
      absl::MutexLock lock(&mutex);
      mutex.Await(absl::Condition(&odd));
      ++payload;
      ++turn;
    }
  });
  for (int i = 0; i < kRounds; ++i) {
    const auto even = [&] { return turn % 2 == 0; };
    mutex.LockWhen(absl::Condition(&even));
    ++payload;
    ++turn;
    mutex.Unlock();
  }
  other.join();
  EXPECT_EQ(payload, 2 * kRounds);
}

TEST(AbseilLocksTest, ConditionVariableSeesWhatWasSignalled) {
  absl::Mutex mutex;
  absl::CondVar changed;
  bool ready = false;
  int payload = 0;
  std::thread waiter([&] {
    absl::MutexLock lock(&mutex);
    while (!ready) {
      if (changed.WaitWithTimeout(&mutex, absl::Minutes(1))) break;
    }
    EXPECT_EQ(payload, 7);
  });
  {
    absl::MutexLock lock(&mutex);
    payload = 7;
    ready = true;
    changed.Signal();
  }
  waiter.join();
}

TEST(AbseilLocksTest, NotificationOrdersWhatCameBefore) {
  for (int i = 0; i < kRounds; ++i) {
    absl::Notification notification;
    int payload = 0;
    std::thread waiter([&] {
      notification.WaitForNotification();
      EXPECT_EQ(payload, 7);
    });
    std::thread poller([&] {
      while (!notification.HasBeenNotified()) std::this_thread::yield();
      EXPECT_EQ(payload, 7);
    });
    payload = 7;
    notification.Notify();
    waiter.join();
    poller.join();
  }
}

TEST(AbseilLocksTest, BlockingCounterAndBarrierOrderAllThreads) {
  std::vector<int> slots(kThreads, 0);
  absl::BlockingCounter counter(kThreads);
  auto* barrier = new absl::Barrier(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      slots[i] = 1;
      if (barrier->Block()) delete barrier;
      int filled = 0;
      for (const int slot : slots) filled += slot;
      EXPECT_EQ(filled, kThreads);
      counter.DecrementCount();
    });
  }
  counter.Wait();
  slots.assign(kThreads, 2);
  for (std::thread& thread : threads) thread.join();
}

TEST(AbseilStatusTest, CopiesMayBeReadAndDroppedByManyThreads) {
  for (int i = 0; i < kRounds; ++i) {
    auto original = std::make_unique<absl::Status>(absl::InternalError("read by all"));
    std::vector<std::thread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back(
          [copy = *original] { EXPECT_EQ(copy.message(), absl::string_view("read by all")); });
    }
    original.reset();
    for (std::thread& thread : threads) thread.join();
  }
}

TEST(KjLocksTest, MutexGuardedOrdersWritersAndReaders) {
  const kj::MutexGuarded<int> count(0);
  OnThreads([&] {
    for (int i = 0; i < kRounds; ++i) {
      ++*const_cast<kj::MutexGuarded<int>&>(count).lockExclusive();
      EXPECT_GT(*count.lockShared(), 0);
    }
  });
  EXPECT_EQ(*count.lockShared(), kThreads * kRounds);
}

TEST(KjLocksTest, WhenSeesWhatMadeItsConditionTrue) {
  const kj::MutexGuarded<int> turn(0);
  std::thread other([&] {
    turn.when([](const int& value) { return value == 1; }, [](int& value) { value = 2; });
  });
  *turn.lockExclusive() = 1;
  turn.when([](const int& value) { return value == 2; }, [](int& value) { value = 3; });
  other.join();
  EXPECT_EQ(*turn.lockShared(), 3);
}

TEST(KjLocksTest, LazyInitializesOnceForAll) {
  for (int i = 0; i < kRounds; ++i) {
    const kj::Lazy<int> lazy;
    OnThreads([&] {
      EXPECT_EQ(lazy.get([](kj::SpaceFor<int>& space) { return space.construct(7); }), 7);
    });
  }
}

}  // namespace
}  // namespace nncert
