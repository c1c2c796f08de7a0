// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Writes all of something to a file.

#ifndef NNCERT_HAL_WRITE_AT_H_
#define NNCERT_HAL_WRITE_AT_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace nncert::hal {

/// Writes `bytes` at `offset` of the file of a descriptor, wherever that stands. The error is what
/// the system says, behind `failure`; ResourceExhausted where it takes no more.
absl::Status WriteAt(int descriptor, size_t offset, absl::Span<const uint8_t> bytes,
                     std::string_view failure);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_WRITE_AT_H_
