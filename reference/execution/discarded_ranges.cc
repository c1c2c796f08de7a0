// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/execution/discarded_ranges.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "reference/execution/memory.h"

namespace nncert {

void DiscardedRanges::Add(const std::byte* begin, const std::byte* end) {
  if (!std::less<>()(begin, end)) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  // The range that [begin, end) makes with those that it touches.
  const std::byte* whole_begin = begin;
  const std::byte* whole_end = end;
  auto next = ranges_.lower_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second >= begin) --next;
  while (next != ranges_.end() && next->first <= end) {
    whole_begin = std::min(whole_begin, next->first);
    whole_end = std::max(whole_end, next->second);
    next = ranges_.erase(next);
  }
  ranges_.emplace_hint(next, whole_begin, whole_end);
  // What is further away than a page was given back before.
  const auto page = static_cast<ptrdiff_t>(sysconf(_SC_PAGESIZE));
  DiscardPages(begin - std::min(begin - whole_begin, page - 1),
               end + std::min(whole_end - end, page - 1));
}

}  // namespace nncert
