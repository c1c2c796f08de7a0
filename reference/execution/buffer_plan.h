// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Where the values of a model are kept during an execution, so that values that are not needed at
// the same time share memory.

#ifndef NNCERT_REFERENCE_EXECUTION_BUFFER_PLAN_H_
#define NNCERT_REFERENCE_EXECUTION_BUFFER_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"

namespace nncert {

/// A value that an execution has to keep.
struct BufferDemand {
  /// The first and the last operation that needs it, written or read.
  uint32_t first = 0;
  uint32_t last = 0;
  /// Its bytes; nothing when they are known no sooner than during the execution. A value of no
  /// bytes takes no place.
  std::optional<size_t> size;
};

/// Where a value goes: into the arena when its size is known, otherwise into a buffer that grows.
struct BufferPlace {
  bool is_in_arena = false;
  /// The offset in the arena, a multiple of kBufferAlignment, or the number of the buffer.
  size_t position = 0;
};

struct BufferPlan {
  /// By demand.
  std::vector<BufferPlace> places;
  size_t arena_size = 0;
  /// The number of buffers that grow.
  size_t growing_buffers = 0;
};

/// Places every value so that no two share memory that an operation needs both of. Values of known
/// size go, the largest first, to the lowest offset that is free as long as they live, which keeps
/// the arena near the least size that is possible. Takes time quadratic in the number of demands.
BufferPlan PlanBuffers(absl::Span<const BufferDemand> demands);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_BUFFER_PLAN_H_
