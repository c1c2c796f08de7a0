// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Files as a whole.

#ifndef NNCERT_SYSTEM_FILE_CONTENT_H_
#define NNCERT_SYSTEM_FILE_CONTENT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace nncert {

/// The most bytes of a file that is read as a whole: 1 GiB.
inline constexpr uint64_t kMostFileBytes = uint64_t{1} << 30;

/// The bytes of a file. NotFound when there is none; InvalidArgument when it is no regular file or
/// longer than kMostFileBytes; Unavailable when it cannot be read. The message begins with the
/// path.
absl::StatusOr<std::vector<uint8_t>> ReadFileBytes(const std::string& path);

/// The lines of a text file, without their ends ("\n" or "\r\n"). Fails as ReadFileBytes does.
absl::StatusOr<std::vector<std::string>> ReadFileLines(const std::string& path);

/// The paths of what a folder has, in alphabetical order. NotFound when there is no such folder,
/// Unavailable when it cannot be read. The message begins with the path.
absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path);

}  // namespace nncert

#endif  // NNCERT_SYSTEM_FILE_CONTENT_H_
