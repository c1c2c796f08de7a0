// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Until when something is waited for.
//
// Deadlines go by a clock that nobody sets. The time of day (absl::Now, std::chrono::system_clock)
// may be set at any moment, by hours and in either direction; it is for dates that are printed. The
// waits of absl::Mutex, absl::CondVar and absl::Notification that take a timeout go by the time of
// day as well (absl 20220623 hands the kernel an absolute time of CLOCK_REALTIME), so that a step
// ends them early or keeps them for hours: wait with Deadline::Await instead.

#ifndef NNCERT_HAL_DEADLINE_H_
#define NNCERT_HAL_DEADLINE_H_

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "absl/time/time.h"

namespace nncert::hal {

/// A clock that only goes forward, as fast as time does. Thread-safe.
class SteadyClock {
 public:
  virtual ~SteadyClock() = default;

  /// The time since a moment that is always the same; the difference of two is what passed between
  /// them.
  virtual absl::Duration Now() const = 0;

  /// How long a thread that waits for this clock may sleep before it looks at it again.
  virtual absl::Duration LongestSleep() const = 0;

  /// That of the system, which stands still while the machine is suspended (CLOCK_MONOTONIC).
  static const SteadyClock& System();
};

/// Lets another thread run before the calling one goes to sleep until `holds()`, which is called
/// under the lock. Of two threads that wait for each other by turns on one processor, whoever
/// yields finds that the other has done its part, and neither is put to sleep and woken: that costs
/// a third of it.
template <typename Condition>
void YieldOnce(std::unique_lock<std::mutex>& lock, Condition holds) {
  if (holds()) return;
  lock.unlock();
  std::this_thread::yield();
  lock.lock();
}

/// A moment of a clock until which something may take. Waits of any kind are loops: sleep no longer
/// than Sleep(), look whether it has come, and give up when HasPassed().
class Deadline {
 public:
  /// `timeout` from now on; never when that is infinite, at once when it is not positive. The clock
  /// must outlive this and its copies.
  explicit Deadline(absl::Duration timeout, const SteadyClock& clock = SteadyClock::System());

  /// One that does not pass.
  static Deadline Never() { return Deadline(absl::InfiniteDuration()); }

  /// Whether it has come.
  bool HasPassed() const { return Remaining() == absl::ZeroDuration(); }

  /// How much time is left; zero when it has passed.
  absl::Duration Remaining() const;

  /// How long a thread that waits may sleep at the most before it looks again: what remains, or
  /// less.
  absl::Duration Sleep() const;

  /// Sleep() as poll takes it: in milliseconds, rounded up.
  int PollTimeout() const;

  /// Waits until `holds()`, which is called under the lock; whoever changes what it says notifies
  /// `changed`. Returns what it said last: false when the deadline has passed.
  template <typename Condition>
  bool Await(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
             Condition holds) const {
    YieldOnce(lock, holds);
    while (!holds()) {
      if (HasPassed()) return false;
      // The C++ library waits for a duration by CLOCK_MONOTONIC.
      changed.wait_for(lock, absl::ToChronoNanoseconds(Sleep()));
    }
    return true;
  }

  /// Waits until `holds()`, of which nobody gives notice. Returns what it said last: false when the
  /// deadline has passed.
  template <typename Condition>
  bool AwaitByLooking(Condition holds) const {
    // Mostly the other side needs no more than the processor.
    int yields = 20;
    absl::Duration pause = absl::Microseconds(50);
    while (!holds()) {
      if (HasPassed()) return false;
      if (yields-- > 0) {
        std::this_thread::yield();
        continue;
      }
      std::this_thread::sleep_for(absl::ToChronoNanoseconds(std::min(pause, Sleep())));
      pause = std::min(2 * pause, absl::Milliseconds(2));
    }
    return true;
  }

 private:
  const SteadyClock* clock_;
  absl::Duration moment_;
};

}  // namespace nncert::hal

#endif  // NNCERT_HAL_DEADLINE_H_
