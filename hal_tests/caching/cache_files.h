// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cache files for drivers, as good ones and as bad ones.

#ifndef NNCERT_HAL_TESTS_CACHING_CACHE_FILES_H_
#define NNCERT_HAL_TESTS_CACHING_CACHE_FILES_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "absl/functional/function_ref.h"
#include "hal/compilation_cache.h"
#include "hal/handle.h"
#include "harness/isolation/cache_file_set.h"
#include "harness/isolation/device_calls.h"

namespace nncert {

/// Overwrites the model cache with one content after the other and begins again, in a thread of its
/// own, until its end.
class CacheRacer {
 public:
  /// There is at least one content. Returns when the first of them has been written.
  CacheRacer(const CacheFileSet& files, std::vector<hal::CompilationCache> contents);
  CacheRacer(const CacheRacer&) = delete;
  CacheRacer& operator=(const CacheRacer&) = delete;
  ~CacheRacer();

  /// How many contents have been written so far.
  uint64_t written() const { return written_; }

 private:
  std::atomic<uint64_t> written_ = 0;
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

/// As many bytes as `size`, the same for the same seed.
std::vector<uint8_t> RandomBytes(size_t size, uint64_t seed);

/// A cache with `model` files and `data` files of `size` random bytes.
hal::CompilationCache RandomContents(size_t model, size_t data, size_t size, uint64_t seed);

/// Whether to go on: told what was done to a cache, and what is in it then.
using TryContents =
    absl::FunctionRef<bool(const std::string& what, const hal::CompilationCache& contents)>;

/// Which files of a cache are broken.
enum class CacheKind { kModel, kData };

/// Flips one bit of a file at a time: at the first bytes, the last ones, at those where headers
/// have their fields, and at about `places` more, which are spread over the whole.
void ForEachFlippedBit(const hal::CompilationCache& cache, CacheKind kind, size_t places,
                       TryContents try_contents);

/// Makes a file shorter, to nothing at last, or longer.
void ForEachWrongLength(const hal::CompilationCache& cache, CacheKind kind,
                        TryContents try_contents);

/// Files that no driver has written, as long as those of `cache`.
void ForEachGarbage(const hal::CompilationCache& cache, TryContents try_contents);

/// Handles that are wrong, and in which way.
struct WrongHandles {
  std::string what;
  CacheFiles files;
};

/// The handles with one too many and one too few, of either kind.
std::vector<WrongHandles> WrongNumbersOfHandles(const CacheFiles& files, const hal::Handle& more);

/// The handles with two descriptors in one of them, and with none.
std::vector<WrongHandles> WrongNumbersOfDescriptors(const CacheFiles& files,
                                                    const hal::Handle& more);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CACHING_CACHE_FILES_H_
