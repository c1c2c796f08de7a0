// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Memory of requests that nobody uses any more, for the next ones.

#ifndef NNCERT_HARNESS_ISOLATION_SPARE_POOLS_H_
#define NNCERT_HARNESS_ISOLATION_SPARE_POOLS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "hal/memory.h"

namespace nncert {

/// Pools for the requests to one driver. To make a pool and to map it costs more than most small
/// executions, so pools that have come back are taken again, also for other models. Not
/// thread-safe.
class SparePools {
 public:
  /// Pools of up to this size are kept for other cases.
  static constexpr size_t kLargestKept = size_t{1} << 18;

  /// A pool of `size` bytes of any content: the spare one that has been back for longest, or a new
  /// one. Fails as hal::Memory::Allocate does.
  absl::StatusOr<hal::Memory> Take(size_t size);

  /// Gives a pool back. It is not taken again while anybody else in this process still has it, as a
  /// driver has that was called and did not return, or whose burst knows it. (A driver in another
  /// process that still writes to a pool when all is over spoils the next request.)
  void GiveBack(hal::Memory pool);

  /// Lets go of large pools: their case is over.
  void DropLarge();

 private:
  std::vector<hal::Memory> spares_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_SPARE_POOLS_H_
