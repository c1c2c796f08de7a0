// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The files that a driver caches a compilation in.

#ifndef NNCERT_HARNESS_ISOLATION_CACHE_FILE_SET_H_
#define NNCERT_HARNESS_ISOLATION_CACHE_FILE_SET_H_

#include <fcntl.h>

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/compilation_cache.h"
#include "hal/handle.h"
#include "harness/isolation/device_calls.h"

namespace nncert {

/// The files of one cache, in memory, which can be opened as those in a folder can. What is in them
/// is told as a hal::CompilationCache: all bytes of each.
class CacheFileSet {
 public:
  /// Makes a file for each content, with that in it. Fails when memory or descriptors have run out.
  static absl::StatusOr<CacheFileSet> Create(const hal::CompilationCache& contents);

  /// Gives the files, of which there are as many, other contents.
  absl::Status Write(const hal::CompilationCache& contents) const;

  /// All that is in the files.
  absl::StatusOr<hal::CompilationCache> Read() const;

  /// Handles of one new descriptor each, opened with `flags`, and at byte `offset` of the file.
  absl::StatusOr<CacheFiles> Open(const hal::V1_2::CacheToken& token, int flags = O_RDWR,
                                  off_t offset = 0) const;

  /// The files of the model cache.
  const std::vector<hal::FileDescriptor>& model() const { return model_; }

 private:
  std::vector<hal::FileDescriptor> model_;
  std::vector<hal::FileDescriptor> data_;
};

/// Writes from the beginning of a file, whose size may only grow by that.
absl::Status WriteOver(const hal::FileDescriptor& file, absl::Span<const uint8_t> bytes);

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_CACHE_FILE_SET_H_
