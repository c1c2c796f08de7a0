// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a process takes more and more, over any number of rounds of the same work, and how long
// it takes to tell.

#ifndef NNCERT_MLTS_STRESS_RESOURCE_TREND_H_
#define NNCERT_MLTS_STRESS_RESOURCE_TREND_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "harness/isolation/resource_growth.h"

namespace nncert {

/// Looks at a process after each round, and finds what it goes on to take. Of many rounds it keeps
/// a few hundred, as far apart as each other.
class ResourceTrend {
 public:
  /// `round` is what a round is called, "load".
  explicit ResourceTrend(std::string round) : round_(std::move(round)) {}

  /// What the process has after another round.
  void Add(const ResourceUse& use);

  /// What each round leaves behind (see GrowingThings), "descriptors, 1 [1, 1] a load"; empty when
  /// nothing is. It must have risen in the first half of the rounds, and go on to in the second, at
  /// half that pace or more: allocators, caches and pools of threads fill, and do not go on. The
  /// first rounds do not count, and fewer than sixteen others tell nothing.
  std::string Growth() const;

  /// FailedPrecondition when something grows, with `who` leaves it behind: "clients that are
  /// killed".
  absl::Status Check(const std::string& who) const;

  /// What the process had at the end, beside the beginning: "12 descriptors (12 at first), 5
  /// threads (5), 31.5 MiB (30.1)"; empty without a round.
  std::string Describe() const;

 private:
  const std::string round_;
  uint64_t rounds_ = 0;
  uint64_t apart_ = 1;
  std::vector<ResourceUse> uses_;  // every apart_-th
  ResourceUse last_;
};

/// For how long a test is to have rounds: its time, and as long again when something seems to grow
/// by then. What a pool of a few things takes by chance, now and then, looks like growth for a
/// while, most of all where a busy machine leaves time for few rounds; it does not go on.
class TimeOfRounds {
 public:
  explicit TimeOfRounds(absl::Duration time,
                        const hal::SteadyClock& clock = hal::SteadyClock::System())
      : time_(time), clock_(clock), end_(time, clock) {}

  /// Whether there have been rounds for long enough. To be asked after each.
  bool IsOver(const ResourceTrend& trend);

 private:
  const absl::Duration time_;
  const hal::SteadyClock& clock_;
  hal::Deadline end_;
  bool is_prolonged_ = false;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_RESOURCE_TREND_H_
