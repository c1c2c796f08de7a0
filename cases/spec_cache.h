// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What specs were read as, kept from one run to the next.
//
// An entry is found again by the spec's path and content, and holds as long as everything has the
// content that it had when the spec was read: what the spec imported or opened, the spec reader and
// its Python. An entry that is damaged, or somebody else's, is none.

#ifndef NNCERT_CASES_SPEC_CACHE_H_
#define NNCERT_CASES_SPEC_CACHE_H_

#include <cstdint>
#include <ctime>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "cases/test_case.h"

namespace nncert {

/// How many bytes a cache has at the most: 512 MiB. Android 10's specs take 60.
inline constexpr uint64_t kMostCacheBytes = uint64_t{512} << 20;

/// A spec that is to be read.
struct SpecReading {
  /// Its absolute path.
  std::string path;
  /// A digest of the path, of the content and of how specs are read.
  uint64_t key = 0;
};

/// A folder of what specs were read as. Several processes may use one at the same time. Whatever is
/// wrong with it, specs are read anew. Thread-safe.
class SpecCache {
 public:
  /// The cache in `folder`, which is made when something is kept; an empty one keeps nothing. Specs
  /// are read by the program `spec_reader` and by `python`.
  SpecCache(std::string folder, std::string_view spec_reader, std::string_view python,
            uint64_t most_bytes = kMostCacheBytes);

  /// What is to be read, as it is now; nothing when the spec cannot be read, or there is no cache.
  std::optional<SpecReading> Begin(const std::string& spec) const;

  /// What it was read as earlier; nothing when that is not known, or may be otherwise by now.
  std::optional<std::vector<TestCase>> Find(const SpecReading& reading);

  /// Keeps what it has been read as since Begin: the bytes of a case file, and what the spec reader
  /// wrote of what it read (generators/spec_reader/reads.py). Keeps nothing when any of that has
  /// changed since this was made.
  void Keep(const SpecReading& reading, std::string_view reads,
            absl::Span<const uint8_t> case_file);

  /// Removes what was not used for longest, until the cache is no larger than it may be. To be
  /// called after the last Keep.
  void Trim() const;

 private:
  // A file or a folder.
  using Place = std::pair<std::string, bool>;  // its path, and whether it is a folder

  std::string EntryOf(const SpecReading& reading) const;
  uint64_t DigestOf(const Place& place);

  const std::string folder_;
  const uint64_t most_bytes_;
  uint64_t way_ = 0;  // how specs are read
  timespec start_ = {};
  std::mutex mutex_;
  // Every spec depends on the same modules of Python. Guarded by mutex_.
  std::map<Place, uint64_t> digests_;
};

/// Where a user's cache is: $XDG_CACHE_HOME/nncert/specs, else $HOME/.cache/nncert/specs; empty
/// when neither is an absolute path (XDG Base Directory Specification).
std::string UsersSpecCache();

}  // namespace nncert

#endif  // NNCERT_CASES_SPEC_CACHE_H_
