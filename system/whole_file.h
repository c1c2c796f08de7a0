// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Files that are there as a whole, or not at all, and are read as a whole.

#ifndef NNCERT_SYSTEM_WHOLE_FILE_H_
#define NNCERT_SYSTEM_WHOLE_FILE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace nncert {

/// What a file that WriteWholeFile has not come to the end of ends in.
inline constexpr std::string_view kPartialSuffix = ".partial";

/// Writes a file in the place of the one that is at `path`, if there is one, which stays as it is
/// until the new one is there as a whole. (What is no regular file, a terminal or a link for
/// example, is written to instead.) The error names the path.
absl::Status WriteWholeFile(const std::string& path, absl::Span<const uint8_t> bytes);
absl::Status WriteWholeFile(const std::string& path, std::string_view text);

/// All bytes of a file, as text. Fails as ReadFileBytes.
absl::StatusOr<std::string> ReadWholeFile(const std::string& path);

}  // namespace nncert

#endif  // NNCERT_SYSTEM_WHOLE_FILE_H_
