// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Compilation caches as files: what a driver saves of a prepared model, and has to look at before
// it trusts what it finds.
//
// The files are the client's, which may do with them what it likes, also while the driver reads and
// writes them. So everything is read once, into memory of the driver's own, and looked at there. A
// cache is refused unless all of its files are whole, belong together, and were saved by the same
// release of the same driver under the same token.
//
// What that protects from depends on CacheOwner::key. Without one, digests tell damage: flipped
// bits, truncation, files of other caches. Whoever wants to deceive computes new digests, so the
// contents must be read like anything else that a client sends, as data that may be hostile. With a
// key, nobody who does not know it can make a file that is accepted, so that a model cache may hold
// what the driver could not check, machine code for example. In either case a client can put back
// an older cache of the same token, and read what is saved: nothing is encrypted.

#ifndef NNCERT_HAL_COMPILATION_CACHE_H_
#define NNCERT_HAL_COMPILATION_CACHE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/handle.h"
#include "hal/v1_2/types.h"

namespace nncert::hal {

/// What a driver saves of a compilation: the contents of its cache files, any bytes, in the order
/// of the handles.
struct CompilationCache {
  /// What would be dangerous if it were changed.
  std::vector<std::vector<uint8_t>> model;
  /// Constants: a change of them could do no worse than make results wrong.
  std::vector<std::vector<uint8_t>> data;

  bool operator==(const CompilationCache&) const = default;
};

/// Whose caches are saved and accepted.
struct CacheOwner {
  /// Tells this release of the driver from every other, and from every other driver.
  std::string version;
  /// A secret of the driver that clients cannot read, any number of bytes; see the top of this
  /// file. It must be the same in every process that reads what another one saved.
  std::vector<uint8_t> key;
};

/// The most bytes that the contents of one cache may have, all files together: 1 GiB.
inline constexpr uint64_t kMostBytesOfCompilationCache = uint64_t{1} << 30;

/// Checks the handles of a cache: that there are so many, and that each has one descriptor, of a
/// regular file (or memfd). InvalidArgument says which does not; PermissionDenied which is not open
/// for reading and writing.
absl::Status validateCacheHandles(const std::vector<Handle>& model_cache,
                                  const std::vector<Handle>& data_cache, size_t model_cache_count,
                                  size_t data_cache_count);

/// Saves a cache under a token. The files are truncated and written from their beginning, whatever
/// was in them, wherever their offsets are, which stay. Fails as validateCacheHandles does where
/// there is not a handle for each content, with ResourceExhausted where the contents are too large,
/// and where a file cannot be written; no file that is left behind is accepted then.
absl::Status saveCompilationCache(const CompilationCache& cache, const CacheOwner& owner,
                                  const V1_2::CacheToken& token,
                                  const std::vector<Handle>& model_cache,
                                  const std::vector<Handle>& data_cache);

/// Reads what saveCompilationCache saved for `owner` under `token`, from the beginnings of the
/// files. Fails as validateCacheHandles does, with DataLoss when the files are not that cache (the
/// message says which of them and why), and with ResourceExhausted when there is no memory.
absl::StatusOr<CompilationCache> loadCompilationCache(
    const CacheOwner& owner, const V1_2::CacheToken& token, const std::vector<Handle>& model_cache,
    const std::vector<Handle>& data_cache, size_t model_cache_count, size_t data_cache_count);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_COMPILATION_CACHE_H_
