// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A clock for tests.

#ifndef NNCERT_HAL_TESTING_FAKE_CLOCK_H_
#define NNCERT_HAL_TESTING_FAKE_CLOCK_H_

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "hal/deadline.h"

namespace nncert::hal::testing {

/// A clock that stands still until the test moves it, so that no deadline passes because the
/// machine is slow. Thread-safe.
class FakeClock final : public SteadyClock {
 public:
  absl::Duration Now() const override {
    const absl::MutexLock lock(&mutex_);
    return now_;
  }

  /// A millisecond: whoever waits need not be told that the clock was moved.
  absl::Duration LongestSleep() const override { return absl::Milliseconds(1); }

  /// Lets time pass.
  void Advance(absl::Duration duration) {
    const absl::MutexLock lock(&mutex_);
    now_ += duration;
  }

 private:
  mutable absl::Mutex mutex_;
  absl::Duration now_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_FAKE_CLOCK_H_
