// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/deadline.h"

#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>

#include "gtest/gtest.h"
#include "hal/testing/fake_clock.h"

namespace nncert::hal {
namespace {

using ::nncert::hal::testing::FakeClock;

constexpr absl::Duration kInstant = absl::Nanoseconds(1);

TEST(DeadlineTest, passes_when_its_clock_has_come_to_it) {
  FakeClock clock;
  clock.Advance(absl::Hours(5));
  const Deadline deadline(absl::Seconds(2), clock);
  EXPECT_FALSE(deadline.HasPassed());
  EXPECT_EQ(deadline.Remaining(), absl::Seconds(2));
  clock.Advance(absl::Seconds(2) - kInstant);
  EXPECT_FALSE(deadline.HasPassed());
  EXPECT_EQ(deadline.Remaining(), kInstant);
  clock.Advance(kInstant);
  EXPECT_TRUE(deadline.HasPassed());
  EXPECT_EQ(deadline.Remaining(), absl::ZeroDuration());
  clock.Advance(absl::Hours(1));
  EXPECT_TRUE(deadline.HasPassed());
  EXPECT_EQ(deadline.Remaining(), absl::ZeroDuration());
}

TEST(DeadlineTest, never_passes_when_there_is_no_end) {
  FakeClock clock;
  const Deadline deadline(absl::InfiniteDuration(), clock);
  clock.Advance(absl::Hours(1'000'000));
  EXPECT_FALSE(deadline.HasPassed());
  EXPECT_EQ(deadline.Remaining(), absl::InfiniteDuration());
  EXPECT_FALSE(Deadline::Never().HasPassed());
}

TEST(DeadlineTest, has_passed_from_the_beginning_without_any_time) {
  FakeClock clock;
  for (const absl::Duration timeout :
       {absl::ZeroDuration(), -absl::Seconds(1), -absl::InfiniteDuration()}) {
    const Deadline deadline(timeout, clock);
    EXPECT_TRUE(deadline.HasPassed()) << timeout;
    EXPECT_EQ(deadline.Remaining(), absl::ZeroDuration()) << timeout;
    EXPECT_EQ(deadline.PollTimeout(), 0) << timeout;
  }
}

TEST(DeadlineTest, sleeps_are_no_longer_than_what_remains_and_than_the_clock_allows) {
  FakeClock clock;
  EXPECT_EQ(Deadline(absl::Microseconds(300), clock).Sleep(), absl::Microseconds(300));
  EXPECT_EQ(Deadline(absl::Seconds(1), clock).Sleep(), absl::Milliseconds(1));
  EXPECT_EQ(Deadline::Never().Sleep(), SteadyClock::System().LongestSleep());
  EXPECT_LE(Deadline(absl::Seconds(1)).Sleep(), absl::Seconds(1));
}

TEST(DeadlineTest, poll_gets_whole_milliseconds_that_do_not_end_too_early) {
  FakeClock clock;
  EXPECT_EQ(Deadline(kInstant, clock).PollTimeout(), 1);
  EXPECT_EQ(Deadline(absl::Milliseconds(1), clock).PollTimeout(), 1);
  for (const absl::Duration longest :
       {absl::Hours(1'000'000), absl::Seconds(std::numeric_limits<int64_t>::max()),
        absl::InfiniteDuration()}) {
    EXPECT_EQ(Deadline(longest).PollTimeout(), 3'600'000) << longest;
  }
}

TEST(DeadlineTest, a_condition_is_waited_for_until_it_holds) {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  std::thread thread([&] {
    const std::lock_guard<std::mutex> lock(mutex);
    is_done = true;
    changed.notify_one();
  });
  std::unique_lock<std::mutex> lock(mutex);
  EXPECT_TRUE(Deadline::Never().Await(changed, lock, [&] { return is_done; }));
  lock.unlock();
  thread.join();
  lock.lock();
  EXPECT_TRUE(Deadline(absl::ZeroDuration()).Await(changed, lock, [&] { return is_done; }));
}

TEST(DeadlineTest, a_condition_is_waited_for_until_the_clock_says_so_and_no_longer) {
  FakeClock clock;
  const Deadline deadline(absl::Seconds(10), clock);
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock<std::mutex> lock(mutex);
  // Each look lets a second pass; the time that the waiting really takes does not matter.
  int looks = 0;
  EXPECT_FALSE(deadline.Await(changed, lock, [&] {
    ++looks;
    clock.Advance(absl::Seconds(1));
    return false;
  }));
  EXPECT_EQ(looks, 10);
  EXPECT_TRUE(lock.owns_lock());
}

TEST(DeadlineTest, a_condition_without_notice_is_looked_at_until_it_holds_or_the_clock_says_so) {
  FakeClock clock;
  const Deadline deadline(absl::Seconds(10), clock);
  int looks = 0;
  const auto look = [&](int last) {
    ++looks;
    clock.Advance(absl::Seconds(1));
    return looks == last;
  };
  EXPECT_TRUE(deadline.AwaitByLooking([&] { return look(3); }));
  EXPECT_EQ(looks, 3);
  EXPECT_FALSE(deadline.AwaitByLooking([&] { return look(100); }));
  EXPECT_EQ(looks, 10);
  EXPECT_TRUE(deadline.AwaitByLooking([] { return true; }));
}

TEST(DeadlineTest, what_takes_more_than_a_few_looks_is_waited_for_all_the_same) {
  int looks = 0;
  EXPECT_TRUE(Deadline::Never().AwaitByLooking([&] { return ++looks == 30; }));
}

TEST(SteadyClockTest, that_of_the_system_goes_as_fast_as_its_sleeps) {
  const absl::Duration start = SteadyClock::System().Now();
  std::mutex mutex;
  std::condition_variable changed;
  std::unique_lock<std::mutex> lock(mutex);
  const Deadline deadline(absl::Milliseconds(20));
  EXPECT_FALSE(deadline.Await(changed, lock, [] { return false; }));
  EXPECT_GE(SteadyClock::System().Now() - start, absl::Milliseconds(20));
}

}  // namespace
}  // namespace nncert::hal
