// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a process takes more and more.

#ifndef NNCERT_HARNESS_ISOLATION_RESOURCE_GROWTH_H_
#define NNCERT_HARNESS_ISOLATION_RESOURCE_GROWTH_H_

#include <cstdint>
#include <string>
#include <vector>

#include "hal/transport/known_pools.h"

namespace nncert {

/// What a driver's process, and all that it has started, have at a time.
struct ResourceUse {
  /// Descriptors that are open.
  uint64_t descriptors = 0;
  /// Bytes of physical memory of their own; see hal::ProcessStatus.
  uint64_t memory = 0;
  /// Threads.
  uint64_t threads = 0;
  /// Processes.
  uint64_t processes = 1;

  bool operator==(const ResourceUse&) const = default;
};

/// Finds out by a few looks at a driver's process, each between two cases, whether the driver keeps
/// what it should give back. A driver may keep caches, so that some growth is none of its faults.
class ResourceGrowth {
 public:
  /// Whether a look is due after this many cases: after the first, the second, the fourth and so
  /// on, so that many cases cost few looks.
  static bool IsDue(uint64_t cases);

  /// A look after a number of cases, which is greater than that of the look before.
  void Add(uint64_t cases, const ResourceUse& use);

  /// What is wrong, a sentence without a full stop each: more than kMostDescriptors descriptors,
  /// kMostThreads threads or kMostProcesses processes more than after the first case; or memory
  /// that has grown in step with the number of cases, which is by at least kLeastMemory in each of
  /// the last two times that their number doubled, and by half as much again in the second.
  std::vector<std::string> Findings() const;

  /// Those of pools that the server in the process knows are no doing of the driver's.
  static constexpr uint64_t kMostDescriptors = 64 + hal::transport::kMostKnownPools;
  /// Pools of threads may come to the size of a large machine in the second case only.
  static constexpr uint64_t kMostThreads = 1024;
  static constexpr uint64_t kMostProcesses = 8;
  /// Both times together are more than the 256 MiB of what a driver has freed that AddressSanitizer
  /// keeps back.
  static constexpr uint64_t kLeastMemory = uint64_t{160} << 20;

 private:
  struct Look {
    uint64_t cases;
    ResourceUse use;
  };

  std::vector<Look> looks_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_RESOURCE_GROWTH_H_
