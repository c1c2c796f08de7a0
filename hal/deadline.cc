// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/deadline.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace nncert::hal {
namespace {

class SystemClock final : public SteadyClock {
 public:
  absl::Duration Now() const override {
    return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
  }

  // The system's sleeps go by this clock. So that no timeout is too long for the system, there is
  // an end to them all the same.
  absl::Duration LongestSleep() const override { return absl::Hours(1); }
};

}  // namespace

const SteadyClock& SteadyClock::System() {
  static const auto* const clock = new SystemClock;
  return *clock;
}

Deadline::Deadline(absl::Duration timeout, const SteadyClock& clock)
    : clock_(&clock),
      // Calls without a deadline need not look at the clock.
      moment_(timeout == absl::InfiniteDuration() ? timeout : clock.Now() + timeout) {}

absl::Duration Deadline::Remaining() const {
  if (moment_ == absl::InfiniteDuration()) return moment_;
  return std::max(moment_ - clock_->Now(), absl::ZeroDuration());
}

absl::Duration Deadline::Sleep() const { return std::min(Remaining(), clock_->LongestSleep()); }

int Deadline::PollTimeout() const {
  const int64_t milliseconds =
      absl::ToInt64Milliseconds(absl::Ceil(Sleep(), absl::Milliseconds(1)));
  return static_cast<int>(milliseconds);
}

}  // namespace nncert::hal
