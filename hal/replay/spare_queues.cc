// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/spare_queues.h"

#include <algorithm>
#include <utility>

namespace nncert::hal::replay {

absl::StatusOr<BurstQueues> SpareQueues::Take(const BurstLengths& lengths) {
  {
    const absl::MutexLock lock(&mutex_);
    const auto spare = std::find_if(spares_.begin(), spares_.end(), [&](BurstQueues& queues) {
      return queues.requests.capacity() == lengths.request_elements &&
             queues.results.capacity() == lengths.result_elements && queues.requests.renew() &&
             queues.results.renew();
    });
    if (spare != spares_.end()) {
      BurstQueues queues = std::move(*spare);
      spares_.erase(spare);
      return queues;
    }
  }
  return BurstQueues::Create(lengths);
}

void SpareQueues::GiveBack(BurstQueues queues) {
  const absl::MutexLock lock(&mutex_);
  if (spares_.size() == kMostSpares) spares_.erase(spares_.begin());
  spares_.push_back(std::move(queues));
}

}  // namespace nncert::hal::replay
