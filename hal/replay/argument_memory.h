// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Shared memory for the arguments of a request, which tells when a driver wrote where it must not.

#ifndef NNCERT_HAL_REPLAY_ARGUMENT_MEMORY_H_
#define NNCERT_HAL_REPLAY_ARGUMENT_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/memory.h"
#include "hal/v1_0/types.h"

namespace nncert::hal::replay {

/// A pool in which arguments lie one after the other, aligned to 4 bytes, with guard bytes before,
/// between and after them. Arguments are added, then the pool is shared.
class ArgumentMemory {
 public:
  /// It is to be pool number `pool` of the request.
  explicit ArgumentMemory(uint32_t pool) : pool_(pool) {}

  /// Adds an argument with this content, and says where it lies.
  V1_0::DataLocation Add(const std::vector<uint8_t>& content);

  /// The pool, with all that has been added; to be called once. Fails when there is no memory.
  absl::StatusOr<Memory> Share();

  /// The bytes of an argument as they are now.
  absl::Span<const uint8_t> At(const V1_0::DataLocation& location) const;

  /// Whether no byte has changed but those of `outputs`.
  bool IsIntactOutside(absl::Span<const V1_0::RequestArgument> outputs) const;

 private:
  const uint32_t pool_;
  std::vector<uint8_t> content_;
  Mapping mapping_;
};

}  // namespace nncert::hal::replay

#endif  // NNCERT_HAL_REPLAY_ARGUMENT_MEMORY_H_
