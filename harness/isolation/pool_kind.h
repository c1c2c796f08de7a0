// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Pools of every kind of memory that a driver must take.

#ifndef NNCERT_HARNESS_ISOLATION_POOL_KIND_H_
#define NNCERT_HARNESS_ISOLATION_POOL_KIND_H_

#include <cstdint>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/memory.h"
#include "hal/version.h"

namespace nncert {

/// What a pool is made of.
enum class PoolKind {
  kAshmem,
  kMmapFd,              ///< pages in the middle of an ordinary file
  kReadOnlyMmapFd,      ///< the same, open for reading alone
  kHardwareBufferBlob,  ///< since 1.2
};

/// What messages call the kind: "ashmem", "mmap_fd", "read-only mmap_fd", "hardware_buffer_blob".
std::string_view ToString(PoolKind kind);

/// Whether devices of `version` know pools of the kind.
bool IsKnown(PoolKind kind, hal::HalVersion version);

/// A new pool that holds a copy of `content`. A file has other bytes before and behind it, as many
/// as the pool at the least, so that a driver that looks elsewhere in it goes unpunished by the
/// system and reads what is wrong. The file has no name and goes with the pool. Fails as the system
/// does, when memory, descriptors or space for temporary files have run out.
absl::StatusOr<hal::Memory> MakePool(PoolKind kind, absl::Span<const uint8_t> content);

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_POOL_KIND_H_
