// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a server keeps of its client's memory.

#ifndef NNCERT_HAL_TRANSPORT_KNOWN_POOLS_H_
#define NNCERT_HAL_TRANSPORT_KNOWN_POOLS_H_

#include <cstddef>

namespace nncert::hal::transport {

/// How many pools of one client a server knows at the most beyond those of its last message, and
/// how large they are, in bytes: nncert takes 40 in turn (harness/isolation), and those of bursts
/// are a few more. Each has a descriptor that is open in the server's process. Together at most 12
/// MiB.
inline constexpr size_t kMostKnownPools = 48;
inline constexpr size_t kLargestKnownPool = size_t{1} << 18;

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_KNOWN_POOLS_H_
