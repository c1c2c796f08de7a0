// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/write_at.h"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/string_view.h"

namespace nncert::hal {

absl::Status WriteAt(int descriptor, size_t offset, absl::Span<const uint8_t> bytes,
                     std::string_view failure) {
  while (!bytes.empty()) {
    const ssize_t count =
        pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      return absl::ErrnoToStatus(count < 0 ? errno : ENOSPC,
                                 absl::string_view(failure.data(), failure.size()));
    }
    offset += static_cast<size_t>(count);
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

}  // namespace nncert::hal
