// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cache files for tests.

#ifndef NNCERT_HAL_TESTING_CACHE_FILE_H_
#define NNCERT_HAL_TESTING_CACHE_FILE_H_

#include <fcntl.h>

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "hal/handle.h"

namespace nncert::hal::testing {

/// A file in memory, empty at first, that can be opened as one in a folder can. It may be sealed
/// (F_ADD_SEALS).
class CacheFile {
 public:
  CacheFile();

  /// A handle with a new descriptor of the file, at its beginning, opened with these flags.
  Handle Open(int flags = O_RDWR) const;

  /// All bytes of the file.
  std::vector<uint8_t> Read() const;

  /// Gives the file other content.
  void Write(absl::Span<const uint8_t> bytes) const;

 private:
  FileDescriptor file_;
};

}  // namespace nncert::hal::testing

#endif  // NNCERT_HAL_TESTING_CACHE_FILE_H_
