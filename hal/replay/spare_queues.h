// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Queues of bursts that have ended, for the next ones.

#ifndef NNCERT_HAL_REPLAY_SPARE_QUEUES_H_
#define NNCERT_HAL_REPLAY_SPARE_QUEUES_H_

#include <cstddef>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "hal/burst_controller.h"

namespace nncert::hal::replay {

/// Queues for the bursts of whoever makes the calls of sequences. To make queues and to map them
/// costs as much as a small execution, so those that have come back are taken again. Thread-safe.
class SpareQueues {
 public:
  /// How many bursts' queues are kept at the most: models are executed one after the other, and a
  /// driver may take a moment to let go.
  static constexpr size_t kMostSpares = 4;

  /// Empty queues of these lengths: spare ones, or new ones. Fails as BurstQueues::Create does.
  absl::StatusOr<BurstQueues> Take(const BurstLengths& lengths);

  /// Gives queues back, whose burst has been closed. They are not taken again while anybody else in
  /// this process still has one of them, as a driver has that does not end the burst.
  void GiveBack(BurstQueues queues);

 private:
  absl::Mutex mutex_;
  std::vector<BurstQueues> spares_ ABSL_GUARDED_BY(mutex_);  // in the order in which they came back
};

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_SPARE_QUEUES_H_
