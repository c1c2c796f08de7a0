// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_EXECUTION_DISCARDED_RANGES_H_
#define NNCERT_REFERENCE_EXECUTION_DISCARDED_RANGES_H_

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>

namespace nncert {

/// Memory that is discarded piece by piece. A page of which one piece has one part and the next
/// piece the other goes back to the system with the second of them. May be used by several threads
/// at once.
class DiscardedRanges {
 public:
  /// Says that the contents of [begin, end) are not needed any more, and gives the memory of those
  /// pages back of which nothing is; see DiscardPages.
  void Add(const std::byte* begin, const std::byte* end);

 private:
  std::mutex mutex_;
  // From the beginnings of ranges to their ends; they neither overlap nor touch.
  std::map<const std::byte*, const std::byte*, std::less<>> ranges_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_EXECUTION_DISCARDED_RANGES_H_
